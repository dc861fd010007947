"""``wayword hashtags evaluate``: the files it reads, its output, and its errors."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from wayword.evaluation.errors import ListsInvalid
from wayword.evaluation.reval import hashtag_lists
from wayword.evaluation.reval.hashtag_lists import read_pairs, read_parallel

from ...support.command_line import is_one_line, wayword
from ...support.tweets import gzip_content

THESAURUS = """hashtag,synonym,rank,distance
#hockey,#bowling,1,0.1
#hockey,#golf,2,0.2
#hockey,#sport,3,0.3
#swim,#dive,1,0.1
#swim,#paddle,2,0.2
#swim,#sport,3,0.3
"""
RECOMMENDED = "#hockey #championship\n#Swim, exercise\n\n#sport\n\n"
GOLD = '#football #sport\n["#Sport"]\n#sport\n\n\n'


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command is run, with a thesaurus and lists."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("t.csv", THESAURUS), ("r.txt", RECOMMENDED), ("g.txt", GOLD)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def evaluate(capsys: pytest.CaptureFixture[str], *options: str) -> list[dict[str, Any]]:
    ran = wayword(capsys, "hashtags", "evaluate", "--thesaurus", "t.csv", "--json", *options)
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]


def test_json_has_one_document_per_k(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    found = evaluate(capsys, "--recommended", "r.txt", "--gold", "g.txt", "-k", "3", "-k", "0")
    assert [list(each)[:5] for each in found] == [["k", "hit_ratio", "reval_hit_ratio", "pairs", "left_out"]] * 2
    assert [(each["k"], each["hit_ratio"], each["reval_hit_ratio"]) for each in found] == [(3, 0.0, 0.75), (0, 0.0, 0.0)]
    assert [(each["pairs"], each["left_out"]) for each in found] == [(2, 3)] * 2
    assert found[0]["left_out_why"] == {"no_recommendation": 1, "no_gold": 1, "no_recommendation_or_gold": 1}


def test_default_ks_are_those_of_the_paper_within_the_longest_synonym_list(
    capsys: pytest.CaptureFixture[str], files: Path
) -> None:
    command = ("--recommended", "r.txt", "--gold", "g.txt")
    assert [each["k"] for each in evaluate(capsys, *command)] == [0, 3]
    (files / "t.csv").write_text("".join(f"#a,#{number},0.{number:02}\n" for number in range(80)), encoding="utf-8")
    assert [each["k"] for each in evaluate(capsys, *command)] == [0, 5, 10, 20, 30, 40, 50, 60, 70]


def test_option_each_prints_every_pair_in_order(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    found = evaluate(capsys, "--recommended", "r.txt", "--gold", "g.txt", "-k", "3", "-k", "2", "--each")
    assert [(each["pair"], each["k"]) for each in found] == [(pair, k) for pair in range(1, 6) for k in (3, 2)]
    assert [each["reval_hit_ratio"] for each in found] == [0.5, 0.0, 1.0, 0.0, *[None] * 6]
    assert [(each["pairs"], each["left_out"]) for each in found] == [(1, 0)] * 4 + [(0, 1)] * 6
    assert [each["left_out_why"] for each in found[4::2]] == [
        {"no_recommendation": 1},
        {"no_gold": 1},
        {"no_recommendation_or_gold": 1},
    ]


def test_ratios_are_printed_as_a_table(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    ran = wayword(capsys, "hashtags", "evaluate", "--thesaurus", "t.csv", "--recommended", "r.txt", "--gold", "g.txt")
    assert ran.out == (
        "k  hit ratio  #REval-hit-ratio\n0  0.0000     0.0000\n3  0.0000     0.7500\n\n"
        "2 recommendations; left out: 1 tweet without recommended hashtags, 1 tweet without gold hashtags, "
        "1 tweet with neither recommended nor gold hashtags\n"
    )
    ran = wayword(
        *(capsys, "hashtags", "evaluate", "--thesaurus", "t.csv", "--recommended", "r.txt", "--gold", "g.txt", "--each"),
        *("--weights", "linear"),
    )
    assert ran.out.startswith(
        "     pair  hit ratio  k=0     k=3\n        1  0.0000     0.0000  0.1250\n        2  0.0000     0.0000  0.2500\n"
        "        3  -          -       -\n"
    )
    assert ran.out.endswith("; linear weights: synonyms of a higher rank count less\n")


def test_without_comparable_pairs_there_is_no_average(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    for text in ("", "\n\n"):
        (files / "r.txt").write_text(text, encoding="utf-8")
        found = evaluate(capsys, "--recommended", "r.txt", "--gold", "r.txt", "-k", "3")
        assert (found[0]["hit_ratio"], found[0]["reval_hit_ratio"], found[0]["pairs"]) == (None, None, 0)
        assert found[0]["left_out"] == len(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.csv", 'id,Recommended,gold\n1,#hockey #championship,"#football, #sport"\n\n2,"[""#Swim"", ""exercise""]",#sport\n'),
        ("p.tsv", 'gold\trecommended\r\n#football #sport\t#hockey,#championship\r\n["sport"]\t#swim exercise\r\n'),
        (
            "p.jsonl",
            '{"gold": ["#football", "#sport"], "recommended": "#hockey championship"}\n'
            '{"recommended": ["Swim", "exercise"], "gold": "#sport"}\n',
        ),
    ],
)
def test_both_lists_can_be_in_one_file(capsys: pytest.CaptureFixture[str], files: Path, name: str, text: str) -> None:
    (files / name).write_bytes(text.encode("utf-8-sig"))
    found = evaluate(capsys, "--pairs", name, "-k", "3", "--each")
    assert [each["reval_hit_ratio"] for each in found] == [0.5, 1.0]


def test_lists_of_a_json_row_may_be_empty(files: Path) -> None:
    (files / "p.jsonl").write_text('{"recommended": null, "gold": []}\n', encoding="utf-8")
    assert list(read_pairs("p.jsonl")) == [([], [])]


def test_lists_are_read_from_archives_windows_files_and_stdin(
    capsys: pytest.CaptureFixture[str], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "r.gz").write_bytes(gzip_content(("\ufeff" + RECOMMENDED.replace("\n", "\r\n")).encode()))
    (files / "g.txt").write_text(GOLD.removesuffix("\n\n") + "\n \t", encoding="utf-8")  # no line break at the end
    plain = list(read_parallel("r.gz", "g.txt"))
    assert plain[0] == (["#hockey", "#championship"], ["#football", "#sport"])
    assert plain[1:] == [(["#Swim", "exercise"], ["#Sport"]), ([], ["#sport"]), (["#sport"], []), ([], [])]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(GOLD.encode()))))
    assert evaluate(capsys, "--recommended", "r.gz", "--gold", "-", "-k", "3")[0]["reval_hit_ratio"] == 0.75


@pytest.mark.parametrize("each", [(), ("--each",), ("--each", "--json")])
@pytest.mark.parametrize(("recommended", "gold"), [(5, 4), (4, 5), (0, 5), (5, 0)])
def test_lists_of_different_lengths_are_an_error(
    capsys: pytest.CaptureFixture[str], files: Path, each: tuple[str, ...], recommended: int, gold: int
) -> None:
    (files / "r.txt").write_text("#a\n" * recommended, encoding="utf-8")
    (files / "g.txt").write_text("#a\n" * gold, encoding="utf-8")
    ran = wayword(capsys, "hashtags", "evaluate", "--thesaurus", "t.csv", "--recommended", "r.txt", "--gold", "g.txt", *each)
    assert (ran.code, ran.out) == (2, "")
    assert is_one_line(ran.err)
    assert f"r.txt has {recommended} lines and g.txt has {gold};" in ran.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('#a\n["#a", 3]\n', "g.txt, line 2: 3 in "),
        ('#a\n["#a"\n', "g.txt, line 2: '[\"#a\"' is not JSON"),
        ("[" * 100_000, "g.txt, line 1: "),
        (b"#a\n#\xff\n", "g.txt, line 2: b'#\\xff\\n' is not UTF-8"),
        ("#" + "a" * 2_000, "has a hashtag of 2,001 characters; separate hashtags with spaces"),
        (gzip_content(b"#a\n" * 9)[:-4], "g.txt: is truncated or damaged"),
        (gzip_content(b"a" * (2 << 20)), "line 1: the line is longer than 1,048,576 bytes"),
    ],
    ids=range(7),
)
def test_an_invalid_list_is_an_error_with_its_line(
    capsys: pytest.CaptureFixture[str], files: Path, text: str | bytes, message: str
) -> None:
    (files / "g.txt").write_bytes(text.encode() if isinstance(text, str) else text)
    (files / "r.txt").write_text("#a\n" * 9, encoding="utf-8")
    ran = wayword(capsys, "hashtags", "evaluate", "--thesaurus", "t.csv", "--recommended", "r.txt", "--gold", "g.txt")
    assert (ran.code, ran.out) == (2, "")
    assert is_one_line(ran.err)
    assert message in ran.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n", "line 1: 'a,b' has no column recommended"),
        ("recommended,golden\n", "has no column gold"),
        ("recommended,gold\n#a\n", "line 2: '#a' has 1 columns and the header 2"),
        ("recommended,gold\n#a,#b,#c\n", "has 3 columns and the header 2; quote a list"),
        ('recommended,gold\n#a,"#b\n', "line 2: '#a,\"#b' is not a CSV row"),
        ('{"recommended": []}\n', "has no field gold"),
        ('{"recommended": [], "gold": []}\n[]\n', "line 2: '[]' has no field recommended"),
        ('{"recommended": [], "gold": {"a": 1}}\n', "line 1: {'a': 1} in "),
        ('{"recommended": [], "gold": [null]}\n', "line 1: None in "),
        ('{"recommended": [], "gold"\n', "is not JSON"),
    ],
)
def test_an_invalid_row_is_an_error_with_its_line(
    capsys: pytest.CaptureFixture[str], files: Path, text: str, message: str
) -> None:
    (files / "p").write_text(text, encoding="utf-8")
    ran = wayword(capsys, "hashtags", "evaluate", "--thesaurus", "t.csv", "--pairs", "p", "--each", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert is_one_line(ran.err)
    assert message in ran.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "--recommended is missing"),
        (("--recommended", "r.txt"), "--gold is missing"),
        (("--recommended", "r.txt", "--pairs", "p"), "not both"),
        (("--recommended", "-", "--gold", "-"), "only one list can come from stdin"),
        (("--recommended", "r.txt", "--gold", "g.txt", "--thesaurus", "t.csv", "--base", "b"), "choose one of"),
        (("--recommended", "r.txt", "--gold", "g.txt", "--thesaurus", "none.csv"), "there is no file 'none.csv'"),
        (("--recommended", "none.txt", "--gold", "g.txt", "--thesaurus", "t.csv"), "none.txt: cannot be read"),
        (("--recommended", ".", "--gold", "g.txt", "--thesaurus", "t.csv"), ".: cannot be read"),
        (("--recommended", "r.txt", "--gold", "g.txt", "--thesaurus", "t.csv", "-k", "-1"), "-1"),
    ],
)
def test_conflicting_options_are_rejected(
    capsys: pytest.CaptureFixture[str], files: Path, options: tuple[str, ...], message: str
) -> None:
    ran = wayword(capsys, "hashtags", "evaluate", *options)
    assert (ran.code, ran.out) == (2, "")
    assert is_one_line(ran.err)
    assert message in ran.err


def test_a_k_larger_than_most_synonym_lists_is_noted(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    command = ("hashtags", "evaluate", "--thesaurus", "t.csv", "--recommended", "r.txt", "--gold", "g.txt")
    assert (
        "k is 9, but 2 of 2 hashtags have fewer synonyms; the largest number is 3" in wayword(capsys, *command, "-k", "9").err
    )
    assert wayword(capsys, *command, "-k", "3").err == ""
    (files / "t.csv").write_text(THESAURUS + "#a,#b,1,nan\n", encoding="utf-8")
    assert "t.csv: left out 1 row with a distance outside 0 to 2" in wayword(capsys, *command, "-k", "3").err
    assert wayword(capsys, "--quiet", *command, "-k", "9").err == ""


def test_long_output_is_buffered_on_disk(
    capsys: pytest.CaptureFixture[str], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wayword.cli.commands.hashtags import evaluate as command

    monkeypatch.setattr(command, "MEMORY_LIMIT", 100)
    monkeypatch.setattr(command, "CHUNK", 7)
    assert len(evaluate(capsys, "--recommended", "r.txt", "--gold", "g.txt", "--each")) == 10


def test_synonyms_are_read_from_the_store(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    store = str(files / "graph")
    for name in ("tags", "others"):
        assert wayword(capsys, "--store", store, "load", "hashtags", "t.csv", "--name", name).code == 0
    command = ("--store", store, "hashtags", "evaluate", "--recommended", "r.txt", "--gold", "g.txt", "--json")
    ran = wayword(capsys, *command, "--base", "tags")
    assert ran.code == 0, ran.err
    assert [json.loads(line) for line in ran.out.splitlines()] == evaluate(capsys, "--recommended", "r.txt", "--gold", "g.txt")
    ran = wayword(capsys, *command)
    assert ran.code == 2
    assert "choose one of" in ran.err


def test_an_endless_line_is_an_error(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashtag_lists, "MAX_LINE", 64)
    (files / "r.txt").write_text("#a " * 1000, encoding="utf-8")
    with pytest.raises(ListsInvalid, match="line 1: the line is longer than 64 bytes"):
        list(read_parallel("r.txt", "g.txt"))
