"""Tunings as a whole: methods, re-weighing, folds, journals and profiles."""

from __future__ import annotations

import csv
import json
import random
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import wayword
from wayword.core.progress import Progress, no_progress
from wayword.evaluation.errors import TuningError
from wayword.evaluation.runs.ledger import Ledger
from wayword.evaluation.tuning.evaluator import Candidate, Evaluator, Outcome, Population
from wayword.evaluation.tuning.journal import Journal
from wayword.evaluation.tuning.objectives import read_objectives
from wayword.evaluation.tuning.optimisation import TuningOptions, tune
from wayword.evaluation.tuning.results import Tuning
from wayword.evaluation.tuning.space import Space, find_transition_scores, parse_dimensions
from wayword.query import Query
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.profiles import read_profile
from wayword.tuning import TuningRequest, tune_graph

from ...support.command_line import CAGES
from ...support.command_line import wayword as run_command
from ...support.mini_wordnet import write_files
from ...support.sharing import build_once

pytest.importorskip("optuna")
pytest.importorskip("cmaes")

METHODS = ("annealing", "swarm", "genetic", "cmaes", "tpe", "random")
WORDS = ("enclose", "enclosure", "cage", "birdcage", "pen", "thing")
TRUTH = Parameters(sim=0.4, der=0.3, sp_min=0.5, sp_max=0.8, gn_max=0.9)
"""The parameters that the invented judges judge by."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    def load(path: Path) -> None:
        write_files(path.with_name("dict"), CAGES)
        wayword.load_wordnet(path.with_name("dict"), store=path)

    return str(build_once(tmp_path_factory, "cages", load))


@pytest.fixture(scope="module")
def judgements(store: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgements of all pairs of words by judges who know ``TRUTH``."""
    file = tmp_path_factory.mktemp("judgements") / "judged.tsv"
    pairs = [(first, second) for first in WORDS for second in WORDS if first != second]
    with wayword.open(store, profile="thesis", **scores_of(TRUTH)) as graph:
        found = list(graph.scores(pairs))
    file.write_text("".join(f"{first}\t{second}\t{score!r}\n" for (first, second), score in zip(pairs, found, strict=True)))
    return file


def scores_of(parameters: Parameters) -> dict[str, Any]:
    return {name: getattr(parameters, name) for name in ("sim", "der", "sp_min", "sp_max", "gn_max")}


@pytest.fixture(scope="module")
def evaluator(store: str, judgements: Path) -> Iterator[Evaluator]:
    with wayword.open(store, profile="thesis") as graph:
        yield Evaluator(graph.scorer(), read_objectives([f"graded={judgements}"]), 2, seed=0)


SPACE = Space(Parameters(), parse_dimensions(["der", "sp_min", "sp_max", "gn_max"]))


class Bowl(Population):
    """An objective with a known optimum in place of judgements."""

    def evaluate(self, candidates: Any) -> list[Outcome]:
        """Return figures that are the better the nearer der is to 0.3 and gn_max to 0.9."""
        found = [-((each.parameters.der - 0.3) ** 2) - (each.parameters.gn_max - 0.9) ** 2 for each in candidates]
        return [Outcome(figure, figure) for figure in found]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_a_known_optimum(evaluator: Evaluator, method: Any) -> None:
    space = Space(Parameters(), parse_dimensions(["der", "gn_max"]))
    options = TuningOptions(method, steps=200 if method == "tpe" else 600, folds=2, resamples=0)
    found = tune(evaluator, space, options, Bowl(evaluator)).final.parameters
    assert found.der == pytest.approx(0.3, abs=0.1)
    assert found.gn_max == pytest.approx(0.9, abs=0.1)


def test_transition_scores_are_the_parameters_that_weigh_some_transition(evaluator: Evaluator) -> None:
    # Of table 5.6 sim is missing: no word of this small WordNet is similar to another one.
    found = find_transition_scores(evaluator.searches.projection, Parameters())
    assert [each.name for each in found] == ["der", "sp_min", "sp_max", "gn_max", "pos_change"]
    assert [each.high for each in found] == [0.99, 0.99, 0.99, 0.99, 1.0]
    assert find_transition_scores(evaluator.searches.projection, Parameters(der=1.0))[0].high == 1.0


