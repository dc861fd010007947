"""The parameters of a score, the transition scores computed from them, and their named profiles."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..errors import ParameterError
from .transitions import ASIDE, FURTHER_KINDS, GENERALISATIONS, SPECIALISATIONS, TransitionKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .transitions import TransitionClass

DerivationReading = Literal["word", "synset"]
"""Derivation as a relation between words, or between the synsets that the pointers name."""


UNIT_INTERVAL = (
    *("sim", "der", "sp_min", "sp_max", "gn_max", "central", "crossing_on", "crossing_back"),
    *("der_word", "verb_down", "verb_up", "instance", "pos_change", *(kind.step for kind in FURTHER_KINDS)),
    *("wiki_sp_min", "wiki_sp_max", "wiki_gn_max", "prior_coverage", "prior_least", "antonym", "threshold"),
)
"""The parameters that must be from 0 to 1."""

WIKI = "wiki_"
"""How the names of the parameters begin that a wiki may have of its own."""

MAX_POWER = 16
"""The greatest exponent: far beyond use, yet no power of a breadth overflows."""

LEAST = {"antonym": 0.001}
"""The least values of parameters in ``UNIT_INTERVAL`` that cannot be 0: a score of 0 means that there is no path."""

MAX_BREADTH = 1 << 31
"""No entity has more children."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a score, named as in the thesis; the defaults are its initial values (table 5.5).

    Transition scores, from 0 to 1:

    - ``sim``: *Sim*, similar to and see also
    - ``der``: *Der*, derivation
    - ``sp_min``, ``sp_max``: *Sp_min* and *Sp_max* of specialisation, equation (3.2)
    - ``sp_power``: the exponent of the breadth in (3.2), there the cube root
    - ``gn_max``: *Gn_max* of generalisation, equation (3.3)
    - ``gn_scale``, ``gn_shift``, ``gn_power``: the numbers 1.1, 0.1 and 1.5 in (3.3); with a negative ``gn_shift`` a
      generalisation keeps at least ``-gn_max * gn_shift``, however many children the broader concept has
    - ``central``: Same between an article and the category that it is central to, away from the ends of a path (section 3.1.3);
      at the ends it is 1
    - ``crossing_on``, ``crossing_back``: inter-knowledge transitions to a base named later, and to one named earlier (section
      5.3.6)

    Further factors of transitions in a WordNet, not in the thesis, whose scores have them at 1:

    - ``der_word``: of derivation to a synset that the pointer does not name but that contains its word
    - ``verb_down``, ``verb_up``: of specialisation and generalisation between verbs
    - ``instance``: of specialisation to an instance, and generalisation from one
    - ``pos_change``: of every transition to another part of speech

    Further transitions in a WordNet, not in the thesis; those at 0 are not followed:

    - ``part_of``, ``member_of``, ``substance_of``: from a part to the whole, from a member to the group, and from a substance
      to what consists of it
    - ``has_part``, ``has_member``, ``has_substance``: the other way
    - ``verb_group``, ``entailment``, ``cause``, ``attribute``, ``pertainym``, ``participle``: in both directions

    Information content in a WordNet, not in the thesis:

    - ``ic_down``, ``ic_up``: the exponents of ``TransitionClass.share`` in specialisation and generalisation; 0 leaves it out.
      Along a path in one direction the shares multiply to that of its ends
    - ``ic_aside``: its exponent in derivation, ``similar``, ``also`` and the further transitions: a step to a broad concept,
      from which much can be reached, costs more

    In a wiki, whose categories are another hierarchy; by default as above, as in the thesis:

    - ``wiki_sp_min``, ``wiki_sp_max``, ``wiki_sp_power``: of specialisation
    - ``wiki_gn_max``, ``wiki_gn_scale``, ``wiki_gn_shift``, ``wiki_gn_power``: of generalisation
    - ``wiki_rank_power``, ``wiki_uses_power``: of the senses at the ends of a path, see below

    Target sets in a wiki (section 3.3.1):

    - ``prior_coverage``: the maximum prior coverage: senses of a label are accepted, most used first, until their priors sum
      to it
    - ``prior_least``: senses with a smaller prior are rejected
    - ``bracketed``: whether the title of an article without its brackets is a label of the article too; not in the thesis

    Ends of a path, where a rare sense of a phrase costs something (``sense_weights``); 0 is off, and not in the thesis:

    - ``rank_power``: the exponent of the rank of a sense
    - ``uses_power``: the exponent of its uses as a share of those of the most used sense

    Opposites in a WordNet, not in the thesis:

    - ``antonym``: multiplies a score if a sense of one phrase is an antonym of a sense of the other (``opposites``); at least
      0.001, and at 1 antonyms do not matter

    Search:

    - ``threshold``: the stopping threshold (section 5.3.1): a node with a lower score is not expanded
    - ``derivation``: ``word`` if derivation leads to a word and on to every synset of that part of speech that contains it,
      ``synset`` if it leads only to the synset that the pointer names

    Raises:
        ParameterError: A value is out of range, or not a number.
    """

    sim: float = 0.5
    der: float = 0.7
    sp_min: float = 0.2
    sp_max: float = 0.99
    sp_power: float = 1 / 3
    gn_max: float = 0.99
    gn_scale: float = 1.1
    gn_shift: float = 0.1
    gn_power: float = 1.5
    central: float = 0.99
    crossing_on: float = 0.9
    crossing_back: float = 0.9
    der_word: float = 1.0
    verb_down: float = 1.0
    verb_up: float = 1.0
    instance: float = 1.0
    pos_change: float = 1.0
    part_of: float = 0.0
    has_part: float = 0.0
    member_of: float = 0.0
    has_member: float = 0.0
    substance_of: float = 0.0
    has_substance: float = 0.0
    verb_group: float = 0.0
    entailment: float = 0.0
    cause: float = 0.0
    attribute: float = 0.0
    pertainym: float = 0.0
    participle: float = 0.0
    ic_down: float = 0.0
    ic_up: float = 0.0
    ic_aside: float = 0.0
    wiki_sp_min: float | None = None
    wiki_sp_max: float | None = None
    wiki_sp_power: float | None = None
    wiki_gn_max: float | None = None
    wiki_gn_scale: float | None = None
    wiki_gn_shift: float | None = None
    wiki_gn_power: float | None = None
    wiki_rank_power: float | None = None
    wiki_uses_power: float | None = None
    prior_coverage: float = 0.99
    prior_least: float = 0.001
    bracketed: bool = False
    rank_power: float = 0.0
    uses_power: float = 0.0
    antonym: float = 1.0
    threshold: float = 0.08
    derivation: DerivationReading = "word"

    def __post_init__(self) -> None:
        for name, value in self._numbers().items():
            if not isinstance(value, int | float) or isinstance(value, bool) or value != value:
                raise ParameterError(f"parameter {name} is {value!r}; it must be a number")
        for name in UNIT_INTERVAL:
            least = LEAST.get(name, 0)
            if not least <= self.value(name) <= 1:
                raise ParameterError(f"parameter {name} is {getattr(self, name)!r}; it must be a number from {least} to 1")
        if self.sp_min > self.sp_max:
            raise ParameterError(f"sp_min {self.sp_min!r} is above sp_max {self.sp_max!r}; swap them")
        for name in ("sp_power", "gn_power", "ic_down", "ic_up", "ic_aside", "rank_power", "uses_power"):
            if not 0 <= getattr(self, name) <= MAX_POWER:
                raise ParameterError(f"parameter {name} is {getattr(self, name)!r}; it must be a number from 0 to {MAX_POWER}")
        if not -MAX_POWER <= self.gn_shift <= MAX_POWER:
            raise ParameterError(
                f"parameter gn_shift is {self.gn_shift!r}; it must be a number from -{MAX_POWER} to {MAX_POWER}"
            )
        if not self.gn_scale >= 0:  # else a generalisation would keep more, the more children there are
            raise ParameterError(f"parameter gn_scale is {self.gn_scale!r}; it must be 0 or more")
        if not 0 <= self.gn_max * (self.gn_scale - self.gn_shift) <= 1:
            raise ParameterError(
                "gn_max * (gn_scale - gn_shift), the score of a generalisation of breadth 1, must be from 0 to 1"
            )
        if not isinstance(self.bracketed, bool):
            raise ParameterError(f"parameter bracketed is {self.bracketed!r}; it must be true or false")
        if self.derivation not in get_args(DerivationReading):
            raise ParameterError(f"derivation is {self.derivation!r}; choose 'word' or 'synset'")
        try:
            _adapt_to_wiki(self)
        except ParameterError as error:
            raise ParameterError(f"{error} (in a wiki: see the parameters {WIKI}...)") from None

    @property
    def uses_word_derivation(self) -> bool:
        """Whether derivation is read as a relation between words."""
        return self.derivation == "word"

    @property
    def weighs_senses(self) -> bool:
        """Whether the senses of a phrase may differ in weight."""
        return self.rank_power > 0.0 or self.uses_power > 0.0

    @property
    def weighs_antonyms(self) -> bool:
        """Whether it matters that phrases are antonyms."""
        return self.antonym < 1.0

    @property
    def of_wiki(self) -> Parameters:
        """The parameters that hold in a wiki."""
        return _adapt_to_wiki(self)

    def value(self, name: str) -> float:
        """Return the value of a parameter that is a number; if a wiki has none of its own, that which holds there."""
        value: float | None = getattr(self, name)
        return self.value(name.removeprefix(WIKI)) if value is None else value

    def _numbers(self) -> dict[str, float]:
        """Return the parameters that are numbers, by name."""
        return {name: value for name, value in self.without_derivation().items() if name != "bracketed"}

    def without_derivation(self) -> dict[str, float | bool]:
        """Return all parameters but ``derivation``, by name, without those that are not set."""
        return {name: value for name, value in asdict(self).items() if name != "derivation" and value is not None}

    def specialisation(self, breadth: int) -> float:
        """Return the score of a step down to one of ``breadth`` more specific entities, equation (3.2).

        >>> [round(Parameters().specialisation(breadth), 2) for breadth in (1, 2, 9, 50)]
        [0.99, 0.83, 0.58, 0.41]
        """
        divisor: float = breadth**self.sp_power
        return self.sp_min + (self.sp_max - self.sp_min) / divisor

    def generalisation(self, breadth: int) -> float:
        """Return the score of a step up from one of ``breadth`` more specific entities, equation (3.3).

        >>> [round(Parameters().generalisation(breadth), 2) for breadth in (1, 2, 9)]
        [0.99, 0.29, 0.0]
        """
        divisor: float = breadth**self.gn_power
        return max(0.0, self.gn_max * (self.gn_scale / divisor - self.gn_shift))

    @property
    def zero_breadth(self) -> int | None:
        """The smallest breadth at which a generalisation keeps nothing; None if there is none.

        >>> Parameters().zero_breadth, Parameters(gn_scale=1, gn_shift=0).zero_breadth
        (5, None)
        """
        if self.generalisation(MAX_BREADTH) > 0.0:
            return None
        return bisect_left(range(MAX_BREADTH), True, lo=1, key=lambda breadth: self.generalisation(breadth) == 0.0)

    @property
    def unused_kinds(self) -> frozenset[TransitionKind]:
        """The kinds of transitions that are not followed: further ones at 0, and derivation by word unless it is read so."""
        further = {kind for kind in FURTHER_KINDS if not getattr(self, kind.step)}
        return frozenset(further if self.uses_word_derivation else {*further, TransitionKind.WORD_DERIVATION})

    def weight(self, transition: TransitionClass) -> float:
        """Return the score of a transition, from 0 to 1; 0 if its kind is not followed.

        >>> from wayword.search.scoring.transitions import TransitionClass
        >>> Parameters().weight(TransitionClass(TransitionKind.SIMILAR))
        0.5
        >>> round(Parameters(ic_down=0.5).weight(TransitionClass(TransitionKind.SPECIALISATION, 2, share=0.25)), 3)
        0.414
        """
        kind, breadth, changes_pos, share = transition
        weight: float = self.weight_before_content(kind, breadth, changes_pos=changes_pos) * share ** self.content_power(kind)
        return weight

    def weight_before_content(self, kind: int, breadth: int, *, changes_pos: bool) -> float:
        """Return the score of a transition without its information content: that of a ``share`` of 1."""
        weight = _WEIGHTS[kind](self, breadth)
        return weight * self.pos_change if changes_pos else weight

    def content_power(self, kind: int) -> float:
        """Return the exponent of the ``share`` of a transition."""
        if kind in ASIDE:
            return self.ic_aside
        return self.ic_down if kind in SPECIALISATIONS else self.ic_up if kind in GENERALISATIONS else 0.0


@lru_cache(64)
def _adapt_to_wiki(parameters: Parameters) -> Parameters:
    """Return the parameters with those that a wiki has of its own in place of the usual ones."""
    names = [each.name for each in fields(parameters) if each.name.startswith(WIKI)]
    own = {name: value for name in names if (value := getattr(parameters, name)) is not None}
    if not own:
        return parameters
    changed: dict[str, Any] = dict.fromkeys(own) | {name.removeprefix(WIKI): value for name, value in own.items()}
    return replace(parameters, **changed)


def _read_parameter(name: str) -> Callable[[Parameters, int], float]:
    """Return the weight of a kind whose only parameter has this name."""
    return lambda parameters, _: getattr(parameters, name)


_WEIGHTS: Mapping[int, Callable[[Parameters, int], float]] = {
    TransitionKind.SAME: lambda _, __: 1.0,
    TransitionKind.SIMILAR: lambda parameters, _: parameters.sim,
    TransitionKind.ALSO: lambda parameters, _: parameters.sim,
    TransitionKind.DERIVATION: lambda parameters, _: parameters.der,
    TransitionKind.WORD_DERIVATION: lambda parameters, _: (
        parameters.der * parameters.der_word if parameters.uses_word_derivation else 0.0
    ),
    TransitionKind.SPECIALISATION: lambda parameters, breadth: parameters.specialisation(breadth),
    TransitionKind.GENERALISATION: lambda parameters, breadth: parameters.generalisation(breadth),
    TransitionKind.VERB_SPECIALISATION: lambda parameters, breadth: parameters.verb_down * parameters.specialisation(breadth),
    TransitionKind.VERB_GENERALISATION: lambda parameters, breadth: parameters.verb_up * parameters.generalisation(breadth),
    TransitionKind.INSTANCE_SPECIALISATION: lambda parameters, breadth: (
        parameters.instance * parameters.specialisation(breadth)
    ),
    TransitionKind.INSTANCE_GENERALISATION: lambda parameters, breadth: (
        parameters.instance * parameters.generalisation(breadth)
    ),
    TransitionKind.CATEGORY_SPECIALISATION: lambda parameters, breadth: parameters.of_wiki.specialisation(breadth),
    TransitionKind.CATEGORY_GENERALISATION: lambda parameters, breadth: parameters.of_wiki.generalisation(breadth),
    TransitionKind.CENTRAL: lambda parameters, _: parameters.central,
    TransitionKind.CROSSING_ON: lambda parameters, _: parameters.crossing_on,
    TransitionKind.CROSSING_BACK: lambda parameters, _: parameters.crossing_back,
    **{kind: _read_parameter(kind.step) for kind in FURTHER_KINDS},
}
