"""The experiment of section 4 of the paper: the curves of figure 3 for files of tweets.

Tweets are split into training and test tweets, hashtags are recommended for the test tweets, and the recommendations are
evaluated with the thesaurus of each encoder. The recommender learns from the training tweets only. The thesauri are trained on
all tweets, as in the paper (its set T): they evaluate recommendations and are not evaluated themselves.
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
"""The kind of its runs in the ledger."""

TOPS = (1, 5, 10)
"""The numbers of recommended hashtags in figure 3 of the paper."""

TEST_SHARE = 0.1
"""The share of the tweets that are test tweets in the paper."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment.

    - ``sources``: the files of tweets
    - ``encoders``: names of word models, or of transformers
    - ``ks``, ``tops``: the numbers of synonyms, and of recommended hashtags
    - ``pooling``: how a transformer's token vectors become a tweet vector
    - ``within``: the greatest cosine distance of synonyms
    - ``weights``: how much hits by synonyms count
    - ``similar``, ``popularity``: the options of the recommender
    - ``tested``: the share of the tweets that are test tweets
    - ``seed``: of the split, and of word models
    - ``column``: the column, or JSON field, of the texts, if it has an uncommon name
    """

    sources: tuple[str, ...]
    encoders: tuple[str, ...]
    ks: tuple[int, ...] = KS
    tops: tuple[int, ...] = TOPS
    pooling: Pooling = "mean"
    within: float | None = None
    weights: Weights = "none"
    similar: float = SIMILAR
    popularity: Popularity = "similar"
    tested: float = TEST_SHARE
    seed: int = 0
    column: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the experiment without its seed as a plain dictionary, ready for JSON."""
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        del plain["seed"]
        return plain

    @classmethod
    def from_run(cls, parameters: Mapping[str, Any], seed: int | None) -> Experiment:
        """Restore the experiment of a run."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in parameters.items()
        }
        return cls(**values, seed=seed or 0)

    def to_request(self) -> RunRequest:
        """Return the request for the ledger."""
        files = describe_files(map(Path, (*self.sources, *self.encoders)))
        return RunRequest(KIND, self.to_dict(), "", [], self.seed, {"files": files})


def run_experiment(
    experiment: Experiment,
    tweets: Iterable[CleanTweet],
    left_out: Counter[str],
    ledger: Ledger | None = None,
    folder: Path | None = None,
    progress: Progress = no_progress,
    note: Callable[[str], None] = lambda _: None,
) -> ExperimentResult:
    """Run an experiment over cleaned tweets.

    Args:
        experiment: The experiment.
        tweets: The cleaned tweets of its sources; read once.
        left_out: The tweets that are left out, counted by code; complete when ``tweets`` has been read.
        ledger: Records the run.
        folder: Where to write the recommendations, the gold hashtags and the thesauri.
        progress: Receives the progress.
        note: Receives notes for the user, one line each.

    Raises:
        TweetsInvalid: Fewer than two tweets are fit for training.
        FileError: The folder cannot be written.
    """
    for name in experiment.encoders:
        if not is_word_model(name):
            locate_encoder(name, note)
    if folder is not None:
        _check_folder(folder, experiment)
    with ExampleSpool() as spool, nullcontext() if ledger is None else ledger.record(experiment.to_request()) as recording:
        memory = TweetMemory()
        count = spool.fill(tweets, memory, left_out)
        if count < 2:
            raise TweetsInvalid(f"an experiment needs at least two tweets with hashtags; these files have {count}")
        examples = [each for batch in spool.read() for each in batch]
        training, test = split_tweets(count, experiment.tested, experiment.seed)
        gold = [list(examples[number].hashtags) for number in test]
        recommended = _recommend(experiment, examples, training, test, progress)
        if folder is not None:
            _write_lists(folder, recommended, gold, experiment.tops)
        curves: list[Curve] = []
        for name in experiment.encoders:
            note(f"the thesaurus of {name}")
            curves += _curves(experiment, name, spool, memory, left_out, recommended, gold, folder, progress, note)
        result = ExperimentResult(
            name=", ".join(Path(each).name for each in experiment.sources),
            tweets=count,
            training=len(training),
            test=len(test),
            hashtags=len({hashtag for each in examples for hashtag in each.hashtags}),
            uses=sum(len(each.hashtags) for each in examples),
            curves=tuple(curves),
            left_out={code: number for code, number in left_out.items() if number},
            parameters=experiment.to_dict(),
            run=None if recording is None else recording.id,
        )
        if recording is not None:
            recording.finish(result.to_dict())
    return result


def split_tweets(count: int, tested: float, seed: int) -> tuple[list[int], list[int]]:
    """Split the numbers of tweets at random into those for training and those for testing, each in ascending order.

    >>> training, test = split_tweets(20, 0.1, 7)
    >>> len(training), len(test), sorted(training + test) == list(range(20))
    (18, 2, True)
    """
    size = min(max(round(count * tested), 1), count - 1)
    shuffled = np.random.default_rng(seed & (1 << 64) - 1).permutation(count)
    return sorted(shuffled[size:].tolist()), sorted(shuffled[:size].tolist())


def _recommend(
    experiment: Experiment, tweets: Sequence[CleanTweet], training: Sequence[int], test: Sequence[int], progress: Progress
) -> list[list[str]]:
    """Recommend hashtags for each test tweet, as many as the largest of ``tops``."""
    with ExampleSpool() as spool:
        spool.write([[tweets[number] for number in training]])
        model = train("word2vec", spool.words, experiment.seed, progress)
    known = [(tweets[number].words, tweets[number].hashtags) for number in training]
    recommender = Recommender(model.encode_texts, known, experiment.similar, experiment.popularity)
    return recommender.recommend([tweets[number].words for number in test], max(experiment.tops), progress)


def _curves(
    experiment: Experiment,
    name: str,
    spool: ExampleSpool,
    memory: TweetMemory,
    left_out: Counter[str],
    recommended: Sequence[list[str]],
    gold: Sequence[list[str]],
    folder: Path | None,
    progress: Progress,
    note: Callable[[str], None],
) -> Iterator[Curve]:
    """Train the thesaurus of one encoder, and yield the curve of each number of recommended hashtags."""
    encoder = make_encoder(name, experiment.pooling, spool, experiment.seed, progress, note)
    k = max(*experiment.ks, 1)
    about = ThesaurusInfo(name, encoder.fingerprint, encoder.pooling, k, experiment.within, seed=experiment.seed)
    trained = train_thesaurus(about, spool.read(), encoder, memory, left_out, progress)
    if folder is not None:
        write_thesaurus(folder / _thesaurus_name(name), trained)
    thesaurus = to_thesaurus(trained)
    for top in experiment.tops:
        pairs = zip((each[:top] for each in recommended), gold, strict=True)
        points = evaluate(pairs, thesaurus, experiment.ks, experiment.weights)
        yield Curve(encoder_label(name), top, tuple(each.to_dict() for each in points))


def make_encoder(
    name: str, pooling: Pooling, spool: ExampleSpool, seed: int, progress: Progress, note: Callable[[str], None]
) -> TweetEncoder:
    """Open a transformer, or train a word model on the tweets of the spool."""
    if is_word_model(name):
        return train_word_model(name, spool, seed, progress)
    return transformer_encoder(name, pooling, note)


def _thesaurus_name(name: str) -> str:
    return f"{encoder_label(name).replace('/', '-')}.parquet"


def _check_folder(folder: Path, experiment: Experiment) -> None:
    """Create the folder, and raise before the work if one of the files cannot be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except FileExistsError:
        raise FileError(f"{folder}: this is a file; name a folder") from None
    except OSError as error:
        raise write_error(folder, error) from None
    lists = ("gold.txt", *(f"recommended-{top}.txt" for top in experiment.tops))
    for name in (*lists, *(_thesaurus_name(each) for each in experiment.encoders)):
        check_writable(folder / name)
        check_not_source(folder / name, experiment.sources)


def _write_lists(folder: Path, recommended: Sequence[list[str]], gold: Sequence[list[str]], tops: Sequence[int]) -> None:
    files = {"gold": gold, **{f"recommended-{top}": [each[:top] for each in recommended] for top in tops}}
    for name, lists in files.items():
        with atomic_write(folder / f"{name}.txt") as stream:
            stream.write("".join(f"{' '.join(each)}\n" for each in lists).encode())
