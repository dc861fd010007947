"""A few tweets, by a recipe: flu, food and football, each with hashtags of its own."""

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
    """So many tweets, no two alike."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        hashtags, words = chance.choice(list(TOPICS.items()))
        said = chance.sample(words.split(), 5)
        named = chance.sample(hashtags, chance.choice([1, 1, 2]))
        found.append(
            f"This is what the {said[0]} and the {' '.join(said[1:])} are about, item{seed}x{number} {' '.join(named)}"
        )
    return found


def write_tweets(file: Path, count: int, seed: int = 1) -> str:
    """The same in a file, a tweet a line."""
    file.write_text("".join(f"{each}\n" for each in some_tweets(count, seed)), encoding="utf-8")
    return str(file)


def packed(content: bytes) -> bytes:
    """The content as gzip packs it, whatever the time is: parameters of tests are part of their names."""
    return gzip.compress(content, mtime=0)
