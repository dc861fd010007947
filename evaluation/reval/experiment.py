"""The experiment of the paper: tweets are parted, hashtags recommended, thesauri made, and recommendations judged by them.

The thesauri learn from all tweets, as the paper has them (its set T): they judge, and are not judged. The recommender knows the
training tweets alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.atomic_files import FileError, cannot_write, check_place, facts_below, replaced
from ...core.progress import Progress, silent
from ...embeddings.encoders.transformer import located
from ...embeddings.errors import TweetsUnfit
from ...embeddings.hashtags.encoders import called, is_word_model, of_transformer
from ...embeddings.hashtags.thesaurus_file import About, spare, write_thesaurus
from ...embeddings.hashtags.training import Remembered, Spool, learnt, thesaurus_of, word_model
from ...embeddings.hashtags.word_models import train
from ..runs.recording import Asked
from . import KS
from .batch_measures import evaluate
from .experiment_result import Curve, Outcome
from .recommender import SIMILAR, Popularity, Recommender

if TYPE_CHECKING:
    from ...embeddings.encoders.transformer import Pooling
    from ...embeddings.hashtags.cleaning import Cleaned
    from ...embeddings.hashtags.encoders import TweetEncoder
    from ..runs.ledger import Ledger
    from .measures import Weights

KIND = "reval"

TOPS = (1, 5, 10)
TESTED = 0.1
"""As the paper has them: how many hashtags are recommended, and the share of tweets that are to test with."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is asked. ``sources`` are the files of tweets."""

    sources: tuple[str, ...]
    encoders: tuple[str, ...]
    ks: tuple[int, ...] = KS
    tops: tuple[int, ...] = TOPS
    pooling: Pooling = "mean"
    within: float | None = None
    weights: Weights = "none"
    similar: float = SIMILAR
    popularity: Popularity = "similar"
    tested: float = TESTED
    seed: int = 0

    def to_dict(self) -> dict[str, Any]:
        """All of it but the seed, in words and numbers."""
        given = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        del given["seed"]
        return given

    @classmethod
    def of(cls, parameters: Mapping[str, Any], seed: int | None) -> Experiment:
        """The experiment of a row of the ledger."""
        given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in parameters.items()}
        return cls(**given, seed=seed or 0)

    def asked(self) -> Asked:
        """How the ledger is told of it."""
        files = facts_below(map(Path, (*self.sources, *self.encoders)))
        return Asked(KIND, self.to_dict(), "", [], self.seed, {"files": files})


