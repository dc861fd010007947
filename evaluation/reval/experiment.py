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

from ...core.atomic_files import FileError, atomic_write, check_writable, describe_files, write_error
from ...core.progress import Progress, no_progress
from ...embeddings.encoders.transformer import locate_encoder
from ...embeddings.errors import TweetsInvalid
from ...embeddings.hashtags.encoders import encoder_label, is_word_model, transformer_encoder
from ...embeddings.hashtags.thesaurus_file import ThesaurusInfo, check_not_source, write_thesaurus
from ...embeddings.hashtags.training import ExampleSpool, TweetMemory, to_thesaurus, train_thesaurus, train_word_model
from ...embeddings.hashtags.word_models import train
from ..runs.recording import RunRequest
from . import KS
from .batch_measures import evaluate
from .experiment_result import Curve, ExperimentResult
from .recommender import SIMILAR, Popularity, Recommender

if TYPE_CHECKING:
    from ...embeddings.encoders.transformer import Pooling
    from ...embeddings.hashtags.cleaning import CleanTweet
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

    def asked(self) -> RunRequest:
        """How the ledger is told of it."""
        files = describe_files(map(Path, (*self.sources, *self.encoders)))
        return RunRequest(KIND, self.to_dict(), "", [], self.seed, {"files": files})


def run_experiment(
    asked: Experiment,
    tweets: Iterable[CleanTweet],
    left_out: Counter[str],
    ledger: Ledger | None = None,
    keep: Path | None = None,
    progress: Progress = no_progress,
    note: Callable[[str], None] = lambda _: None,
) -> ExperimentResult:
    """Carry out an experiment over cleaned tweets; ``left_out`` is what was left out of them, complete once all are read.

    ``keep`` names a folder for the recommendations, the gold hashtags and the thesauri.
    """
    for name in asked.encoders:
        if not is_word_model(name):
            locate_encoder(name, note)
    if keep is not None:
        _check_keep(keep, asked)
    with ExampleSpool() as spool, nullcontext() if ledger is None else ledger.record(asked.asked()) as recording:
        remembered = TweetMemory()
        count = spool.fill(tweets, remembered, left_out)
        if count < 2:
            raise TweetsInvalid(f"of these tweets {count} can be learnt from; an experiment needs two or more")
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
        outcome = ExperimentResult(
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
    asked: Experiment, tweets: Sequence[CleanTweet], training: Sequence[int], test: Sequence[int], progress: Progress
) -> list[list[str]]:
    """For each test tweet as many hashtags as are wanted at most."""
    with ExampleSpool() as spool:
        spool.write([[tweets[number] for number in training]])
        model = train("word2vec", spool.words, asked.seed, progress)
    known = [(tweets[number].words, tweets[number].hashtags) for number in training]
    recommender = Recommender(model.sentences, known, asked.similar, asked.popularity)
    return recommender.recommend([tweets[number].words for number in test], max(asked.tops), progress)


def _curves(
    asked: Experiment,
    name: str,
    spool: ExampleSpool,
    remembered: TweetMemory,
    left_out: Counter[str],
    recommended: Sequence[list[str]],
    gold: Sequence[list[str]],
    keep: Path | None,
    progress: Progress,
    note: Callable[[str], None],
) -> Iterator[Curve]:
    encoder = make_encoder(name, asked.pooling, spool, asked.seed, progress, note)
    about = ThesaurusInfo(name, encoder.fingerprint, encoder.pooling, max(*asked.ks, 1), asked.within, seed=asked.seed)
    kept = train_thesaurus(about, spool.read(), encoder, remembered, left_out, progress)
    if keep is not None:
        write_thesaurus(keep / _kept_as(name), kept)
    thesaurus = to_thesaurus(kept)
    for top in asked.tops:
        pairs = zip((each[:top] for each in recommended), gold, strict=True)
        points = evaluate(pairs, thesaurus, asked.ks, asked.weights)
        yield Curve(encoder_label(name), top, tuple(each.to_dict() for each in points))


def make_encoder(
    name: str, pooling: Pooling, spool: ExampleSpool, seed: int, progress: Progress, note: Callable[[str], None]
) -> TweetEncoder:
    """The encoder of this name: one that is there, or a model of words that is trained on these tweets."""
    if is_word_model(name):
        return train_word_model(name, spool, seed, progress)
    return transformer_encoder(name, pooling, note)


def _kept_as(name: str) -> str:
    return f"{encoder_label(name).replace('/', '-')}.parquet"


def _check_keep(folder: Path, asked: Experiment) -> None:
    """Make the folder, and refuse at once what could not be written there at the end."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except FileExistsError:
        raise FileError(f"{folder}: this is a file; name a folder") from None
    except OSError as error:
        raise write_error(folder, error) from None
    lists = ("gold.txt", *(f"recommended-{top}.txt" for top in asked.tops))
    for name in (*lists, *(_kept_as(each) for each in asked.encoders)):
        check_writable(folder / name)
        check_not_source(folder / name, asked.sources)


def _keep_lists(folder: Path, recommended: Sequence[list[str]], gold: Sequence[list[str]], tops: Sequence[int]) -> None:
    for name, lists in {"gold": gold, **{f"recommended-{top}": [each[:top] for each in recommended] for top in tops}}.items():
        with atomic_write(folder / f"{name}.txt") as stream:
            stream.write("".join(f"{' '.join(each)}\n" for each in lists).encode())
