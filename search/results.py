"""The results of scoring a pair of phrases and of looking up the senses of a phrase: frozen records.

The records hold every fact, unrounded; ``to_dict`` returns all of them for JSON, and ``presentation`` turns them into text,
pictures and graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

from ..core.normalisation import normalise
from ..rendering.tabular import Rows, Tabular
from .bases.registry import find_phrase_search

if TYPE_CHECKING:
    from os import PathLike

    import networkx as nx


@dataclass(frozen=True, slots=True)
class Step:
    """One entity of a path, and the transition that leads to it.

    - ``id``: the entity's id in the graph, such as ``wordnet:02086723-n``
    - ``name``: the name of the entity; at the ends of a path the label that matched the phrase, if it is one of its names
    - ``gloss``: the definition of the entity, None if the base has none
    - ``step``: the kind of the transition, ``TransitionKind.step`` (``derivation``, ``specialisation``, ...); None for the
      first entity of a path
    - ``breadth``: the number of entities below the more general one; None unless the step is a specialisation or generalisation
    - ``factor``: the transition score, from 0 to 1; 1 for the first entity
    - ``score``: the product of the factors up to here, times the weight of the sense with which the path begins
    - ``word``: the word that a derivation leads to, None for other steps
    - ``label``: the entity's label in the graph, such as ``Synset``, ``Article`` or ``Category``
    - ``kind``: the ``TransitionKind`` in lower case, which decides about the parameters of the factor: ``verb_specialisation``
      is one kind of ``specialisation``; None for the first entity of a path
    - ``changes_pos``: whether the step leads to another part of speech
    - ``share``: of a specialisation or generalisation (1 + all that is below the narrower entity) / (1 + all that is below the
      broader one); of other steps in a WordNet, if ``ic_aside`` is above 0, 1 / (1 + all that is below this entity); else None
    """

    id: str
    name: str
    gloss: str | None = None
    step: str | None = None
    breadth: int | None = None
    factor: float = 1.0
    score: float = 1.0
    word: str | None = None
    label: str = "Synset"
    kind: str | None = None
    changes_pos: bool = False
    share: float | None = None

    @property
    def is_between_categories(self) -> bool:
        """Whether the step is up or down the categories of a wiki, which may have parameters of its own."""
        return self.kind in ("category_specialisation", "category_generalisation")

    @property
    def title(self) -> str:
        """The name with a prefix if the node label has one, so that a category differs from an article of the same name.

        >>> Step("wiki:Category:Oranges", "Oranges", label="Category").title
        'Category:Oranges'
        """
        return f"{self._title_prefix}{self.name}"

    @property
    def is_group(self) -> bool:
        """Whether the entity is a group of others, as a category is: its node label has a title prefix."""
        return bool(self._title_prefix)

    @property
    def _title_prefix(self) -> str:
        phrases = find_phrase_search(self.label)
        return "" if phrases is None else phrases.title_prefixes.get(self.label, "")

    @property
    def step_text(self) -> str:
        """The step in words, with the word that a derivation leads to unless that is the name of the entity.

        >>> Step("wordnet:10559646-n", "rotter", step="derivation", word="puke").step_text
        'derivation (puke)'
        >>> Step("wordnet:02961779-n", "car", step="part_of").step_text
        'part of'
        """
        step = (self.step or "").replace("_", " ")
        return f"{step} ({self.word})" if self.word and normalise(self.name) != self.word else step


@dataclass(frozen=True, slots=True)
class AspectMatch:
    """How well one aspect of the substitute stands in for one aspect of the substitutee.

    - ``substitute``, ``substitutee``: the two aspects, each a phrase or a part of one that was looked up as a whole
    - ``score``: the score of the best path, from 0 to 1; 0 if there is none
    - ``path``: its steps from an entity of the substitute to an entity of the substitutee; empty if there is none
    - ``substitute_weight``, ``substitutee_weight``: the weights of the senses at the two ends of the path, from 0 to 1: below 1
      for rare senses if ``rank_power`` or ``uses_power`` is above 0
    - ``antonym``: the parameter ``antonym`` if the aspects are antonyms, otherwise 1. The score is the product of this, both
      weights and all factors of the path
    - ``antonyms``: the two senses that are antonyms; empty if ``antonym`` is 1
    """

    substitute: str
    substitutee: str
    score: float
    path: tuple[Step, ...] = ()
    substitute_weight: float = 1.0
    substitutee_weight: float = 1.0
    antonym: float = 1.0
    antonyms: tuple[Step, ...] = ()


MissingCause = Literal["zero_step", "threshold", "unconnected"]
"""Why there is no path: every path has a step that keeps nothing, or falls below the threshold, or there is none."""


@dataclass(frozen=True, slots=True)
class MissingPath:
    """Why two aspects score 0: what a search without a threshold finds, which also follows steps that keep nothing.

    - ``substitute``, ``substitutee``: the two aspects
    - ``cause``: ``zero_step`` if every path has a step with a factor of 0; ``threshold`` if every other path falls below the
      threshold before its last step; ``unconnected`` if there is no path at all
    - ``path``: the best path of that search, of those with the fewest steps that keep nothing; empty if there is none
    - ``stop``: the index in ``path`` of the first step with a factor of 0, or of the first entity whose score is below the
      threshold; None if there is no path
    - ``zero_breadth``: the smallest breadth at which a generalisation keeps nothing; None if there is none
    - ``first_step``, ``last_step``: the best step out of the substitute, and into the substitutee: the entities where it begins
      and ends; empty if no step keeps anything; ``last_step`` is None in a live view of several bases, which cannot tell
    - ``reverse``: the score of the substitutee in place of the substitute
    - ``substitute_weight``, ``substitutee_weight``, ``antonym``, ``antonyms``: as in ``AspectMatch``
    """

    substitute: str
    substitutee: str
    cause: MissingCause
    path: tuple[Step, ...]
    stop: int | None
    zero_breadth: int | None
    first_step: tuple[Step, ...]
    last_step: tuple[Step, ...] | None
    reverse: float
    substitute_weight: float = 1.0
    substitutee_weight: float = 1.0
    antonym: float = 1.0
    antonyms: tuple[Step, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as dictionaries and lists for JSON."""
        plain = asdict(self)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}


