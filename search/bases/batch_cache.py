"""A bounded cache in front of a function that answers many questions at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from threading import RLock
from typing import Generic, TypeVar

from .view import CacheInfo

K = TypeVar("K")
V = TypeVar("V")


class BatchCache(Generic[K, V]):
    """The latest answers of a function that answers many questions at once."""

    def __init__(self, answer: Callable[[Sequence[K]], dict[K, V]], limit: int) -> None:
        self._answer = answer
        self._known: OrderedDict[K, V] = OrderedDict()
        self._lock = RLock()
        self.limit = limit
        self.hits = self.misses = 0

    def get(self, key: K, ahead: Callable[[], Iterable[K]] = tuple) -> V:
        """The answer for a key; on a miss those ahead are asked for in the same breath."""
        return self.all([key], ahead)[key]

    def all(self, keys: Iterable[K], ahead: Callable[[], Iterable[K]] = tuple) -> dict[K, V]:
        """The answers for many keys; on a miss those ahead are asked for in the same breath."""
        with self._lock:
            found: dict[K, V] = {}
            missing: list[K] = []
            for key in dict.fromkeys(keys):
                if key in self._known:
                    self._known.move_to_end(key)
                    found[key] = self._known[key]
                else:
                    missing.append(key)
            self.hits += len(found)
            self.misses += len(missing)
            if missing:
                found.update(
                    self._learn(list(dict.fromkeys([*missing, *(each for each in ahead() if each not in self._known)])))
                )
            return found

    def known(self, keys: Iterable[K]) -> dict[K, V]:
        """The answers that are at hand; nothing is asked."""
        with self._lock:
            return {key: self._known[key] for key in keys if key in self._known}

    def _learn(self, keys: Sequence[K]) -> dict[K, V]:
        answers = self._answer(keys)
        for key in reversed(keys):
            self._known[key] = answers[key]
        while len(self._known) > max(self.limit, 1):
            self._known.popitem(last=False)
        return answers

    def info(self) -> CacheInfo:
        """How well the cache did."""
        return CacheInfo(self.hits, self.misses, self.limit, len(self._known))
