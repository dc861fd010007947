"""Extract tweets from JSON: strings, simple objects, and objects of Twitter's API, versions 1 and 2."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ...core.normalisation import replace_surrogates

ParsedTweet = tuple[str, str | None]
"""A text and its id, if the object has one."""

LIST_FIELDS = ("data", "statuses", "tweets", "results")
"""The fields of API responses that have a list of tweets."""

TEXT_FIELDS = ("full_text", "text", "tweet", "content")
USED_FIELDS = frozenset(
    {
        *LIST_FIELDS,
        *TEXT_FIELDS,
        "extended_tweet",
        "note_tweet",
        "retweeted_status",
        "referenced_tweets",
        "truncated",
        "id",
        "id_str",
        "tweet_id",
    }
)
ELLIPSIS = "…"

MAX_PENDING = 8 << 20
"""The maximum number of characters of texts that wait for, or may complete, a retweet; a response has far fewer."""

_RETWEET = re.compile(r"RT @(\w+):")


def parse_tweets(value: Any, column: str | None = None) -> Iterator[ParsedTweet | None]:
    """Yield the tweets of a value, None for each entry without a text.

    Args:
        value: A parsed JSON value: a tweet, a list of tweets, or a response of an API.
        column: The name of the field with the text; by default one of ``TEXT_FIELDS``, or the full text of a retweet.

    >>> list(parse_tweets({"data": [{"id": "1", "text": "Wash your hands #flu"}, {"id": "2"}]}))
    [('Wash your hands #flu', '1'), None]
    """
    if isinstance(value, dict) and _text(value, column) is None:
        name = next((name for name in LIST_FIELDS if isinstance(value.get(name), list | dict)), None)
        if name is not None:
            entries = value[name] if isinstance(value[name], list) else [value[name]]
            for entry in complete_retweets(entries, value.get("includes")):
                yield _parse_tweet(entry, column)
            return
    for entry in value if isinstance(value, list) else [value]:
        yield _parse_tweet(entry, column)


def complete_retweets(entries: Iterable[Any], includes: Any) -> Iterator[Any]:
    """Yield the entries of a response of version 2, truncated retweets with the tweets that the response includes."""
    retweets = Retweets()
    included = includes.get("tweets") if isinstance(includes, dict) else None
    yield from retweets.include(included if isinstance(included, list) else ())
    yield from retweets.complete(entries)
    yield from retweets.rest()


class Retweets:
    """Completes the truncated retweets of one response of version 2, whose full texts are in ``includes.tweets``.

    The entries and the included tweets may come in either order: entries that lack their full text wait for it. The size of
    what waits is bounded; beyond it, retweets remain truncated.
    """

    def __init__(self) -> None:
        self._pending: dict[str, list[dict[str, Any]]] = {}
        self._texts: dict[str, str] = {}
        self._budget = MAX_PENDING

    def complete(self, entries: Iterable[Any]) -> Iterator[Any]:
        """Yield the entries of the response, but hold truncated retweets whose full text is not known yet."""
        for entry in entries:
            id = _truncated_retweet(entry)
            if id is None:
                yield entry
            elif id in self._texts:
                yield _complete(entry, self._texts[id])
            elif self._fits(text := _own_text(entry) or ""):
                self._pending.setdefault(id, []).append({"text": text, "id": _id(entry)})
            else:
                yield entry

    def include(self, tweets: Iterable[Any]) -> Iterator[Any]:
        """Remember included tweets, and yield the retweets that have been waiting for them."""
        for tweet in tweets:
            id, text = _id(tweet), _own_text(tweet) if isinstance(tweet, dict) else None
            if id is None or text is None:
                continue
            for entry in self._pending.pop(id, ()):
                yield _complete(entry, text)
            if self._fits(text):
                self._texts[id] = text

    def rest(self) -> Iterator[Any]:
        """Yield the retweets that nothing has completed, at the end of the response."""
        for entries in self._pending.values():
            yield from entries
        self._pending.clear()

    def _fits(self, text: str) -> bool:
        self._budget -= len(text)
        return self._budget >= 0


def _truncated_retweet(value: Any) -> str | None:
    """Return the id of the tweet that has the full text of a truncated retweet; None if the entry itself has it."""
    if not isinstance(value, dict) or not isinstance(references := value.get("referenced_tweets"), list):
        return None
    if _original(value) is not None or not (_own_text(value) or "").endswith(ELLIPSIS):
        return None
    return next(
        (_id(each) for each in references if isinstance(each, dict) and each.get("type") == "retweeted"),
        None,
    )


def _complete(entry: dict[str, Any], text: str) -> dict[str, Any]:
    return {**entry, "retweeted_status": {"text": text}}


def _parse_tweet(value: Any, column: str | None) -> ParsedTweet | None:
    if isinstance(value, dict) and isinstance(value.get("tweet"), dict):
        value = value["tweet"]
    text = _text(value, column)
    return None if text is None else (replace_surrogates(text), _id(value))


def _text(value: Any, column: str | None = None) -> str | None:
    """Return the full text of a tweet; for retweets, whose own text is truncated, it is built from the original."""
    if isinstance(value, str):
        return value if column is None else None
    if not isinstance(value, dict):
        return None
    if column is not None:
        return text if isinstance(text := value.get(column), str) else None
    own, original = _own_text(value), _original(value)
    if original is None or (text := _own_text(original)) is None:
        return own
    user = original.get("user")
    name = user.get("screen_name") if isinstance(user, dict) else None
    if not isinstance(name, str):
        name = retweet[1] if (retweet := _RETWEET.match(own or "")) else None
    return f"RT {text}" if name is None else f"RT @{name}: {text}"


def _original(value: dict[str, Any]) -> dict[str, Any] | None:
    """Return the tweet that a retweet contains: in version 1 as a field, in flattened version 2 as a reference."""
    status, references = value.get("retweeted_status"), value.get("referenced_tweets")
    if isinstance(status, dict):
        return status
    for each in references if isinstance(references, list) else ():
        if isinstance(each, dict) and each.get("type") == "retweeted" and _own_text(each) is not None:
            return each
    return None


def _own_text(value: dict[str, Any]) -> str | None:
    """Return the full text of an object; for a long tweet it is in a nested object."""
    nested = (value.get("extended_tweet"), "full_text"), (value.get("note_tweet"), "text")
    for inner, name in nested:
        if isinstance(inner, dict) and isinstance(inner.get(name), str):
            return str(inner[name])
    text = next((text for name in TEXT_FIELDS if isinstance(text := value.get(name), str)), None)
    return _mark_end(text) if text is not None and value.get("truncated") is True else text


def _mark_end(text: str) -> str:
    """End a text that its ``truncated`` flag calls incomplete in an ellipsis right after its last word, before URLs.

    >>> _mark_end("Wash your #han ... http://t.co/x"), _mark_end("Wash your #han")
    ('Wash your #han… http://t.co/x', 'Wash your #han…')
    """
    if not (words := text.split()):
        return text
    end = len(words)
    while end and words[end - 1].startswith(("http://", "https://")):
        end -= 1
    body = " ".join(words[:end]).rstrip(f" .{ELLIPSIS}")
    return " ".join([f"{body}{ELLIPSIS}", *words[end:]])


def _id(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    id = next((value[name] for name in ("id_str", "id", "tweet_id") if value.get(name)), None)
    return str(id) if isinstance(id, str | int) else None
