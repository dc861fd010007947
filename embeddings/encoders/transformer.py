"""Vectors of whole texts, and of words in their context: what a transformer makes of their tokens.

torch and transformers are imported here when an encoder is opened (``pip install 'wayword[encoders]'``). A text longer than a
model can read goes through it in windows that overlap; each token is taken from the window in which most stands around it.
Windows of many texts go through the model together, those of like length in one batch.
"""

from __future__ import annotations

import hashlib
import importlib.util
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
from ..errors import EncoderInvalid, EncoderMissing
from .hub import fetch_encoder

Pooling = Literal["mean", "cls"]
"""What stands for a text: the mean of its tokens' states, or the state of the token before it."""

Span = tuple[int, int]
"""Where a piece of a text begins and ends, in characters."""

TOKENS = {"cpu": 2_048, "cuda": 16_384, "mps": 6_144}
"""Tokens in one batch, those included that only fill up shorter windows: on a CPU what stays in its caches."""

LONGEST = 512
"""Tokens of a window, where neither the tokenizer nor the model says anything sensible."""


class Window(NamedTuple):
    """A part of a text that goes through the model at once: of which text, its tokens, and those that are taken from it."""

    text: int
    first: int
    tokens: list[int]
    begin: int
    end: int


def locate_encoder(name: str, note: Callable[[str], None] = lambda _: None) -> Path:
    """The folder of the encoder of this name, where it is here or can be fetched, and what it needs is installed."""
    for package in ("torch", "transformers"):
        if importlib.util.find_spec(package) is None:
            raise EncoderMissing(f"encoders need {package}: pip install 'wayword[encoders]'")
    return fetch_encoder(name, note)


