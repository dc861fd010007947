"""Encode whole texts, and words in their context, with a transformer.

torch and transformers are imported when an encoder is opened (``pip install 'wayword[encoders]'``). A text that is longer than
the model's maximum is encoded in overlapping windows; the vector of a token comes from the window in which it has the most
context. Windows of similar length, of any text, share a batch.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from ...core.arrays import Float32Array
from ...core.messages import first_line
from ...core.optional_packages import require_package
from ..errors import EncoderInvalid, EncoderMissing
from .hub import fetch_encoder

Pooling = Literal["mean", "cls"]
"""The vector of a text: the mean of its tokens' states, or the state of the first special token."""

Span = tuple[int, int]
"""The start and end of a part of a text, in characters."""

BATCH_TOKENS = {"cpu": 2_048, "cuda": 16_384, "mps": 6_144}
"""The maximum number of tokens in a batch, with padding, by device; that of the CPU fits its caches."""

MAX_TOKENS = 512
"""The maximum number of tokens in a window; less if the tokenizer or the model has a lower limit."""


class Window(NamedTuple):
    """A part of a text that is encoded at once: the number of the text, and tokens of which ``begin`` to ``end`` are used."""

    text: int
    first: int
    tokens: list[int]
    begin: int
    end: int


def locate_encoder(name: str, note: Callable[[str], None] = lambda _: None) -> Path:
    """Return the folder of an encoder, downloaded if necessary, or raise an ``EncoderMissing``."""
    for package in ("torch", "transformers"):
        require_package(package, "encoders need", EncoderMissing)
    return fetch_encoder(name, note)


