"""Generate tweets about flu, food and football, each topic with its own hashtags."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

TOPICS = {
    ("#flu", "#fever", "#sick"): "flu fever cough virus nurse hospital patients vaccine winter doctors ill season spread",
    ("#food", "#recipe", "#dinner"): "recipe dinner salad soup kitchen cook delicious oven cheese tomato lunch fresh bake",
    ("#football", "#goal", "#league"): "football match goal league striker keeper team coach penalty stadium fans win score",
}


def some_tweets(count: int, seed: int = 1) -> list[str]:
    """Return different tweets; the seed decides which."""
    rng = random.Random(seed)
    tweets = []
    for number in range(count):
        hashtags, words = rng.choice(list(TOPICS.items()))
        nouns = rng.sample(words.split(), 5)
        tags = rng.sample(hashtags, rng.choice([1, 1, 2]))
        tweets.append(
            f"This is what the {nouns[0]} and the {' '.join(nouns[1:])} are about, item{seed}x{number} {' '.join(tags)}"
        )
    return tweets


def write_tweets(file: Path, count: int, seed: int = 1) -> str:
    """Write such tweets to a file, one per line, and return its path."""
    file.write_text("".join(f"{each}\n" for each in some_tweets(count, seed)), encoding="utf-8")
    return str(file)


def gzip_content(content: bytes) -> bytes:
    """Compress with gzip independently of the time, because test parameters are part of test names."""
    return gzip.compress(content, mtime=0)