@pytest.mark.parametrize("native", ["1", "0"])
def test_weighing_again_equals_a_fresh_graph(
    store: str, judgements: Path, monkeypatch: pytest.MonkeyPatch, native: str
) -> None:
    from wayword.core.native_code import load_native

    monkeypatch.setenv("WAYWORD_NATIVE", native)
    load_native.cache_clear()
    drawn = random.Random(0)
    try:
        with wayword.open(store, profile="thesis") as graph:
            evaluator = Evaluator(graph.scorer(), read_objectives([f"graded={judgements}"]), 2, seed=0)
        points = [{each.name: drawn.choice([0.0, 1.0, drawn.random()]) for each in SPACE.dimensions} for _ in range(20)]
        population = [SPACE.parameters(point) for point in points]
        population[3] = replace(population[3], prior_coverage=0.5)  # other entities match
        pairs = evaluator.objectives[0].pairs
        for parameters, row in zip(population, evaluator.searches.scores(population), strict=True):
            with wayword.open(
                store, profile="thesis", **scores_of(parameters), prior_coverage=parameters.prior_coverage
            ) as fresh:
                assert row.tolist() == list(fresh.scores(pairs))
                assert row.tolist() == [fresh.score(*pair).score for pair in pairs]
    finally:
        load_native.cache_clear()


def test_the_store_is_not_needed_to_weigh_again(store: str, judgements: Path) -> None:
    with wayword.open(store, profile="thesis") as graph:
        evaluator = Evaluator(graph.scorer(), read_objectives([f"graded={judgements}"]), 2, seed=0)
    (outcome,) = evaluator.evaluate([Candidate(2, TRUTH)])  # the graph is closed
    assert outcome.training == pytest.approx(1.0)


def test_unknown_phrases_score_0_and_their_questions_are_not_used_for_training(store: str, tmp_path: Path) -> None:
    def question(number: int, *phrases: str) -> dict[str, Any]:
        scores = (5, 0, -5, -3)
        substitutes = [{"substitute": each, "score": score} for each, score in zip(phrases, scores, strict=True)]
        return {"id": str(number), "substitutee": "birdcage", "coverage": 5, "substitutes": substitutes}

    file = tmp_path / "questions.json"
    known = [question(number, "cage", "pen", "thing", "enclose") for number in range(4)]
    unknown = question(4, "cage", "pen", "xyzzy", "enclose")
    file.write_text(json.dumps({"format": "agreement-questions/1", "questions": [*known, unknown]}))
    with wayword.open(store, profile="thesis") as graph:
        evaluator = Evaluator(graph.scorer(), read_objectives([f"questions={file}"]), 2, seed=0)
    assert evaluator.left_out == [1]
    assert all(4 not in split.training[0] for split in evaluator.splits)
    assert any(4 in split.held_out[0] for split in evaluator.splits)


def run(evaluator: Evaluator, method: Any, journal: Journal | None = None, progress: Progress = no_progress) -> Tuning:
    options = TuningOptions(method, steps=50, passes=2, folds=2, seed=3, resamples=50)
    return tune(evaluator, SPACE, options, journal=journal, progress=progress)


def describe(tuning: Tuning) -> Any:
    """Return everything but the speed."""
    values = {
        name: value
        for name, value in tuning.to_dict().items()
        if name not in ("evaluations_per_second", "share_outside_search")
    }
    return values, [each.scores for each in (*tuning.folds, tuning.final)]


def test_scores_of_1_are_certain_at_the_first_meeting(store: str) -> None:
    pairs = [(first, second) for first in WORDS for second in WORDS]
    for free in ({"der": 1.0}, {"der": 1.0, "sp_min": 1.0, "sp_max": 1.0}):
        with wayword.open(store, profile="thesis", **free) as graph:  # type: ignore[arg-type]
            found = list(graph.scores(pairs))
            assert found == [graph.score(*pair).score for pair in pairs]
            assert 1.0 in found[1:]


