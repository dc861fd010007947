"""Cleaning tweets, from a file to words and hashtags; the peer is a plain loop with NLTK's tokenizer and ``langdetect``."""

from __future__ import annotations

import importlib.util
import json
import time
from typing import TYPE_CHECKING

from wayword.embeddings.hashtags.cleaning import CleanTweet, clean_tweet
from wayword.embeddings.hashtags.tokenizer import prepare, tokenize
from wayword.loaders.tweets import read_tweets

from .measure import count_repeats, megabytes, python, run, short, spread
from .report import goal, goals, table
from .setting import NotAvailable

if TYPE_CHECKING:
    from .setting import Setting

SOURCES = ("tweets/health-tweets.tar.gz", "tweets/tweeteval.tar.gz")
SHARES, QUICK = (4, 2, 1), (64, 32, 16)
"""A quarter, a half and all of the tweets."""

PROCESSES = 2
TIMES, GROWTH, SPREAD = 5.0, 1.5, 1.2
"""The goals: times the plain loop, and the growth of time per tweet and of memory with four times as many tweets."""

CLEAN = """
import json, sys, time
from wayword.embeddings.hashtags.cleaning import CleanTweet, clean_tweets
from wayword.loaders.tweets import read_tweets
from wayword.core.executors import process_pool

start, number, english = time.perf_counter(), 0, 0
with process_pool(int(sys.argv[2])) as executor:
    for each in clean_tweets((tweet.text for tweet in read_tweets([sys.argv[1]])), executor):
        number += 1
        english += isinstance(each, CleanTweet)
    print(json.dumps([number, english, time.perf_counter() - start]))
"""


def measure(setting: Setting) -> str:
    """Measure cleaning tweets."""
    if importlib.util.find_spec("langdetect") is None:
        raise NotAvailable("needs a peer: pip install langdetect")
    texts = [tweet.text for tweet in read_tweets([setting.file(name) for name in SOURCES])]
    rows, rates, costs, peaks = [], [], [], []
    for share in QUICK if setting.quick else SHARES:
        file = setting.folder / f"tweets-{share}.jsonl"
        file.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts[::share]), encoding="utf-8")
        seconds, peak, number, english = [], 0, 0, 0
        for _ in range(setting.few(3)):
            setting.note(f"cleaning {len(texts[::share]):,} tweets")
            ran = run(python(CLEAN, file, str(PROCESSES)))
            number, english, elapsed = json.loads(ran.output.strip().splitlines()[-1])
            seconds.append(elapsed)
            peak = max(peak, ran.peak or 0)
        took = spread(seconds)
        rates.append(number / took.median)
        costs.append(took.median / number)
        peaks.append(peak)
        rows.append([f"{number:,}", f"{english:,}", took, f"{short(rates[-1])}", megabytes(peak or None)])
    alone, plain, same, both = _compare_with_loop(setting, texts)
    times, growth, spread_ = rates[-1] / plain, costs[-1] / costs[0], peaks[-1] / max(peaks[0], 1)
    goal_table = goals(
        goal(
            "tweets per second, relative to a plain loop",
            f"{short(times)} times",
            f"at least {TIMES:.0f} times",
            times >= TIMES,
        ),
        goal("same words, if both consider the tweet English", f"{same:,} of {both:,}", "all", same == both),
        goal("time per tweet, with four times as many", f"{short(growth)} times", f"at most {GROWTH} times", growth <= GROWTH),
        goal("memory, with four times as many", f"{short(spread_)} times", f"at most {SPREAD} times", spread_ <= SPREAD),
    )
    head = ["tweets", "English with hashtags", "seconds", "tweets per second", "memory"]
    text = (
        f"From a file of JSON lines to words and hashtags in {PROCESSES} processes, including their start. Memory is that of "
        f"all processes. {count_repeats(setting.few(3))}: median (lowest..highest). A single running process cleans "
        f"{short(alone)} tweets per second. The plain loop, NLTK's `TweetTokenizer` for each tweet and `langdetect` for those "
        f"with hashtags, cleans {short(plain)}."
    )
    return f"{goal_table}\n\n{table(head, rows)}\n\n{text}"


def _compare_with_loop(setting: Setting, texts: list[str]) -> tuple[float, float, int, int]:
    """Return tweets per second of one process and of the plain loop, and the number of tweets with equal words, and of all."""
    from langdetect import DetectorFactory, LangDetectException, detect
    from nltk.tokenize import TweetTokenizer

    DetectorFactory.seed = 0
    detect("this loads its profiles")
    tokenizer = TweetTokenizer(preserve_case=False, strip_handles=True, reduce_len=True)
    some = texts[:: max(len(texts) // (200 if setting.quick else 4_000), 1)]
    setting.note(f"the plain loop over {len(some):,} tweets")
    theirs: list[list[str] | None] = []
    start = time.perf_counter()
    for text in some:
        tokens = tokenizer.tokenize(prepare(text))
        english = False
        if any(token[0] == "#" and len(token) > 2 for token in tokens):
            try:
                english = detect(" ".join(token.lstrip("#") for token in tokens if any(map(str.isalnum, token)))) == "en"
            except LangDetectException:
                english = True
        theirs.append(tokens if english else None)
    plain = len(some) / (time.perf_counter() - start)
    clean_tweet(some[0])
    share = texts[:: QUICK[0] if setting.quick else SHARES[0]]
    start = time.perf_counter()
    for text in share:
        clean_tweet(text)
    alone = len(share) / (time.perf_counter() - start)
    ours = [clean_tweet(text) for text in some]
    pairs = [
        (mine, other) for mine, other in zip(ours, theirs, strict=True) if isinstance(mine, CleanTweet) and other is not None
    ]
    same = sum(mine.words == _clean_tokens(other) for mine, other in pairs)
    return alone, plain, same, len(pairs)


def _clean_tokens(tokens: list[str]) -> tuple[str, ...]:
    """Return the words that cleaning would leave of the tokenizer's tokens."""
    found = [tokenize(token) for token in tokens]
    return tuple(word for each in found if each is not None for word in each.words)
