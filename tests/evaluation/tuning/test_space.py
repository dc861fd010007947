"""Which parameters vary, and between which bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.evaluation.errors import TuningError
from wayword.evaluation.tuning.space import Dimension, Space, list_dimensions, parse_dimensions
from wayword.search.scoring.parameters import UNIT_INTERVAL, Parameters


def test_every_number_of_the_parameters_can_vary_and_nothing_else() -> None:
    numbers = {name for name in Parameters.__dataclass_fields__ if type(Parameters().value(name)) is float}
    assert set(list_dimensions()) == numbers
    assert all(list_dimensions()[name].high == 1.0 for name in UNIT_INTERVAL)


def test_all_stands_for_every_parameter_and_a_named_one_keeps_its_bounds() -> None:
    found = {each.name: each for each in parse_dimensions(["sim=0.2..0.4", "all"])}
    everywhere = {name: each for name, each in list_dimensions().items() if not name.startswith("wiki_")}
    assert found == everywhere | {"sim": Dimension("sim", 0.2, 0.4)}


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ("simm", "there is no parameter 'simm' to tune"),
        ("bracketed", "there is no parameter 'bracketed' to tune"),
        ("sim=0.8..0.2", "the first must be the lower one"),
        ("sim=0.5..0.5", "the first must be the lower one"),
        ("sim=0..2", "the bound 2 of sim is out of range"),
        ("sp_power=-1..2", "the bound -1 of sp_power is out of range"),
        ("sim=0.2", "write it like sim=0.2..0.8"),
        ("sim=low..high", "write it like sim=0.2..0.8"),
        ("sim=nan..1", "write it like sim=0.2..0.8"),
        ("", "there is no parameter '' to tune"),
    ],
)
def test_requests_that_cannot_be_met_are_rejected(request_: str, message: str) -> None:
    with pytest.raises(TuningError, match=message):
        parse_dimensions([request_])


def test_a_parameter_is_named_once() -> None:
    with pytest.raises(TuningError, match="sim is named twice"):
        parse_dimensions(["sim", "sim=0..0.5"])


def test_a_similar_name_is_suggested() -> None:
    with pytest.raises(TuningError, match="did you mean sp_power"):
        parse_dimensions(["sp_powr"])


def test_a_minimum_and_its_maximum_bound_each_other() -> None:
    space = Space(Parameters(), parse_dimensions(["sp_min", "sp_max"]))
    least, most = space.dimensions
    assert space.limits(least, {"sp_min": 0.2, "sp_max": 0.6}) == (0.0, 0.6)
    assert space.limits(most, {"sp_min": 0.2, "sp_max": 0.6}) == (0.2, 1.0)
    alone = Space(Parameters(sp_max=0.7), parse_dimensions(["sp_min"]))
    assert alone.limits(alone.dimensions[0], {"sp_min": 0.1}) == (0.0, 0.7)


@given(st.data())
def test_every_point_has_valid_parameters(data: st.DataObject) -> None:
    space = Space(Parameters(), parse_dimensions(["all"]))
    point = {each.name: data.draw(st.floats(each.low, each.high)) for each in space.dimensions}
    found = space.parameters(point)
    assert found.sp_min <= found.sp_max
    assert found.bracketed == space.base.bracketed


def test_a_valid_point_is_taken_as_it_is() -> None:
    space = Space(Parameters(), parse_dimensions(["sim", "gn_max"]))
    assert space.parameters({"sim": 0.25, "gn_max": 0.75}) == Parameters(sim=0.25, gn_max=0.75)
