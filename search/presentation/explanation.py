"""Explain a match in words: why a score is 0, and with which formulas and parameters each factor was computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from ...graph.schema import base_of
from ...rendering.text import clean, format_score
from .rare_senses import RARE_SENSE

if TYPE_CHECKING:
    from ..results import AspectMatch, Match, MissingPath, Step

FORMULAS: Mapping[str, str] = {
    "specialisation": "sp_min + (sp_max - sp_min) / breadth ^ sp_power",
    "generalisation": "max(0, gn_max * (gn_scale / breadth ^ gn_power - gn_shift))",
    RARE_SENSE: "rank ^ -rank_power * ((uses + 1) / (most_uses + 1)) ^ uses_power / best_sense",
}
"""Equations (3.2) and (3.3) of the thesis, and the weight of a sense at an end of a path."""

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
    "prior_coverage": "share of uses that the accepted senses cover",
    "prior_least": "senses with a smaller prior are rejected",
    "bracketed": "whether titles without their brackets are labels",
    "rank_power": "exponent of the rank of a sense at either end of a path",
    "uses_power": "exponent of the uses of a sense at either end of a path",
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
        rest = f"without a threshold it would keep {format_score(missing.path[-1].score * missing.substitutee_weight)}"
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
    if step.step != "generalisation":
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
    used = {step.step for _, best in paths for step in best.path}
    used |= {RARE_SENSE for _, best in paths if not best.substitute_weight == best.substitutee_weight == 1.0}
    if not used.isdisjoint(FORMULAS):
        yield "formulas:"
        yield from (f"  {kind}: {FORMULAS[kind]}" for kind in FORMULAS if kind in used)
        yield ""
    for each, best in paths:
        if factors := _factors(match, best):
            kind = "" if each.path else ", the best path without a threshold"
            yield f"factors from {clean(each.substitute)} to {clean(each.substitutee)}{kind}:"
            yield from (f"  {line}" for line, _ in factors)
            product = " × ".join(format_score(factor) for _, factor in factors)
            score = best.path[-1].score * best.substitutee_weight
            yield f"  score: {product}" + (f" = {format_score(score)}" if len(factors) > 1 else "")
            yield ""
    if len(match.matches) > 1:
        inverses = " + ".join(f"1 / {format_score(each.score)}" for each in match.matches)
        mean = f"{len(match.matches)} / ({inverses}) = {format_score(match.score)}"
        yield f"harmonic mean: {mean if match.score else '0, because one of the scores is 0'}"
        yield ""
    yield f"parameters (profile {clean(match.profile)}):"
    values = {**match.parameters, "threshold": match.threshold, "derivation": match.derivation}
    for name in sorted(values, key=[*MEANINGS, *values].index):
        if values[name] is not None:
            yield f"  {name:<14}  {_shown(values[name]):<8}  {MEANINGS.get(name, '')}"


def _best_path(match: Match, each: AspectMatch) -> AspectMatch | MissingPath:
    """Return the record with the path of two aspects, or with the one that would be the best without a threshold."""
    if each.path:
        return each
    aspects = each.substitute, each.substitutee
    return next((one for one in match.missing_paths if (one.substitute, one.substitutee) == aspects), each)


def _factors(match: Match, best: AspectMatch | MissingPath) -> list[tuple[str, float]]:
    """Return the factors of a path, those of rare senses at its ends included, each with a line about it."""
    found = [
        (f"{clean(step.step_text)} to {clean(step.title)}: {_factor(match, before, step)}", step.factor)
        for before, step in pairwise(best.path)
    ]
    if best.substitute_weight != 1.0:
        found.insert(0, _weight(best.path[0], best.substitute_weight))
    if best.substitutee_weight != 1.0:
        found.append(_weight(best.path[-1], best.substitutee_weight))
    return found


def _weight(step: Step, weight: float) -> tuple[str, float]:
    return f"{RARE_SENSE} {clean(step.title)}: {format_score(weight)}", weight


def _shown(value: float | str | bool | None) -> str:
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value).lower()


def _factor(match: Match, before: Step, step: Step) -> str:
    """Return a step's factor as its formula with the values of this answer, or as the name of a parameter."""
    formula = FORMULAS.get(step.step or "")
    if formula is None:
        name = _parameter(match, before, step)
        return f"{name} = {format_score(step.factor)}" if name else format_score(step.factor)
    values = {**match.parameters, "breadth": step.breadth}
    return f"{' '.join(_fill(word, values) for word in formula.split(' '))} = {_value(match, step)}"


def _value(match: Match, step: Step) -> str:
    """Return the value of a step's formula, and if it is 0, the value below 0 that became 0."""
    if step.factor or step.step != "generalisation" or not step.breadth:
        return format_score(step.factor)
    scale, numerator, power, shift = (match.parameters[name] for name in ("gn_max", "gn_scale", "gn_power", "gn_shift"))
    return f"max(0, {scale * (numerator / step.breadth**power - shift):.2f}) = 0"


def _fill(word: str, values: Mapping[str, float | bool | int | None]) -> str:
    name = word.strip("()")
    return word.replace(name, f"{values[name]:g}") if values.get(name) is not None else word


def _parameter(match: Match, before: Step, step: Step) -> str | None:
    """Return the name of the parameter that is a step's factor; None for a central step at an end of a path."""
    match step.step:
        case "crossing":
            place = match.bases.index
            return "crossing_on" if place(base_of(before.id)) < place(base_of(step.id)) else "crossing_back"
        case "central":
            return "central" if step.factor == match.parameters.get("central") else None
        case other:
            return {"similar": "sim", "also": "sim", "derivation": "der"}.get(other or "")
