"""Explain a match in words: why a score is 0, and with which formulas and parameters each factor was computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from ...graph.schema import base_of
from ...rendering.text import clean, format_score
from ..scoring.parameters import WIKI
from .end_factors import ANTONYMS, RARE_SENSE, antonyms_text

if TYPE_CHECKING:
    from ..results import AspectMatch, Match, MissingPath, Step

FORMULAS: Mapping[str, str] = {
    "specialisation": "sp_min + (sp_max - sp_min) / breadth ^ sp_power",
    "generalisation": "max(0, gn_max * (gn_scale / breadth ^ gn_power - gn_shift))",
    RARE_SENSE: "rank ^ -rank_power * ((uses + 1) / (most_uses + 1)) ^ uses_power / best_sense",
}
"""Equations (3.2) and (3.3) of the thesis, and the weight of a sense at an end of a path."""

_FURTHER_FACTORS: Mapping[str, str] = {
    "word_derivation": "der_word",
    "verb_specialisation": "verb_down",
    "verb_generalisation": "verb_up",
    "instance_specialisation": "instance",
    "instance_generalisation": "instance",
}
"""The parameters by which steps of some kinds are multiplied."""

MEANINGS: Mapping[str, str] = {
    "sim": "factor of similar and also",
    "der": "factor of derivation",
    "sp_min": "least factor of specialisation",
    "sp_max": "greatest factor of specialisation",
    "sp_power": "exponent of the breadth in specialisation",
    "gn_max": "scale of generalisation",
    "gn_scale": "numerator in generalisation",
    "gn_shift": "subtracted in generalisation",
    "gn_power": "exponent of the breadth in generalisation",
    "central": "factor of central away from the ends of a path",
    "crossing_on": "factor of crossing to a base named later",
    "crossing_back": "factor of crossing to a base named earlier",
    "der_word": "further factor of derivation that leads on from a word",
    "verb_down": "further factor of specialisation between verbs",
    "verb_up": "further factor of generalisation between verbs",
    "instance": "further factor of steps to and from an instance",
    "pos_change": "further factor of steps to another part of speech",
    "part_of": "factor of part of; 0: not followed",
    "has_part": "factor of has part; 0: not followed",
    "member_of": "factor of member of; 0: not followed",
    "has_member": "factor of has member; 0: not followed",
    "substance_of": "factor of substance of; 0: not followed",
    "has_substance": "factor of has substance; 0: not followed",
    "verb_group": "factor of verb group; 0: not followed",
    "entailment": "factor of entailment; 0: not followed",
    "cause": "factor of cause; 0: not followed",
    "attribute": "factor of attribute; 0: not followed",
    "pertainym": "factor of pertainym; 0: not followed",
    "participle": "factor of participle; 0: not followed",
    "ic_down": "exponent of the share in specialisation; 0: left out",
    "ic_up": "exponent of the share in generalisation; 0: left out",
    "ic_aside": "exponent of the share in steps aside; 0: left out",
    **{
        f"{WIKI}{name}": f"{name} in a wiki; if left out, as above"
        for name in ("sp_min", "sp_max", "sp_power", "gn_max", "gn_scale", "gn_shift", "gn_power", "rank_power", "uses_power")
    },
    "prior_coverage": "share of uses that the accepted senses cover",
    "prior_least": "senses with a smaller prior are rejected",
    "bracketed": "whether titles without their brackets are labels",
    "rank_power": "exponent of the rank of a sense at either end of a path",
    "uses_power": "exponent of the uses of a sense at either end of a path",
    "antonym": "factor of antonyms; 1: they do not matter",
    "threshold": "an entity with a lower score is not expanded",
    "derivation": "whether derivation leads to words or synsets",
}
"""What each parameter means, in the order in which they are listed."""


def explain_zero(missing: MissingPath, match: Match) -> Iterator[str]:
    """Yield sentences that say why two aspects score 0."""
    substitute, substitutee = clean(missing.substitute), clean(missing.substitutee)
    if missing.stop is None:
        yield f"No path leads from {substitute} to {substitutee}."
    elif missing.cause == "threshold":
        step = missing.path[missing.stop]
        stop = f"{clean(step.title)} ({format_score(step.score)}), where the search stops"
        falls = "falls" if missing.stop else f"begins with a {RARE_SENSE}"
        rest = f"without a threshold it would keep {format_score(_unlimited_score(missing))}"
        yield f"The best path {falls} below the threshold of {match.threshold:g} at {stop}; {rest}."
    else:
        before, step = missing.path[missing.stop - 1 : missing.stop + 1]
        yield f"Every path has a step that keeps nothing, such as {_ends(before, step)}{_zero_reason(missing, step)}."
    ends = f"Best step out of {substitute}: {_end_step(missing.first_step, 'to', 1)}."
    if missing.last_step is not None:
        ends += f" Best step into {substitutee}: {_end_step(missing.last_step, 'from', 0)}."
    yield ends
    reverse = format_score(missing.reverse) if missing.reverse else "0 too"
    yield f"The other way round, {substitutee} → {substitute}, the score is {reverse}."


def _ends(before: Step, step: Step) -> str:
    return f"the {step.step_text} from {clean(before.title)} to {clean(step.title)}"


def _zero_reason(missing: MissingPath, step: Step) -> str:
    if step.step != "generalisation" or missing.zero_breadth is None or (step.breadth or 0) < missing.zero_breadth:
        return ", whose factor is set to 0"
    return f": its breadth is {step.breadth}, and from breadth {missing.zero_breadth} upwards a generalisation keeps nothing"


def _end_step(ends: tuple[Step, ...], preposition: str, other: int) -> str:
    """Describe a step by its kind and the entity at its other end."""
    if not ends:
        return "none keeps anything"
    step = ends[1]
    breadth = "" if step.breadth is None else f", breadth {step.breadth}"
    return f"{step.step_text} {preposition} {clean(ends[other].title)} ({format_score(step.factor)}{breadth})"


def explanation(match: Match) -> Iterator[str]:
    """Yield lines with the formula of each step of each path, of the score, and all parameters of the answer."""
    paths = [(each, _best_path(match, each)) for each in match.matches]
    steps = [step for _, best in paths for step in best.path]
    formulas = {kind: {_formula(match, step) for step in steps if step.step == kind} for kind in FORMULAS}
    if any(not best.substitute_weight == best.substitutee_weight == 1.0 for _, best in paths):
        formulas[RARE_SENSE] = {FORMULAS[RARE_SENSE]}
    if any(formulas.values()):
        yield "formulas:"
        yield from (f"  {kind}: {formula}" for kind in FORMULAS for formula in sorted(formulas[kind]))
        yield ""
    for each, best in paths:
        if factors := _factors(match, best):
            kind = "" if each.path else ", the best path without a threshold"
            yield f"factors from {clean(each.substitute)} to {clean(each.substitutee)}{kind}:"
            yield from (f"  {line}" for line, _ in factors)
            product = " × ".join(format_score(factor) for _, factor in factors)
            score = _unlimited_score(best)
            yield f"  score: {product}" + (f" = {format_score(score)}" if len(factors) > 1 else "")
            yield ""
    if len(match.matches) > 1:
        inverses = " + ".join(f"1 / {format_score(each.score)}" for each in match.matches)
        mean = f"{len(match.matches)} / ({inverses}) = {format_score(match.score)}"
        yield f"harmonic mean: {mean if match.score else '0, because one of the scores is 0'}"
        yield ""
    if match.judgement is not None:
        yield f"what people say on average of pairs with this score (HyperLex): {match.judgement:.1f} of 10"
        yield ""
    yield f"parameters (profile {clean(match.profile)}):"
    values = {**match.parameters, "threshold": match.threshold, "derivation": match.derivation}
    for name in sorted(values, key=[*MEANINGS, *values].index):
        if values[name] is not None:
            yield f"  {name:<15}  {_shown(values[name]):<8}  {MEANINGS.get(name, '')}"


def _best_path(match: Match, each: AspectMatch) -> AspectMatch | MissingPath:
    """Return the record with the path of two aspects, or with the one that would be the best without a threshold."""
    if each.path:
        return each
    aspects = each.substitute, each.substitutee
    return next((one for one in match.missing_paths if (one.substitute, one.substitutee) == aspects), each)


def _unlimited_score(best: AspectMatch | MissingPath) -> float:
    """Return the score of a path, whether or not the threshold allows it."""
    return best.path[-1].score * best.substitutee_weight * best.antonym


def _factors(match: Match, best: AspectMatch | MissingPath) -> list[tuple[str, float]]:
    """Return the factors of a path, those of rare senses at its ends and of antonyms included, each with a line about it."""
    found = [
        (f"{clean(step.step_text)} to {clean(step.title)}: {_factor(match, before, step)}", step.factor)
        for before, step in pairwise(best.path)
    ]
    if best.substitute_weight != 1.0:
        found.insert(0, _weight(best.path[0], best.substitute_weight))
    if best.substitutee_weight != 1.0:
        found.append(_weight(best.path[-1], best.substitutee_weight))
    if best.antonym != 1.0:
        found.append((f"{ANTONYMS} {antonyms_text(best)}: antonym = {format_score(best.antonym)}", best.antonym))
    return found


def _weight(step: Step, weight: float) -> tuple[str, float]:
    return f"{RARE_SENSE} {clean(step.title)}: {format_score(weight)}", weight


def _shown(value: float | str | bool | None) -> str:
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value).lower()


def _factor(match: Match, before: Step, step: Step) -> str:
    """Return a step's factor as its formula with the values of this answer, or as the name of a parameter."""
    values = {**_parameters(match, step), "breadth": step.breadth, "share": step.share}
    if step.step in FORMULAS:
        return f"{_fill(_formula(match, step), values)} = {_value(match, step)}"
    names = [name for name in (_parameter(match, before, step), *_further_factors(match, step)) if name]
    if len(names) < 2:
        return " = ".join([*names, format_score(step.factor)])
    product = " * ".join(names)
    return f"{product} = {_fill(product, values)} = {format_score(step.factor)}"


