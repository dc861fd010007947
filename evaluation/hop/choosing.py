"""A strategy by its name, and what it needs: a WordNet of the same store, vectors of words, a seed."""

from __future__ import annotations

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

Words = Literal["title", "anchor"]


@dataclass(frozen=True, slots=True)
class Choice:
    """How links are chosen; each field changes what comes out.

    - ``strategy``: ``random``, ``first``, ``second``, ``wordnet`` or ``vectors``
    - ``seed``: of ``random``
    - ``vectors``, ``vocabulary``: the files of ``vectors``
    - ``lexicon``: the base of ``wordnet``
    - ``words``: whether the title of the article counts that a link leads to, or its anchor
    - ``per_word``: whether the words' cosines are averaged instead of their vectors
    - ``first_sense``: whether a noun means its most used sense alone
    """

    strategy: str = "first"
    seed: int = 0
    vectors: str | None = None
    vocabulary: str | None = None
    lexicon: str = "wordnet"
    words: Words = "title"
    per_word: bool = False
    first_sense: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Those of the fields that matter to this strategy."""
        matter = {"random": ("seed",), "vectors": ("vectors", "vocabulary", "words", "per_word")}
        matter["wordnet"] = ("lexicon", "words", "first_sense")
        return {
            name: value for name, value in asdict(self).items() if name in matter.get(self.strategy, ()) and value is not None
        }

    def files(self) -> list[Any]:
        """What tells the files of this choice from others."""
        return [file_facts(Path(each)) for each in (self.vectors, self.vocabulary) if each is not None]

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
        raise StrategyUnknown(f"no strategy is called {self.strategy!r}; choose of {', '.join(STRATEGIES)}")

    def _scored(self, world: World, meaning: Meaning) -> Scored:
        return Scored(self.strategy, (ByAnchor if self.words == "anchor" else ByTitle)(world, meaning))