class Encoder:
    """A transformer that gives vectors of pieces of texts.

    ``name`` is a folder, or the name of a model on Hugging Face that was fetched before or can be fetched now; ``note`` is told
    before anything is.
    """

    def __init__(self, name: str, tokenizer: Any, model: Any, folder: Path) -> None:
        import torch

        self.name, self._tokenizer, self._folder = name, tokenizer, folder
        self.device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
        self._model = model.eval().to(self.device)
        self.dimensions = int(model.config.hidden_size)
        self._before, self._after = _around(tokenizer)
        self._whole = min([LONGEST, *(each for each in (tokenizer.model_max_length, _positions(model)) if each and each > 0)])
        self._room = self._whole - len(self._before) - len(self._after)

    @classmethod
    def open(cls, name: str, note: Callable[[str], None] = lambda _: None, *, pieces: bool = True) -> Encoder:
        """The encoder of this name; without ``pieces`` it need not know where tokens stand in a text."""
        folder = locate_encoder(name, note)
        from transformers import AutoModel, AutoTokenizer

        with _quiet():
            try:
                tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
                model = AutoModel.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
            except Exception as error:  # whatever a damaged folder makes of transformers
                raise EncoderInvalid(
                    f"{name} is no encoder that transformers can read ({first_line(error)}); name another"
                ) from error
        if pieces and not tokenizer.is_fast:
            raise EncoderInvalid(f"{name}: its tokenizer does not tell where tokens stand in a text; name another encoder")
        return cls(name, tokenizer, model, folder)

    @cached_property
    def fingerprint(self) -> str:
        """What tells this model from every other: the contents of its files."""
        digest = hashlib.blake2b(digest_size=16)
        for file in sorted(each for each in self._folder.iterdir() if each.suffix in _OF_A_MODEL):
            digest.update(file.name.encode())
            with file.open("rb") as stream:
                for piece in iter(lambda: stream.read(1 << 20), b""):
                    digest.update(piece)
        return digest.hexdigest()

    def vectors(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> list[Float32Array]:
        """For each text the vectors of its pieces, a row each; a piece without a token has a vector of zeros."""
        split = self._tokenizer(
            list(texts), add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
        )
        sums = [np.zeros((len(each), self.dimensions), np.float32) for each in spans]
        counts = [np.zeros(len(each), np.int64) for each in spans]
        wanted = [_tokens_of(offsets, pieces) for offsets, pieces in zip(split["offset_mapping"], spans, strict=True)]
        windows = [
            window
            for number, tokens in enumerate(split["input_ids"])
            for window in split_into_windows(number, tokens, self._room)
            if any(window.begin < last and first < window.end for first, last in wanted[number])
        ]
        for window, found in self._run(windows):
            for piece, (first, last) in enumerate(wanted[window.text]):
                begin, end = max(first, window.begin), min(last, window.end)
                if begin < end:
                    sums[window.text][piece] += found[begin - window.first : end - window.first].sum(axis=0)
                    counts[window.text][piece] += end - begin
        return [(total / np.maximum(count, 1)[:, None]).astype(np.float32) for total, count in zip(sums, counts, strict=True)]

    def sentences(self, texts: Sequence[str], pooling: Pooling = "mean") -> Float32Array:
        """A vector for each text, a row each; a text that is too long is cut off where the model ends."""
        rows = (
            self._tokenizer(list(texts), truncation=True, max_length=self._whole, verbose=False)["input_ids"] if texts else []
        )
        found = np.zeros((len(rows), self.dimensions), np.float32)
        for batch in _batches([len(row) for row in rows], TOKENS[self.device]):
            states, seen = self._states([rows[number] for number in batch])
            if pooling == "cls":
                pooled = states[:, 0]
            else:
                real = seen.to(states.device, states.dtype)[:, :, None]
                pooled = (states * real).sum(1) / real.sum(1).clamp(min=1)
            found[batch] = pooled.float().cpu().numpy()
        return found

    def _run(self, windows: list[Window]) -> Iterator[tuple[Window, Float32Array]]:
        """Each window with a row for each of its tokens."""
        head = len(self._before)
        for batch in _batches([len(window.tokens) for window in windows], TOKENS[self.device]):
            states, _ = self._states([[*self._before, *windows[number].tokens, *self._after] for number in batch])
            found = states.float().cpu().numpy()
            for row, number in enumerate(batch):
                yield windows[number], found[row, head : head + len(windows[number].tokens)]

    def _states(self, rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        """The last hidden layer for rows of tokens, and which of its places are real, not only there to fill up."""
        import torch

        tokens = np.full((len(rows), max(map(len, rows))), self._tokenizer.pad_token_id or 0, np.int64)
        seen = np.zeros(tokens.shape, np.int64)
        for number, row in enumerate(rows):
            tokens[number, : len(row)], seen[number, : len(row)] = row, 1
        real = torch.from_numpy(seen)
        with torch.inference_mode():
            given = {"input_ids": torch.from_numpy(tokens), "attention_mask": real}
            answer = self._model(**{name: each.to(self.device) for name, each in given.items()})
            return answer.last_hidden_state, real


_OF_A_MODEL = {".json", ".txt", ".model", ".safetensors", ".bin"}


def _around(tokenizer: Any) -> tuple[list[int], list[int]]:
    """The tokens that a model wants before a text, and those behind it."""
    bare = tokenizer("a", add_special_tokens=False)["input_ids"]
    whole = tokenizer("a")["input_ids"]
    place = next(place for place in range(len(whole)) if whole[place : place + len(bare)] == bare)
    return whole[:place], whole[place + len(bare) :]


def split_into_windows(text: int, tokens: list[int], room: int) -> Iterator[Window]:
    """The windows of a text, as few as can be, and as small and even as these can be.

    Two neighbours share a quarter of what there is room for, and each token is taken from the one in which it stands further
    from the edge.

    >>> [(w.first, len(w.tokens), w.begin, w.end) for w in split_into_windows(0, list(range(16)), 8)]
    [(0, 7, 0, 6), (5, 6, 6, 10), (9, 7, 10, 16)]
    """
    shared, size = room // 4, len(tokens)
    many = 1 if size <= room else -(-(size - shared) // (room - shared))
    edges = [round(number * (size - shared) / many) for number in range(many + 1)]
    starts, ends = edges[:-1], [*(edge + shared for edge in edges[1:-1]), size]
    borders = [0, *((end + start) // 2 for end, start in zip(ends, starts[1:], strict=False)), size]
    for first, last, (begin, end) in zip(starts, ends, pairwise(borders), strict=True):
        yield Window(text, first, tokens[first:last], begin, end)


def _batches(lengths: Sequence[int], room: int) -> Iterator[list[int]]:
    """The numbers of texts of like length together, as many as there is room for."""
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[number] > room:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def _positions(model: Any) -> int:
    """How many tokens a model can read; those of RoBERTa's kind begin to count behind the token that fills up."""
    positions = int(getattr(model.config, "max_position_embeddings", 0) or 0)
    table = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    filling = getattr(table, "padding_idx", None)
    return positions if filling is None else positions - filling - 1


def _tokens_of(offsets: Sequence[Span], pieces: Sequence[Span]) -> list[Span]:
    """The first token of each piece of a text, and the one after its last."""
    begins = np.array([begin for begin, _ in offsets], np.int64)
    ends = np.array([end for _, end in offsets], np.int64)
    return [
        (int(np.searchsorted(ends, begin, side="right")), int(np.searchsorted(begins, end, side="left")))
        for begin, end in pieces
    ]


@contextmanager
def _quiet() -> Iterator[None]:
    """No bars and no warnings of transformers while a model is read; what matters is an error."""
    from transformers.utils import logging as theirs

    level = theirs.get_verbosity()
    theirs.set_verbosity(logging.CRITICAL)
    theirs.disable_progress_bar()
    try:
        yield
    finally:
        theirs.set_verbosity(level)
        theirs.enable_progress_bar()
