"""What a question about two phrases gives back: plain frozen records that know how to show themselves.

The records hold the unrounded figures; everything that rounds or draws them is in ``rendering``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from ..core.normalization import normalise
from .bases.registry import find_phrase_search

if TYPE_CHECKING:
    from os import PathLike

    import networkx as nx


@dataclass(frozen=True, slots=True)
class Step:
    """One entity on a path and the transition that led to it.

    - ``id``: the entity's id in the graph, such as ``wordnet:02086723-n``
    - ``name``: one of its words; at the ends of a path the one by which the phrase found it
    - ``gloss``: what it means, if the base says so
    - ``step``: the kind of the transition (``derivation``, ``specialisation``, ...); None for the entity a path starts from
    - ``breadth``: how many kinds the more general of the two entities has; None for other steps than up and down
    - ``factor``: what the transition keeps
    - ``score``: what is left of the whole so far
    - ``word``: the word of the entity to which a derivation leads
    - ``label``: what the entity is in the graph: ``Synset``, ``Article`` or ``Category``
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

    @property
    def title(self) -> str:
        """The name as people read it: with a word that tells a category from an article of the same name.

        >>> Step("wiki:Category:Oranges", "Oranges", label="Category").title
        'Category:Oranges'
        """
        return f"{self._title_prefix}{self.name}"

    @property
    def is_group(self) -> bool:
        """Whether the entity is a group of others, as a category is, and not a thing with a name of its own."""
        return bool(self._title_prefix)

    @property
    def _title_prefix(self) -> str:
        found = find_phrase_search(self.label)
        return "" if found is None else found.title_prefixes.get(self.label, "")

    @property
    def kind(self) -> str:
        """The kind of the transition as people read it: a derivation with the word it leads to, unless that names the entity.

        >>> Step("wordnet:10559646-n", "rotter", step="derivation", word="puke").kind
        'derivation (puke)'
        """
        kind = self.step or ""
        return f"{kind} ({self.word})" if self.word and normalise(self.name) != self.word else kind


@dataclass(frozen=True, slots=True)
class AspectMatch:
    """How well one aspect of the substitute stands in for one aspect of the substitutee, and by which path.

    - ``substitute``, ``substitutee``: the two aspects, each a phrase or the part of one that was looked up as a whole
    - ``score``: what the best path keeps, from 0 to 1
    - ``path``: its steps, from an entity of the substitute to one of the substitutee; empty where there is none
    """

    substitute: str
    substitutee: str
    score: float
    path: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """How well a substitute stands in for a substitutee.

    - ``substitute``, ``substitutee``: the two phrases as they were asked
    - ``score``: from 0 to 1, not rounded; the harmonic mean of the scores of ``matches``
    - ``bases``: where it was looked up
    - ``profile``: the name of the set of parameters
    - ``threshold``: below this score no path was followed
    - ``derivation``: how derivation was read, ``word`` or ``synset``; None where no base has any, as in wikis alone
    - ``parameters``: all other figures that the score depends on, by name
    - ``unknown``: the phrases for which the bases know nothing: their score of 0 says nothing about meaning
    - ``matches``: the pairs of aspects that were chosen to cover both phrases, best first
    - ``depth_limited``: whether the first base was asked alone, and the others only if it found nothing
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

    @property
    def path(self) -> tuple[Step, ...]:
        """The path of the best pair of aspects; empty where nothing was found."""
        return self.matches[0].path if self.matches else ()

    @property
    def aspect_matches(self) -> tuple[AspectMatch, ...]:
        """The ``matches``; where there are none, the two phrases as wholes, without a path."""
        return self.matches or (AspectMatch(self.substitute, self.substitutee, 0.0),)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists, ready for JSON."""
        plain = asdict(self)
        plain["bases"], plain["unknown"] = list(self.bases), list(self.unknown)
        plain["parameters"] = dict(self.parameters)
        plain["matches"] = [{**each, "path": list(each["path"])} for each in plain["matches"]]
        return plain

    def to_networkx(self) -> nx.DiGraph:
        """The paths as one directed graph: a node for each entity, an edge for each transition."""
        from .presentation.match_graph import to_networkx

        return to_networkx(self)

    def draw(self, file: str | PathLike[str]) -> None:
        """Draw the paths to a file; its ending says how: .svg, .png, .dot or .graphml."""
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
    """An entity that a phrase may mean, the label that leads to it, and how common that is.

    - ``id``, ``name``, ``gloss``: the entity, as in a ``Step``
    - ``label``, ``pos``: the word that leads to it, without inflection, and its part of speech (n, v, a or r; None in a wiki)
    - ``uses``: how often the word was counted in this sense, or links of a wiki use it for this article
    - ``prior``: which share of the word's uses this is
    - ``rank``: the place of this sense among those of the word, as the lexicon orders them or, in a wiki, by their uses
    """

    id: str
    name: str
    gloss: str | None
    label: str
    pos: str | None
    uses: int
    prior: float
    rank: int


@dataclass(frozen=True, slots=True)
class AspectTargets:
    """One aspect of a phrase and its target set.

    - ``text``: the phrase, or a part of it, without case and accents
    - ``targets``: the entities that it may mean
    """

    text: str
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Senses:
    """How a phrase was split into aspects, and what each of them may mean.

    - ``phrase``: as it was asked
    - ``bases``: where it was looked up
    - ``aspects``: its parts from left to right, often one alone; none where nothing is known of the phrase
    """

    phrase: str
    bases: tuple[str, ...]
    aspects: tuple[AspectTargets, ...] = ()

    @property
    def unknown(self) -> bool:
        """Whether the bases know nothing of the phrase."""
        return not self.aspects

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists, ready for JSON."""
        plain = asdict(self)
        plain["bases"], plain["unknown"] = list(self.bases), self.unknown
        plain["aspects"] = [{**each, "targets": list(each["targets"])} for each in plain["aspects"]]
        return plain

    def __str__(self) -> str:
        from .presentation.senses import senses_text

        return senses_text(self)

    def _repr_html_(self) -> str:
        from .presentation.senses import senses_html

        return senses_html(self)
