"""A strategy by its name, and what it needs: a WordNet of the same store, vectors of words, a seed."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from ...embeddings.wordvectors import WordVectors
from ...graph.files import file_facts
from ...graph.store import Progress, silent
from ...search.opening import open_view
from ..errors import StrategyUnknown
from . import STRATEGIES
from .meaning import ByAnchor, ByTitle, Meaning, by_nouns, by_vectors
from .nouns import Nouns
from .strategies import Ordinal, Random, Scored, Strategy

if TYPE_CHECKING:
    from ...graph.store import Store
    from ...search.wordnet_projection import WordNetProjection
    from ...search.world import World
    from .contextual import InContext

Words = Literal["title", "anchor"]


def _say(note: str) -> None:
    """Say it at once, also to those who want no notes: nothing is fetched behind anybody's back."""
    sys.stderr.write(f"{note}\n")
    sys.stderr.flush()


@dataclass(frozen=True, slots=True)
class Choice:
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
        """Those of the fields that matter to this strategy."""
        matter = {"random": ("seed",), "vectors": ("vectors", "vocabulary", "words", "per_word")}
        matter |= {"wordnet": ("lexicon", "words", "first_sense"), "contextual": ("encoder",)}
        return {
            name: value for name, value in asdict(self).items() if name in matter.get(self.strategy, ()) and value is not None
        }

    def files(self) -> list[Any]:
        """What tells the files of this choice from others."""
        named = [Path(each) for each in (self.vectors, self.vocabulary) if each is not None]
        if self.encoder is not None and Path(self.encoder).is_dir():
            named += sorted(each for each in Path(self.encoder).iterdir() if each.is_file())
        return [file_facts(each) for each in named]

    def open(self, store: Store, world: World, target: str, progress: Progress = silent) -> Strategy:
        """The strategy over a world, on the way to a target."""
        match self.strategy:
            case "first" | "second":
                return Ordinal(self.strategy, ("first", "second").index(self.strategy))
            case "random":
                return Random(world, self.seed)
            case "wordnet":
                view = open_view(store, self.lexicon, progress=progress)
                if not view.by_words:
                    kind = next(each.kind for each in store.bases() if each.id == self.lexicon)
                    raise StrategyUnknown(f"the base {self.lexicon!r} is a {kind}; name a WordNet with --lexicon")
                lexicon = cast("WordNetProjection", view)
                return self._scored(world, by_nouns(Nouns(lexicon, target, first_sense=self.first_sense)))
            case "vectors":
                if self.vectors is None:
                    raise StrategyUnknown("the strategy vectors needs a file of word vectors; name one with --vectors FILE")
                return self._scored(
                    world, by_vectors(WordVectors.open(self.vectors, self.vocabulary), target, per_word=self.per_word)
                )
            case "contextual":
                return Scored(self.strategy, self._in_context(store, world, target, progress))
        raise StrategyUnknown(f"no strategy is called {self.strategy!r}; choose of {', '.join(STRATEGIES)}")

    def _in_context(self, store: Store, world: World, target: str, progress: Progress) -> InContext:
        from platformdirs import user_cache_path

        from ...embeddings.encoder import Encoder
        from ...embeddings.vectorcache import VectorCache
        from .contextual import InContext, check_openings

        if self.encoder is None:
            raise StrategyUnknown("the strategy contextual needs an encoder; name a folder or a model with --encoder NAME")
        check_openings(store, world)
        encoder = Encoder.open(self.encoder, _say)
        cache = VectorCache(user_cache_path("wayword", appauthor=False) / "vectors" / f"{encoder.fingerprint}.sqlite")
        if cache.broken:
            _say(f"vectors are not kept for the next time: {cache.broken}")
        return InContext(store, world, encoder, cache, target, progress)

    def _scored(self, world: World, meaning: Meaning) -> Scored:
        return Scored(self.strategy, (ByAnchor if self.words == "anchor" else ByTitle)(world, meaning))
