"""A bounded cache in front of a function that loads many values at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from threading import RLock
from typing import Generic, TypeVar

from .view import CacheInfo

K = TypeVar("K")
V = TypeVar("V")


class BatchCache(Generic[K, V]):
    """A least-recently-used cache with batched loading and prefetching. Thread-safe.

    Args:
        load: Returns the values of many keys; it must return one for each of them.
        limit: The greatest number of entries.
    """

    def __init__(self, load: Callable[[Sequence[K]], dict[K, V]], limit: int) -> None:
        self._load = load
        self._cached: OrderedDict[K, V] = OrderedDict()
        self._lock = RLock()
        self.limit = limit
        self.hits = self.misses = 0

    def get(self, key: K, prefetch: Callable[[], Iterable[K]] = tuple) -> V:
        """Return the value of a key; on a miss the keys of ``prefetch`` are loaded in the same batch."""
        return self.get_many([key], prefetch)[key]

    def get_many(self, keys: Iterable[K], prefetch: Callable[[], Iterable[K]] = tuple) -> dict[K, V]:
        """Return the values of many keys; on a miss the keys of ``prefetch`` are loaded in the same batch."""
        with self._lock:
            found: dict[K, V] = {}
            missing: list[K] = []
            for key in dict.fromkeys(keys):
                if key in self._cached:
                    self._cached.move_to_end(key)
                    found[key] = self._cached[key]
                else:
                    missing.append(key)
            self.hits += len(found)
            self.misses += len(missing)
            if missing:
                further = (key for key in prefetch() if key not in self._cached)
                found.update(self._load_batch(list(dict.fromkeys([*missing, *further]))))
            return found

    def peek(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the values that are cached; nothing is loaded."""
        with self._lock:
            return {key: self._cached[key] for key in keys if key in self._cached}

    def _load_batch(self, keys: Sequence[K]) -> dict[K, V]:
        values = self._load(keys)
        for key in reversed(keys):  # so that prefetched keys are evicted before those that were needed
            self._cached[key] = values[key]
        while len(self._cached) > max(self.limit, 1):
            self._cached.popitem(last=False)
        return values

    def info(self) -> CacheInfo:
        """Return the statistics of the cache."""
        return CacheInfo(self.hits, self.misses, self.limit, len(self._cached))