class Interruption(Exception):
    pass


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_result_resumed_or_not(evaluator: Evaluator, tmp_path: Path, method: Any) -> None:
    whole = run(evaluator, method)

    def interrupt(activity: str, rows: int, share: float | None) -> None:
        if rows > 100:
            raise Interruption

    path = tmp_path / "profile.toml.progress"
    with pytest.raises(Interruption), Journal(path, "key") as journal:
        run(evaluator, method, journal, interrupt)
    assert path.stat().st_size > 100
    with path.open("ab") as file:
        file.write(b"[[0.5, 0.")  # a line that was not written to its end
    with Journal(path, "key") as journal:
        population = Population(evaluator)
        options = TuningOptions(method, steps=50, passes=2, folds=2, seed=3, resamples=50)
        resumed = tune(evaluator, SPACE, options, population, journal)
        assert population.timing.evaluations < 300
        journal.finish()
    assert not path.exists()
    assert describe(resumed) == describe(whole)


def test_another_seed_gives_another_result(evaluator: Evaluator) -> None:
    options = TuningOptions("random", steps=20, folds=2, resamples=0)
    first, second = (tune(evaluator, SPACE, replace(options, seed=seed)).final.scores for seed in (0, 1))
    assert first[0] == second[0], "the first point is the profile"
    assert first != second


def test_a_journal_of_another_tuning_is_refused(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal", "one"):
        pass
    with pytest.raises(TuningError, match="is of a tuning with other options"), Journal(tmp_path / "journal", "two"):
        pass


def test_a_file_that_is_no_journal_is_refused_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "journal"
    file.write_text("my notes\n")
    with pytest.raises(TuningError, match="or delete the file"), Journal(file, "key"):
        pass
    assert file.read_text() == "my notes\n"


def test_two_processes_do_not_write_one_journal(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "journal", "key"),
        pytest.raises(TuningError, match="another process is tuning"),
        Journal(tmp_path / "journal", "key"),
    ):
        pass


def test_a_resumed_run_records_each_trial_once(store: str, judgements: Path, tmp_path: Path) -> None:
    request = TuningRequest(
        Query(store, {}), (f"graded={judgements}",), (), TuningOptions("random", steps=20, folds=2, resamples=0)
    )
    reports = []

    def interrupt(text: str, *_: object) -> None:
        reports.append(text)
        if len(reports) == 8:
            raise KeyboardInterrupt

    with Ledger.open(str(tmp_path / "ledger.sqlite")) as ledger:
        with pytest.raises(KeyboardInterrupt):
            tune_graph(request, ledger=ledger, progress=interrupt)
        interrupted = list(ledger.trials(1))
        assert 0 < len(interrupted) < 60
        tune_graph(request, ledger=ledger)
        trials = list(ledger.trials(1))
        assert [each.position for each in trials] == list(range(60))
        assert trials[: len(interrupted)] == interrupted
        assert len(ledger.runs()) == 1


@pytest.mark.parametrize(
    ("space", "options", "message"),
    [
        (Space(Parameters(), []), TuningOptions("random", folds=2), "no parameter changes a transition"),
        (Space(Parameters(), parse_dimensions(["der"])), TuningOptions("cmaes", folds=2), "cmaes tunes two parameters"),
    ],
)
def test_what_cannot_be_tuned_is_rejected(evaluator: Evaluator, space: Space, options: TuningOptions, message: str) -> None:
    with pytest.raises(TuningError, match=message):
        tune(evaluator, space, options)


@pytest.mark.slow
def test_several_processes_give_the_same_result(store: str, judgements: Path) -> None:
    options = TuningOptions("swarm", steps=40, folds=2, resamples=20)
    request = TuningRequest(Query(store, {}), (f"graded={judgements}",), (), options)
    one, two = (tune_graph(request, workers=workers) for workers in (1, 2))
    assert describe(one) == describe(two)