def _parameters(match: Match, step: Step) -> dict[str, float | bool]:
    """Return the parameters by which a step's factor was computed."""
    own = {name.removeprefix(WIKI): value for name, value in match.parameters.items() if name.startswith(WIKI)}
    return {**match.parameters, **(own if step.is_between_categories else {})}


def _formula(match: Match, step: Step) -> str:
    """Return the formula of a step in a hierarchy with the further factors that this answer has."""
    formula, further = FORMULAS[step.step or ""], _further_factors(match, step)
    if not further:
        return formula
    return " * ".join([formula if formula.startswith("max") else f"({formula})", *further])


def _further_factors(match: Match, step: Step) -> list[str]:
    """Return by what a step's factor is multiplied beside the formula or the parameter of its step."""
    names = [_FURTHER_FACTORS.get(step.kind or ""), "pos_change" if step.changes_pos else None]
    found = [name for name in names if name and match.parameters.get(name, 1.0) != 1.0]
    power = {"specialisation": "ic_down", "generalisation": "ic_up"}.get(step.step or "", "ic_aside")
    has_share = step.share not in (None, 1.0) and match.parameters.get(power) and not step.is_between_categories
    return [*found, f"share ^ {power}"] if has_share else found


def _value(match: Match, step: Step) -> str:
    """Return the value of a step's formula, and if it is 0, the value below 0 that became 0."""
    if step.factor or step.step != "generalisation" or not step.breadth:
        return format_score(step.factor)
    scale, numerator, power, shift = (_parameters(match, step)[name] for name in ("gn_max", "gn_scale", "gn_power", "gn_shift"))
    value = scale * (numerator / step.breadth**power - shift)
    return format_score(0.0) if value > 0 else f"max(0, {value:.2f}) = 0"


def _fill(formula: str, values: Mapping[str, float | bool | int | None]) -> str:
    """Replace the names in a formula by their values."""

    def fill_word(word: str) -> str:
        name = word.strip("()")
        return word.replace(name, f"{values[name]:g}") if values.get(name) is not None else word

    return " ".join(map(fill_word, formula.split(" ")))


def _parameter(match: Match, before: Step, step: Step) -> str | None:
    """Return the name of the parameter that is a step's factor; None for a central step at an end of a path."""
    match step.step:
        case "crossing":
            place = match.bases.index
            return "crossing_on" if place(base_of(before.id)) < place(base_of(step.id)) else "crossing_back"
        case "central":
            return "central" if step.factor == match.parameters.get("central") else None
        case other:
            name = {"similar": "sim", "also": "sim", "derivation": "der"}.get(other or "", other)
            return name if name in match.parameters else None
