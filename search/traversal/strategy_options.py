"""A strategy by its name, and what it needs: a WordNet of the same store, vectors of words, a seed."""

from __future__ import annotations

import glob
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

from ...core.atomic_files import describe_file
from ...core.progress import Progress, no_progress
from ...embeddings.vector_files import open_vectors
from ..bases.selection import choose_base_of_kind, open_view
from ..bases.wordnet.kind import WORDNET
from ..errors import RulesInvalid, StrategyUnknown
from .noun_similarity import NounSimilarity
from .strategies import STRATEGIES, NearestLink, NthLink, RandomLink, SharedVocabulary, Strategy
from .title_similarity import AnchorSimilarity, TextSimilarity, TitleSimilarity, noun_text_similarity, vector_text_similarity

if TYPE_CHECKING:
    from ...graph.store import Store
    from ..bases.wordnet.projection import WordNetProjection
    from .contextual_similarity import ContextualSimilarity
    from .link_graph import LinkGraph

Words = Literal["title", "anchor"]


_FILES = ("vectors", "vocabulary", "encoder")
_MATTER = {
    "random": ("seed",),
    "vectors": ("vectors", "vocabulary", "words", "per_word"),
    "wordnet": ("lexicon", "words", "first_sense"),
    "contextual": ("encoder",),
}
"""What a strategy goes by, beside its name."""


def _placed(file: str) -> str:
    """Where a file is, if it is one; an encoder may be called by its name."""
    place = Path(file).expanduser()
    return str(place.resolve()) if place.exists() else file


def _say(note: str) -> None:
    """Say it at once, also to those who want no notes: nothing is fetched behind anybody's back."""
    sys.stderr.write(f"{note}\n")
    sys.stderr.flush()


class StrategyKeywords(TypedDict, total=False):
    """The fields of ``StrategyOptions`` as keyword arguments."""

    strategy: str
    seed: int
    vectors: str | None
    vocabulary: str | None
    encoder: str | None
    lexicon: str
    words: Words
    per_word: bool
    first_sense: bool


@dataclass(frozen=True, slots=True)
class StrategyOptions:
    """How links are chosen; each field changes what comes out.

    - ``strategy``: ``random``, ``first``, ``second``, ``wordnet``, ``vectors`` or ``contextual``
    - ``seed``: of ``random``
    - ``vectors``, ``vocabulary``: the files of ``vectors``
    - ``encoder``: the transformer of ``contextual``: a folder, or a name on Hugging Face
    - ``lexicon``: the base of ``wordnet``
    - ``words``: whether the title of the article counts that a link leads to, or its anchor
    - ``per_word``: whether the words' cosines are averaged instead of their vectors
    - ``first_sense``: whether a noun means its most used sense alone
    """

    strategy: str = "first"
    seed: int = 0
    vectors: str | None = None
    vocabulary: str | None = None
    encoder: str | None = None
    lexicon: str = "wordnet"
    words: Words = "title"
    per_word: bool = False
    first_sense: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Those of the fields that matter to this strategy; files by where they are, from wherever that is read."""
        plain = {name: value for name, value in asdict(self).items() if name in self._matter and value is not None}
        return {name: _placed(value) if name in _FILES else value for name, value in plain.items()}

    @property
    def _matter(self) -> tuple[str, ...]:
        return _MATTER.get(self.strategy, ())

    def check(self) -> None:
        """Refuse what cannot be, and what would be said to no purpose."""
        if self.strategy not in STRATEGIES:
            raise StrategyUnknown(f"no strategy is called {self.strategy!r}; choose of {', '.join(STRATEGIES)}")
        if self.words not in ("title", "anchor"):
            raise RulesInvalid(f"{self.words!r} is nothing that a link has; choose title or anchor")
        if not -(1 << 63) <= self.seed < 1 << 63:
            raise RulesInvalid(f"the seed {self.seed} is too large; take one of 64 bits")
        usual = StrategyOptions(self.strategy)
        for name, value in asdict(self).items():
            if name not in ("strategy", "seed", *self._matter) and value != getattr(usual, name):
                others = ", ".join(each for each, fields in _MATTER.items() if name in fields)
                raise RulesInvalid(f"{name.replace('_', '-')} goes with the strategy {others}, not with {self.strategy}")

    def files(self) -> list[Any]:
        """What tells the files of this choice from others, with those that lie beside vectors and belong to them."""
        found: list[Path] = []
        for name in _FILES:
            place = Path(str(getattr(self, name))).expanduser()
            if name in self._matter and place.is_dir():
                found += sorted(each for each in place.iterdir() if each.is_file())
            elif name in self._matter and place.is_file():
                found += sorted(each for each in place.parent.glob(f"{glob.escape(place.stem)}.*") if each.is_file())
                found += [place]
        return [describe_file(each) for each in dict.fromkeys(found)]

    def open(self, store: Store, world: LinkGraph, target: str, progress: Progress = no_progress) -> Strategy:
        """The strategy over a world, on the way to a target."""
        self.check()
        match self.strategy:
            case "first" | "second":
                return NthLink(self.strategy, ("first", "second").index(self.strategy))
            case "random":
                return RandomLink(world, self.seed)
            case "wordnet":
                wordnet = choose_base_of_kind(store, WORDNET, [self.lexicon])
                lexicon = cast("WordNetProjection", open_view(store, wordnet.id, progress=progress))
                return self._scored(world, noun_text_similarity(NounSimilarity(lexicon, target, first_sense=self.first_sense)))
            case "vectors":
                if self.vectors is None:
                    raise StrategyUnknown("the strategy vectors needs a file of word vectors; name one with --vectors FILE")
                return self._scored(
                    world, vector_text_similarity(open_vectors(self.vectors, self.vocabulary), target, per_word=self.per_word)
                )
        return NearestLink(self.strategy, self._in_context(store, world, target, progress))

    def _in_context(self, store: Store, world: LinkGraph, target: str, progress: Progress) -> ContextualSimilarity:
        from platformdirs import user_cache_path

        from ...embeddings.encoders.cache import VectorCache
        from ...embeddings.encoders.transformer import Encoder
        from .contextual_similarity import ContextualSimilarity, check_openings

        if self.encoder is None:
            raise StrategyUnknown("the strategy contextual needs an encoder; name a folder or a model with --encoder NAME")
        check_openings(store, world)
        encoder = Encoder.open(self.encoder, _say)
        cache = VectorCache(user_cache_path("wayword", appauthor=False) / "vectors" / f"{encoder.fingerprint}.sqlite")
        if cache.broken:
            _say(f"vectors are not kept for the next time: {cache.broken}")
        return ContextualSimilarity(store, world, encoder, cache, target, progress)

    def _scored(self, world: LinkGraph, meaning: TextSimilarity) -> NearestLink:
        return NearestLink(self.strategy, (AnchorSimilarity if self.words == "anchor" else TitleSimilarity)(world, meaning))


def open_strategy(
    choice: StrategyOptions,
    vocabularies: Sequence[StrategyOptions],
    store: Store,
    world: LinkGraph,
    target: str,
    progress: Progress = no_progress,
) -> Strategy:
    """The strategy of a choice, kept to links of which each of the vocabularies knows something."""
    chosen = choice.open(store, world, target, progress)
    others = [each.open(store, world, target, progress) for each in vocabularies]
    known = [each for each in others if isinstance(each, NearestLink)]
    return SharedVocabulary(chosen, known) if known else chosen
