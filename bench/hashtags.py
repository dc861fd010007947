"""Vectors of tweets and neighbours of hashtags; the peers are a plain loop, scikit-learn and usearch."""

from __future__ import annotations

import importlib.util
import json
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wayword.loaders.tweets import read_tweets

from .measure import Spread, count_repeats, megabytes, python, repository_path, run, short, spread
from .report import goal, table
from .setting import MINILM, NotAvailable, section

if TYPE_CHECKING:
    from wayword.embeddings.encoders.transformer import Encoder

    from .setting import Setting

TWEETS = "tweets/health-tweets.tar.gz"
ENCODED, QUICK_ENCODED = 10_000, 100
PLAIN, LENGTH, BATCH = 1_000, 128, 32
"""Tweets in the plain loop, the tokens to which it pads each one, and its batch size."""

SIZES, QUICK = (25_000, 50_000, 100_000), (500, 1_000, 2_000)
DIMENSIONS, K = 384, 10
TIMES, SECONDS, MEMORY, RECALL = 2.0, 60.0, 2 << 30, 0.95
"""The goals: times the plain loop, seconds, bytes, and the share of neighbours that the index finds."""

NEAREST = """
import json, sys, time
import numpy as np
from bench.hashtags import DIMENSIONS, K, random_vectors
size, how = int(sys.argv[1]), sys.argv[2]
units = random_vectors(size)
start = time.perf_counter()
if how == "exact":
    from wayword.embeddings.hashtags.nearest import nearest_neighbours
    found = nearest_neighbours(units, K).numbers
elif how == "approximate":
    from wayword.embeddings.hashtags.nearest_hnsw import approximate_neighbours
    found = approximate_neighbours(units, K).numbers
else:
    from sklearn.neighbors import NearestNeighbors
    found = NearestNeighbors(n_neighbors=K + 1, metric="cosine", n_jobs=-1).fit(units).kneighbors(return_distance=True)[1]
seconds = time.perf_counter() - start
np.save(sys.argv[3], found[:, :K])
print(json.dumps(seconds))
"""


def measure(setting: Setting) -> str:
    """Measure vectors of tweets and neighbours of hashtags."""
    return section(setting, encoding, neighbours)