@dataclass(frozen=True, slots=True)
class Match(Tabular):
    """How well a substitute stands in for a substitutee, with the paths that prove it.

    - ``substitute``, ``substitutee``: the two phrases as given
    - ``score``: the harmonic mean of the scores of ``matches``, from 0 to 1, not rounded; 0 if there are none
    - ``bases``: the names of the bases that were searched
    - ``profile``: the name or file of the profile that the parameters come from
    - ``threshold``: the stopping threshold: a node with a lower score was not expanded
    - ``derivation``: how derivation was read, ``word`` or ``synset``; None if no base has derivations between words
    - ``parameters``: all other parameters of the score by name, see ``Parameters``
    - ``unknown``: the phrases that the bases do not have: their score of 0 means unknown, not unrelated
    - ``matches``: the pairs of aspects that cover both phrases, best first; none if a phrase is unknown
    - ``depth_limited``: whether the other bases were searched only if the first one yielded a score of 0
    - ``judgement``: what people say on average of pairs with this score, from 0 to 10, when asked to what degree the
      substitutee is a kind of the substitute (HyperLex); None unless the profile is ``people``, unchanged, in a WordNet that
      knows both
    - ``missing_paths``: why pairs of aspects score 0, one for each of ``matches`` without a path; empty for a match that was
      pickled, or if its graph was closed and did not use a projection

    Whoever asks for scores only need not wait for paths to be described: ``describe_matches`` and ``find_missing_paths``, if
    they are given, return ``matches`` and ``missing_paths`` when these are first asked for.
    """

    substitute: str
    substitutee: str
    score: float
    bases: tuple[str, ...]
    profile: str
    threshold: float
    derivation: str | None
    parameters: Mapping[str, float | bool] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    matches: tuple[AspectMatch, ...] = ()
    depth_limited: bool = False
    judgement: float | None = None
    missing_paths: tuple[MissingPath, ...] = field(default=(), repr=False, compare=False)
    describe_matches: Callable[[], tuple[AspectMatch, ...]] | None = field(default=None, repr=False, compare=False)
    find_missing_paths: Callable[[], tuple[MissingPath, ...]] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, find in (("matches", self.describe_matches), ("missing_paths", self.find_missing_paths)):
            if find is not None:
                object.__delattr__(self, name)  # so that ``__getattr__`` is called for it

    if not TYPE_CHECKING:  # else type checkers would allow every name

        def __getattr__(self, name: str) -> Any:
            if name not in ("matches", "missing_paths"):
                raise AttributeError(name)
            found = self.describe_matches() if name == "matches" else self.find_missing_paths()
            object.__setattr__(self, name, found)
            return found

    def __reduce__(self) -> tuple[Callable[..., Match], tuple[Any, ...]]:
        values = (getattr(self, each.name) for each in fields(self) if each.compare)
        return Match, tuple(dict(each) if isinstance(each, Mapping) else each for each in values)

    @property
    def path(self) -> tuple[Step, ...]:
        """The path of the best pair of aspects; empty if there is none."""
        return self.matches[0].path if self.matches else ()

    @property
    def aspect_matches(self) -> tuple[AspectMatch, ...]:
        """The ``matches``; if there are none, the two phrases as wholes, without a path."""
        return self.matches or (AspectMatch(self.substitute, self.substitutee, 0.0),)

    def to_dict(self) -> dict[str, Any]:
        """Return the match as dictionaries and lists for JSON."""
        plain = asdict(self)
        del plain["describe_matches"], plain["find_missing_paths"]
        plain["missing_paths"] = [each.to_dict() for each in self.missing_paths]
        plain["bases"], plain["unknown"] = list(self.bases), list(self.unknown)
        plain["parameters"] = dict(self.parameters)
        plain["matches"] = [
            {**each, "path": list(each["path"]), "antonyms": list(each["antonyms"])} for each in plain["matches"]
        ]
        return plain

    def _rows(self) -> Rows:
        names = ("substitute", "substitutee", "score", "step", "breadth", "factor", "entity", "id", "meaning")
        rows = [
            (
                pair.substitute,
                pair.substitutee,
                step.score,
                step.step,
                step.breadth,
                step.factor,
                step.name,
                step.id,
                step.gloss,
            )
            for pair in self.matches
            for step in pair.path
        ]
        return names, rows

    def to_networkx(self) -> nx.DiGraph:
        """Return the paths as one directed graph: a node for each entity, an edge for each transition."""
        from .presentation.match_graph import to_networkx

        return to_networkx(self)

    def draw(self, file: str | PathLike[str]) -> None:
        """Draw the paths to a file in the format of its suffix: .svg, .png, .pdf, .dot or .graphml.

        Raises:
            RenderError: The suffix is another one, or matplotlib is missing for .png or .pdf.
        """
        from .presentation import draw

        draw(self, file)

    def _repr_svg_(self) -> str:
        from .presentation.match_picture import to_svg

        return to_svg(self, style="max-width:100%;height:auto")

    def __str__(self) -> str:
        from .presentation.match_text import match_text

        return match_text(self)