def run(
    asked: Experiment,
    tweets: Iterable[Cleaned],
    left_out: Counter[str],
    ledger: Ledger | None = None,
    keep: Path | None = None,
    progress: Progress = silent,
    note: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Carry out an experiment over cleaned tweets; ``left_out`` is what was left out of them, complete once all are read.

    ``keep`` names a folder for the recommendations, the gold hashtags and the thesauri.
    """
    for name in asked.encoders:
        if not is_word_model(name):
            located(name, note)
    if keep is not None:
        _check_keep(keep, asked)
    with Spool() as spool, nullcontext() if ledger is None else ledger.record(asked.asked()) as recording:
        remembered = Remembered()
        count = spool.fill(tweets, remembered, left_out)
        if count < 2:
            raise TweetsUnfit(f"of these tweets {count} can be learnt from; an experiment needs two or more")
        words = [each for batch in spool.read() for each in batch]
        training, test = parted(count, asked.tested, asked.seed)
        gold = [list(words[number].hashtags) for number in test]
        recommended = _recommended(asked, words, training, test, progress)
        if keep is not None:
            _keep_lists(keep, recommended, gold, asked.tops)
        curves: list[Curve] = []
        for name in asked.encoders:
            note(f"the thesaurus of {name}")
            curves += _curves(asked, name, spool, remembered, left_out, recommended, gold, keep, progress, note)
        outcome = Outcome(
            name=", ".join(Path(each).name for each in asked.sources),
            tweets=count,
            training=len(training),
            test=len(test),
            hashtags=len({name for each in words for name in each.hashtags}),
            uses=sum(len(each.hashtags) for each in words),
            curves=tuple(curves),
            left_out={what: number for what, number in left_out.items() if number},
            parameters=asked.to_dict(),
            run=None if recording is None else recording.id,
        )
        if recording is not None:
            recording.finish(outcome.to_dict())
    return outcome


def parted(count: int, tested: float, seed: int) -> tuple[list[int], list[int]]:
    """The numbers of the tweets to learn from and of those to test with, drawn by the seed; each in their order.

    >>> training, test = parted(20, 0.1, 7)
    >>> len(training), len(test), sorted(training + test) == list(range(20))
    (18, 2, True)
    """
    size = min(max(round(count * tested), 1), count - 1)
    drawn = np.random.default_rng(seed & (1 << 64) - 1).permutation(count)
    return sorted(drawn[size:].tolist()), sorted(drawn[:size].tolist())


def _recommended(
    asked: Experiment, tweets: Sequence[Cleaned], training: Sequence[int], test: Sequence[int], progress: Progress
) -> list[list[str]]:
    """For each test tweet as many hashtags as are wanted at most."""
    with Spool() as spool:
        spool.write([[tweets[number] for number in training]])
        model = train("word2vec", spool.words, asked.seed, progress)
    known = [(tweets[number].words, tweets[number].hashtags) for number in training]
    recommender = Recommender(model.sentences, known, asked.similar, asked.popularity)
    return recommender.recommend([tweets[number].words for number in test], max(asked.tops), progress)


def _curves(
    asked: Experiment,
    name: str,
    spool: Spool,
    remembered: Remembered,
    left_out: Counter[str],
    recommended: Sequence[list[str]],
    gold: Sequence[list[str]],
    keep: Path | None,
    progress: Progress,
    note: Callable[[str], None],
) -> Iterator[Curve]:
    encoder = encoder_of(name, asked.pooling, spool, asked.seed, progress, note)
    about = About(name, encoder.fingerprint, encoder.pooling, max(*asked.ks, 1), asked.within, seed=asked.seed)
    kept = learnt(about, spool.read(), encoder, remembered, left_out, progress)
    if keep is not None:
        write_thesaurus(keep / _kept_as(name), kept)
    thesaurus = thesaurus_of(kept)
    for top in asked.tops:
        pairs = zip((each[:top] for each in recommended), gold, strict=True)
        points = evaluate(pairs, thesaurus, asked.ks, asked.weights)
        yield Curve(called(name), top, tuple(each.to_dict() for each in points))


def encoder_of(
    name: str, pooling: Pooling, spool: Spool, seed: int, progress: Progress, note: Callable[[str], None]
) -> TweetEncoder:
    """The encoder of this name: one that is there, or a model of words that is trained on these tweets."""
    if is_word_model(name):
        return word_model(name, spool, seed, progress)
    return of_transformer(name, pooling, note)


def _kept_as(name: str) -> str:
    return f"{called(name).replace('/', '-')}.parquet"


def _check_keep(folder: Path, asked: Experiment) -> None:
    """Make the folder, and refuse at once what could not be written there at the end."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except FileExistsError:
        raise FileError(f"{folder}: this is a file; name a folder") from None
    except OSError as error:
        raise cannot_write(folder, error) from None
    lists = ("gold.txt", *(f"recommended-{top}.txt" for top in asked.tops))
    for name in (*lists, *(_kept_as(each) for each in asked.encoders)):
        check_place(folder / name)
        spare(folder / name, asked.sources)


def _keep_lists(folder: Path, recommended: Sequence[list[str]], gold: Sequence[list[str]], tops: Sequence[int]) -> None:
    for name, lists in {"gold": gold, **{f"recommended-{top}": [each[:top] for each in recommended] for top in tops}}.items():
        with replaced(folder / f"{name}.txt") as stream:
            stream.write("".join(f"{' '.join(each)}\n" for each in lists).encode())