class Encoder:
    """A transformer that encodes texts, or spans of texts in their context. Use ``Encoder.open``.

    - ``device``: where it runs, "cuda", "mps" or "cpu"
    - ``dimensions``: the size of its vectors
    """

    def __init__(self, name: str, tokenizer: Any, model: Any, folder: Path) -> None:
        import torch

        self.name, self._tokenizer, self._folder = name, tokenizer, folder
        self.device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
        self._model = model.eval().to(self.device)
        self.dimensions = int(model.config.hidden_size)
        self._prefix, self._suffix = _special_tokens(tokenizer)
        self._max_tokens = min(
            [MAX_TOKENS, *(each for each in (tokenizer.model_max_length, _max_positions(model)) if each and each > 0)]
        )
        self._capacity = self._max_tokens - len(self._prefix) - len(self._suffix)

    @classmethod
    def open(cls, name: str, note: Callable[[str], None] = lambda _: None, *, needs_spans: bool = True) -> Encoder:
        """Open an encoder.

        Args:
            name: A folder, or the name of a model on Hugging Face, which is downloaded unless it is in the cache.
            note: Called with the size and origin before a download.
            needs_spans: Whether spans of texts will be encoded; if so, the tokenizer must return the positions of tokens.

        Raises:
            EncoderMissing: There is no such encoder, or torch or transformers is not installed.
            EncoderInvalid: transformers cannot read the model, or its tokenizer does not return positions.
        """
        folder = locate_encoder(name, note)
        from transformers import AutoModel, AutoTokenizer

        with _silence_transformers():
            try:
                tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
                model = AutoModel.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
            except Exception as error:  # a damaged folder can raise anything in transformers
                raise EncoderInvalid(
                    f"{name} is not a model that transformers can read ({first_line(error)}); name another model"
                ) from error
        if needs_spans and not tokenizer.is_fast:
            raise EncoderInvalid(f"the tokenizer of {name} does not return the positions of tokens; name another encoder")
        return cls(name, tokenizer, model, folder)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the model's files."""
        digest = hashlib.blake2b(digest_size=16)
        for file in sorted(each for each in self._folder.iterdir() if each.suffix in _MODEL_SUFFIXES):
            digest.update(file.name.encode())
            with file.open("rb") as stream:
                for chunk in iter(lambda: stream.read(1 << 20), b""):
                    digest.update(chunk)
        return digest.hexdigest()

    def vectors(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> list[Float32Array]:
        """Return for each text a row for each of its spans, the mean of their tokens in context; zeros without a token."""
        encoding = self._tokenizer(
            list(texts), add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
        )
        sums = [np.zeros((len(each), self.dimensions), np.float32) for each in spans]
        counts = [np.zeros(len(each), np.int64) for each in spans]
        ranges = [_token_ranges(*each) for each in zip(encoding["offset_mapping"], spans, strict=True)]
        windows = [
            window
            for number, tokens in enumerate(encoding["input_ids"])
            for window in split_into_windows(number, tokens, self._capacity)
            if any(window.begin < last and first < window.end for first, last in ranges[number])
        ]
        for window, states in self._encode_windows(windows):
            for piece, (first, last) in enumerate(ranges[window.text]):
                begin, end = max(first, window.begin), min(last, window.end)
                if begin < end:
                    sums[window.text][piece] += states[begin - window.first : end - window.first].sum(axis=0)
                    counts[window.text][piece] += end - begin
        return [(total / np.maximum(count, 1)[:, None]).astype(np.float32) for total, count in zip(sums, counts, strict=True)]

    def encode_texts(self, texts: Sequence[str], pooling: Pooling = "mean") -> Float32Array:
        """Return a row for each text; texts that are too long are truncated to the model's maximum."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        rows = self._tokenizer(list(texts), truncation=True, max_length=self._max_tokens, verbose=False)["input_ids"]
        vectors = np.zeros((len(rows), self.dimensions), np.float32)
        for batch in _batches([len(row) for row in rows], BATCH_TOKENS[self.device]):
            states, mask = self._hidden_states([rows[number] for number in batch])
            if pooling == "cls":
                pooled = states[:, 0]
            else:
                weights = mask.to(states.device, states.dtype)[:, :, None]
                pooled = (states * weights).sum(1) / weights.sum(1).clamp(min=1)
            vectors[batch] = pooled.float().cpu().numpy()
        return vectors

    def _encode_windows(self, windows: list[Window]) -> Iterator[tuple[Window, Float32Array]]:
        """Yield each window with a row for each of its tokens."""
        start = len(self._prefix)
        for batch in _batches([len(window.tokens) for window in windows], BATCH_TOKENS[self.device]):
            states, _ = self._hidden_states([[*self._prefix, *windows[number].tokens, *self._suffix] for number in batch])
            vectors = states.float().cpu().numpy()
            for row, number in enumerate(batch):
                yield windows[number], vectors[row, start : start + len(windows[number].tokens)]

    def _hidden_states(self, rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        """Return the last hidden states for rows of tokens, and a mask of the positions that are not padding."""
        import torch

        tokens = np.full((len(rows), max(map(len, rows))), self._tokenizer.pad_token_id or 0, np.int64)
        mask = np.zeros(tokens.shape, np.int64)
        for number, row in enumerate(rows):
            tokens[number, : len(row)], mask[number, : len(row)] = row, 1
        inputs = {"input_ids": torch.from_numpy(tokens), "attention_mask": torch.from_numpy(mask)}
        with torch.inference_mode():
            output = self._model(**{name: each.to(self.device) for name, each in inputs.items()})
            return output.last_hidden_state, inputs["attention_mask"]


_MODEL_SUFFIXES = {".json", ".txt", ".model", ".safetensors", ".bin"}


def _special_tokens(tokenizer: Any) -> tuple[list[int], list[int]]:
    """Return the tokens that a model needs before and after a text."""
    plain = tokenizer("a", add_special_tokens=False)["input_ids"]
    whole = tokenizer("a")["input_ids"]
    start = next(start for start in range(len(whole)) if whole[start : start + len(plain)] == plain)
    return whole[:start], whole[start + len(plain) :]


def split_into_windows(text: int, tokens: list[int], capacity: int) -> Iterator[Window]:
    """Split a text into the minimal number of windows, all of about the same size.

    Neighbouring windows overlap by a quarter of the capacity; half of the overlap is used from each, so that every token has
    context on both sides.

    >>> [(w.first, len(w.tokens), w.begin, w.end) for w in split_into_windows(0, list(range(16)), 8)]
    [(0, 7, 0, 6), (5, 6, 6, 10), (9, 7, 10, 16)]
    """
    shared, size = capacity // 4, len(tokens)
    count = 1 if size <= capacity else -(-(size - shared) // (capacity - shared))
    edges = [round(number * (size - shared) / count) for number in range(count + 1)]
    starts, ends = edges[:-1], [*(edge + shared for edge in edges[1:-1]), size]
    borders = [0, *((end + start) // 2 for end, start in zip(ends, starts[1:], strict=False)), size]
    for first, last, (begin, end) in zip(starts, ends, pairwise(borders), strict=True):
        yield Window(text, first, tokens[first:last], begin, end)


def _batches(lengths: Sequence[int], capacity: int) -> Iterator[list[int]]:
    """Yield batches of the numbers of texts of similar length; the capacity includes padding."""
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[number] > capacity:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def _max_positions(model: Any) -> int:
    """Return the maximum number of tokens of a model. RoBERTa and its variants number positions from the padding token on."""
    positions = int(getattr(model.config, "max_position_embeddings", 0) or 0)
    table = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    padding = getattr(table, "padding_idx", None)
    return positions if padding is None else positions - padding - 1


def _token_ranges(offsets: Sequence[Span], spans: Sequence[Span]) -> list[Span]:
    """Return the range of tokens that overlap each span, end exclusive."""
    begins = np.array([begin for begin, _ in offsets], np.int64)
    ends = np.array([end for _, end in offsets], np.int64)
    return [
        (int(np.searchsorted(ends, begin, side="right")), int(np.searchsorted(begins, end, side="left")))
        for begin, end in spans
    ]


@contextmanager
def _silence_transformers() -> Iterator[None]:
    """Suppress the progress bars and warnings of transformers while a model is loaded."""
    from transformers.utils import logging as transformers_logging

    level = transformers_logging.get_verbosity()
    transformers_logging.set_verbosity(logging.CRITICAL)
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        transformers_logging.set_verbosity(level)
        transformers_logging.enable_progress_bar()