@dataclass(frozen=True, slots=True)
class Target:
    """An entity that a phrase may mean, the label that leads to it, and how common that sense is.

    - ``id``, ``name``, ``gloss``: the entity, as in a ``Step``
    - ``label``: the label that matched, in a lexicon the base form of the word
    - ``pos``: the part of speech (n, v, a or r); None for bases without parts of speech
    - ``uses``: how often the label is used in this sense: occurrences counted by the lexicon, or links and titles of a wiki
    - ``prior``: the share of these in all uses of the label, from 0 to 1
    - ``rank``: the position of this sense among those of the label, from 1: as the lexicon orders them, or by uses in a wiki
    - ``weight``: the weight of the sense at an end of a path, from 0 to 1: below 1 for rare senses if ``rank_power`` or
      ``uses_power`` is above 0
    """

    id: str
    name: str
    gloss: str | None
    label: str
    pos: str | None
    uses: int
    prior: float
    rank: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class AspectTargets:
    """One aspect of a phrase and its target set.

    - ``text``: the phrase, or a part of it, normalised
    - ``targets``: the entities that it may mean, in the order of the base
    """

    text: str
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Senses(Tabular):
    """How a phrase is split into aspects, and what each of them may mean.

    - ``phrase``: the phrase as given
    - ``bases``: the names of the bases that were searched
    - ``aspects``: its parts from left to right, often only one; none if the phrase is unknown
    """

    phrase: str
    bases: tuple[str, ...]
    aspects: tuple[AspectTargets, ...] = ()

    @property
    def unknown(self) -> bool:
        """Whether the bases do not have the phrase."""
        return not self.aspects

    def to_dict(self) -> dict[str, Any]:
        """Return the senses as dictionaries and lists for JSON."""
        plain = asdict(self)
        plain["bases"], plain["unknown"] = list(self.bases), self.unknown
        plain["aspects"] = [{**each, "targets": list(each["targets"])} for each in plain["aspects"]]
        return plain

    def _rows(self) -> Rows:
        names = ("aspect", "entity", "pos", "label", "uses", "prior", "id", "meaning")
        rows = [
            (aspect.text, each.name, each.pos, each.label, each.uses, each.prior, each.id, each.gloss)
            for aspect in self.aspects
            for each in aspect.targets
        ]
        return names, rows

    def __str__(self) -> str:
        from .presentation.senses import senses_text

        return senses_text(self)

    def _repr_html_(self) -> str:
        from .presentation.senses import senses_html

        return senses_html(self)