def test_the_command_writes_a_profile_that_scores_with_its_provenance(
    capsys: pytest.CaptureFixture[str], store: str, judgements: Path, tmp_path: Path
) -> None:
    profile, figure = tmp_path / "mine.toml", tmp_path / "curves.svg"
    request = ["--store", store, "-q", "tune", "--objective", f"graded:2={judgements}", "--folds", "2", "--steps", "60"]
    options = ["--method", "cmaes", "--resamples", "100", "--workers", "1", "--ledger", str(tmp_path / "ledger.sqlite")]
    found = run_command(capsys, *request, *options, "--json", "-o", str(profile), "--figure", str(figure)).json()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("mine")] == ["mine.toml"]
    assert found["tuned"] > found["before"]
    assert found["held_out"]["low"] <= found["held_out"]["value"] <= found["held_out"]["high"]
    content = tomllib.loads(profile.read_text())
    made = content["provenance"]
    assert made["objectives"][0]["file"] == str(judgements)
    assert made["objectives"][0]["digest"] == read_objectives([f"graded={judgements}"])[0].digest()
    assert [made["method"], made["seed"], made["steps"], len(made["folds"])] == ["cmaes", 0, 60, 2]
    assert made["held_out"] == found["held_out"]
    assert made["bases"][0]["id"] == "wordnet"
    assert made["bases"][0]["revision"]
    read = read_profile(str(profile))
    assert {name: getattr(read, name) for name in found["parameters"]} == found["parameters"]
    assert figure.read_text().startswith("<?xml")
    listed = run_command(capsys, "runs", "--ledger", str(tmp_path / "ledger.sqlite"), "--kind", "tuning")
    assert "judged.tsv" in listed.out
    exported = run_command(capsys, "runs", "--ledger", str(tmp_path / "ledger.sqlite"), "export", "1").out
    trials = list(csv.DictReader(StringIO(exported)))
    assert [int(each["position"]) for each in trials] == list(range(3 * 60))
    assert {each["fold"] for each in trials} == {"1", "2", ""}
    best = max((each for each in trials if not each["fold"]), key=lambda each: float(each["training"]))
    assert float(best["training"]) == found["tuned"]
    assert float(best["der"]) == found["parameters"]["der"]
    shown = run_command(capsys, "--store", store, "score", "cage", "birdcage", "--profile", str(profile))
    assert shown.code == 0


def test_a_tuning_continues_with_what_was_found_without_each_fold(
    capsys: pytest.CaptureFixture[str], store: str, judgements: Path, tmp_path: Path
) -> None:
    profile, further = str(tmp_path / "mine.toml"), str(tmp_path / "further.toml")
    request = [
        "--store",
        store,
        "-q",
        "tune",
        "--ledger",
        str(tmp_path / "ledger.sqlite"),
        "--folds",
        "2",
        "--resamples",
        "0",
        "--workers",
        "1",
    ]
    first = [*request, "--objective", f"graded={judgements}", "--method", "cmaes", "--json"]
    made = run_command(capsys, *first, "--steps", "60", "-o", profile).json()
    going_on = [
        *first,
        "--objective",
        f"symmetric={judgements}",
        "--profile",
        profile,
        "--continue",
        "--steps",
        "16",
        "-o",
        further,
    ]
    found = run_command(capsys, *going_on).json()
    graded, _ = found["objectives"]
    assert graded["held_out_before"]["value"] == made["objectives"][0]["held_out"]["value"]
    assert graded["before"] == made["objectives"][0]["tuned"]
    assert run_command(capsys, *going_on[:-2], "--profile", further).code == 0
    for changed, message in (
        (["--seed", "1"], "was tuned with seed 0 and 2 folds"),
        (["--method", "annealing"], "annealing begins at a random point"),
        (["--profile", "tuned"], "does not say how it was tuned"),
    ):
        rejected = run_command(capsys, *going_on, *changed)
        assert (rejected.code, message in rejected.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--objective", "grded=x.tsv"], "no objective 'grded'"),
        (["--objective", "graded=missing.tsv"], "missing.tsv: cannot be read"),
        (["--objective", "questions=printed", "--folds", "50"], "too few for 50 folds"),
        (["--objective", "questions=printed", "--parameter", "sm"], "no parameter 'sm'"),
        (["--objective", "questions=printed", "--parameter", "sim=1..0"], "the first must be the lower one"),
        (["--objective", "questions=printed", "--figure", "curves.txt"], "does not end with"),
        (["--objective", "questions=printed", "-o", "no/such/folder.toml"], "does not exist"),
        (["--objective", "questions=printed", "--base", "nobase"], "nobase"),
        (["--folds", "2"], "Missing option '--objective'"),
    ],
)
def test_invalid_requests_are_one_line(
    capsys: pytest.CaptureFixture[str], store: str, options: list[str], message: str
) -> None:
    found = run_command(capsys, "--store", store, "tune", *options)
    assert found.code == 2
    assert message in found.err
    assert found.err.count("\n") == 1