def random_vectors(size: int) -> np.ndarray:
    """Return random unit vectors in clusters, like those of hashtags."""
    rng = np.random.default_rng(size)
    centres = rng.normal(size=(max(size // 100, 2), DIMENSIONS))
    found = (centres[rng.integers(0, len(centres), size)] + 0.8 * rng.normal(size=(size, DIMENSIONS))).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def encoding(setting: Setting) -> tuple[list[list[str]], str]:
    """Measure vectors of tweets."""
    model = setting.package_file(*MINILM)
    from wayword.embeddings.encoders.transformer import Encoder

    texts = [tweet.text for tweet in read_tweets([setting.file(TWEETS)])]
    some = random.Random(1).sample(texts, QUICK_ENCODED if setting.quick else ENCODED)
    encoder = Encoder.open(str(model), needs_spans=False)
    ours, theirs, difference = [], [], 0.0
    plain = some[: max(len(some) // 10, 1)] if setting.quick else some[:PLAIN]
    for number in range(setting.few(3)):
        setting.note(f"encoding {len(some):,} tweets, repeat {number + 1}")
        start = time.perf_counter()
        found = encoder.encode_texts(some)
        ours.append(len(some) / (time.perf_counter() - start))
        start = time.perf_counter()
        expected = _encode_plainly(encoder, plain)
        theirs.append(len(plain) / (time.perf_counter() - start))
        difference = max(difference, float(np.abs(found[: len(plain)] - expected).max()))
    mine, other = spread(ours), spread(theirs)
    times = mine.median / other.median
    row = goal(
        f"encoding {len(some):,} tweets, relative to a plain loop",
        f"{short(times)} times",
        f"at least {TIMES:.0f} times",
        times >= TIMES,
    )
    text = (
        f"Tweets to vectors with all-MiniLM-L6-v2 on {encoder.device}: {mine} tweets per second, in batches of similar length, "
        f"padded to the longest of each batch. The plain loop takes {BATCH} tweets at a time in the order of the file, and "
        f"pads each to {LENGTH} tokens: {other} tweets per second, over {len(plain):,} of them. The vectors differ by "
        f"{difference:.0e} at most."
    )
    return [row], text


def _encode_plainly(encoder: Encoder, texts: list[str]) -> np.ndarray:
    """Return the means over real tokens, as in the documentation of transformers."""
    import torch

    found = []
    for start in range(0, len(texts), BATCH):
        some = texts[start : start + BATCH]
        tokens = encoder._tokenizer(some, padding="max_length", max_length=LENGTH, truncation=True, return_tensors="pt")
        with torch.inference_mode():
            states = encoder._model(**tokens).last_hidden_state
        mask = tokens["attention_mask"][:, :, None]
        found.append(((states * mask).sum(1) / mask.sum(1)).numpy())
    return np.concatenate(found)


def neighbours(setting: Setting) -> tuple[list[list[str]], str]:
    """Measure the nearest neighbours of hashtags."""
    for package in ("sklearn", "usearch"):
        if importlib.util.find_spec(package) is None:
            raise NotAvailable("needs a peer: pip install 'wayword[hashtags]'")
    rows: list[list[object]] = []
    peak, last = 0, spread([0.0])
    recall = same = 0.0
    for size in QUICK if setting.quick else SIZES:
        exact, most = _timed(setting, size, "exact", setting.few(3))
        index, index_most = _timed(setting, size, "approximate", 1)
        peer, peer_most = _timed(setting, size, "sklearn", 1)
        recall, same = _share_found(setting, size, "approximate"), _share_found(setting, size, "sklearn")
        peak, last = most, exact
        cells = [exact, megabytes(most), f"{short(peer.median)}", megabytes(peer_most), f"{short(index.median)}"]
        rows.append([f"{size:,}", *cells, megabytes(index_most), f"{100 * recall:.1f} %"])
    largest = rows[-1][0]
    rows_of_goals = [
        goal(
            f"{K} neighbours of {largest} hashtags", f"{short(last.median)} s", f"under {SECONDS:.0f} s", last.median < SECONDS
        ),
        goal("memory for this", megabytes(peak), f"under {megabytes(MEMORY)}", 0 < peak < MEMORY),
        goal("neighbours that the index finds", f"{100 * recall:.1f} %", f"at least {100 * RECALL:.0f} %", recall >= RECALL),
    ]
    head = ["hashtags", "seconds", "memory", "scikit-learn", "memory", "usearch", "memory", "found by usearch"]
    text = (
        f"The exact {K} nearest neighbours by cosine, of vectors with {DIMENSIONS} dimensions in clusters of a hundred. "
        f"Seconds, {count_repeats(setting.few(3))}: median (lowest..highest). The peers ran once: scikit-learn's "
        f"`NearestNeighbors`, which finds {100 * same:.2f} % of the same neighbours at the last size, and the approximate "
        "index of usearch (`--approximate`). Memory is that of the whole process."
    )
    return rows_of_goals, f"{table(head, rows)}\n\n{text}"


def _timed(setting: Setting, size: int, how: str, times: int) -> tuple[Spread, int]:
    seconds, peak = [], 0
    environment = {"PYTHONPATH": repository_path()}
    for _ in range(times):
        setting.note(f"neighbours of {size:,} hashtags, {how}")
        ran = run(python(NEAREST, str(size), how, str(_file(setting, size, how))), environment=environment)
        seconds.append(float(json.loads(ran.output.strip().splitlines()[-1])))
        peak = max(peak, ran.peak or 0)
    return spread(seconds), peak


def _file(setting: Setting, size: int, how: str) -> Path:
    return setting.folder / f"neighbours-{size}-{how}.npy"


def _share_found(setting: Setting, size: int, how: str) -> float:
    """Return the share of the exact neighbours that another method also finds."""
    exact, other = (np.load(_file(setting, size, each)) for each in ("exact", how))
    both = sum(len({*one} & {*two}) for one, two in zip(exact.tolist(), other.tolist(), strict=True))
    return both / int(exact.size)
