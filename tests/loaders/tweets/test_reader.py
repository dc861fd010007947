"""Tweets are read from files of every format, and everything else is counted."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import os
import sys
import tarfile
import tracemalloc
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.loaders import SourceDamaged, SourceError, SourceInvalid, SourceMissing, SourceRefused
from wayword.loaders.tweets import Tweet, TweetCounts, read_tweets, sources
from wayword.loaders.tweets.formats import MALFORMED_LINE
from wayword.loaders.tweets.json_stream import MALFORMED_JSON, TRUNCATED_JSON, WINDOWS_1252_JSON
from wayword.loaders.tweets.reader import FILE_WITHOUT_TWEETS
from wayword.loaders.tweets.text_lines import CHUNK_SIZE, LINE_WITH_NUL, LONG_ENTRY, WINDOWS_1252_LINE
from wayword.loaders.tweets.twitter_json import Retweets

from ...support.tweets import gzip_content


def read(*sources: Path | str) -> list[Tweet]:
    return list(read_tweets(sources))


def texts(*sources: Path | str) -> list[str]:
    return [tweet.text for tweet in read(*sources)]


def read_and_count(*sources: Path | str) -> tuple[list[str], TweetCounts]:
    counts = TweetCounts()
    return [tweet.text for tweet in read_tweets(sources, counts)], counts


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def archive(path: Path, members: Iterable[tuple[str, bytes]], mode: Any = "w:gz") -> Path:
    with tarfile.open(path, mode) as archived:
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archived.addfile(member, io.BytesIO(content))
    return path


def test_plain_text_has_a_tweet_on_each_line(tmp_path: Path) -> None:
    file = write(tmp_path / "t.txt", "one #flu\r\n\n  two &amp; &lt;three&gt; \nfour")
    assert read(file) == [
        Tweet("one #flu", None, str(file), 1),
        Tweet("two & <three>", None, str(file), 3),
        Tweet("four", None, str(file), 4),
    ]


def test_lines_of_id_date_and_text_are_read(tmp_path: Path) -> None:
    file = write(
        tmp_path / "t.txt",
        '58|Thu Apr 09 01:31:50 +0000 2015|one | two #flu\nno tweet\n"59|Sun Feb 01|say ""aah"" #gp"\t\t\n60|Mon|\n',
    )
    assert [(tweet.id, tweet.text) for tweet in read(file)] == [("58", "one | two #flu"), ("59", 'say "aah" #gp')]
    assert read_and_count(file)[1] == TweetCounts(Counter({MALFORMED_LINE: 1}), without_text=1)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", 'id,user,text\n1,a,"one, ""two""\n#flu"\n2,b,three\n'),
        ("t.csv", 'ID;Tweet\n1;"one, ""two""\n#flu"\n2;three\n'),
        ("t.tsv", 'id\tcontent\n1\t"one, ""two""\n#flu"\n2\tthree\n'),
        ("t", 'id,full_text,text\n1,"one, ""two""\n#flu",one\n2,three,\n'),
    ],
)
def test_column_of_texts_is_found_in_tables(tmp_path: Path, name: str, content: str) -> None:
    found = read(write(tmp_path / name, content))
    assert [(tweet.id, tweet.text) for tweet in found] == [("1", 'one, "two"\n#flu'), ("2", "three")]
    assert [tweet.line for tweet in found] == [2, 4]


def test_unclosed_quote_loses_no_tweets(tmp_path: Path) -> None:
    rows = "".join(
        f'{number}\t"tweet {number}\t#flu\n' if number % 7 == 3 else f"{number}\ttweet\t#flu\n" for number in range(50)
    )
    found = texts(write(tmp_path / "t.tsv", "id\ttext\ttag\n" + rows))
    assert len(found) == 50
    assert found[3] == '"tweet 3'
    assert texts(write(tmp_path / "t.csv", 'id,text\n1,a\n2,"b\n3,c\n4,d\n')) == ["a", "b", "c", "d"]


def test_table_without_column_of_texts_is_rejected_or_skipped(tmp_path: Path) -> None:
    file = write(tmp_path / "t.csv", "1,one\n2,two\n")
    with pytest.raises(SourceInvalid, match=r"t.csv, line 1: '1,one' has no column full_text, .*; add a header .*column="):
        read(file)
    write(tmp_path / "u.txt", "three")
    assert read_and_count(tmp_path) == (["three"], TweetCounts(notes=Counter({FILE_WITHOUT_TWEETS: 1})))


def test_short_row_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    file = write(tmp_path / "t.csv", "text,date,id\none,2020,1\ntwo\nthree,2021,3\n")
    assert [(tweet.id, tweet.text) for tweet in read(file)] == [("1", "one"), (None, "two"), ("3", "three")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", "UserName,OriginalTweet,text\n1,one,no\n2,two,no\n"),
        ("t.txt", "OriginalTweet;text\none;no\ntwo;no\n"),
        ("t.jsonl", '{"OriginalTweet": "one", "text": "no"}\n{"OriginalTweet": "two"}\n'),
        ("t.json", '{"data": [{"OriginalTweet": "one", "text": "no"},\n{"OriginalTweet": "two"}]}'),
        ("u.json", '{"OriginalTweet": "one",\n"x": 1}\n{"OriginalTweet" : "two"\n}'),
    ],
)
def test_column_of_texts_can_be_named(tmp_path: Path, name: str, content: str) -> None:
    assert [tweet.text for tweet in read_tweets([write(tmp_path / name, content)], column="OriginalTweet")] == ["one", "two"]


@pytest.mark.parametrize("name", ["t.csv", "t.txt"])
def test_missing_named_column_is_an_error(tmp_path: Path, name: str) -> None:
    file = write(tmp_path / name, "id,text\n1,one\n")
    with pytest.raises(SourceInvalid, match=r"line 1: 'id,text' has no column 'Tweet'; name the column"):
        list(read_tweets([file], column="Tweet"))


V1_LONG = {"id": 5, "id_str": "5", "text": "cut of…", "extended_tweet": {"full_text": "cut off nowhere #flu"}}
V1_RETWEET = {
    "id_str": "6",
    "full_text": "RT @who: wash your…",
    "retweeted_status": {"full_text": "wash your hands #flu", "user": {"screen_name": "who"}},
}
V2_NOTE = {"id": "7", "text": "short…", "note_tweet": {"text": "long &amp; whole #flu"}}
OBJECTS = [{"text": "one #flu"}, {"tweet": "two", "id": 3}, V1_LONG, V1_RETWEET, V2_NOTE]
EXPECTED = [
    (None, "one #flu"),
    ("3", "two"),
    ("5", "cut off nowhere #flu"),
    ("6", "RT @who: wash your hands #flu"),
    ("7", "long & whole #flu"),
]
PAGE = {"meta": {"count": 5, "odd": ']}\\"['}, "data": OBJECTS, "includes": {"users": [{"text": "no tweet"}]}}


@pytest.mark.parametrize(
    "content",
    [
        "\n".join(map(json.dumps, OBJECTS)),
        "\n".join(json.dumps({"data": each, "matching_rules": []}) for each in OBJECTS),
        json.dumps(OBJECTS),
        json.dumps(OBJECTS, indent=2),
        json.dumps(PAGE),
        json.dumps(PAGE, indent=1),
        json.dumps({"results": OBJECTS, "requestParameters": {"maxResults": 5}}),
        json.dumps({"statuses": OBJECTS[:2]}) + "\n" + json.dumps({"data": OBJECTS[2:]}),
        "\n".join(json.dumps({"data": each}, indent=2) for each in OBJECTS),
        "\n".join(json.dumps(each, indent=2) for each in OBJECTS),
        json.dumps([{"tweet": each} for each in OBJECTS]),
    ],
)
@pytest.mark.parametrize("name", ["t.json", "t.txt"])
def test_json_of_every_layout_is_read(tmp_path: Path, content: str, name: str) -> None:
    file = write(tmp_path / name, content)
    assert [(tweet.id, tweet.text) for tweet in read(file)] == EXPECTED
    assert read_and_count(file)[1] == TweetCounts()


RETWEET = {"id": "1", "text": "RT @who: wash your #ha…", "referenced_tweets": [{"type": "retweeted", "id": "9"}]}
SHORT_RETWEET = {"id": "2", "text": "RT @who: flu", "referenced_tweets": [{"type": "retweeted", "id": "9"}]}
LOST_RETWEET = {"id": "3", "text": "RT @who: #fl…", "referenced_tweets": [{"type": "retweeted", "id": "8"}]}
INCLUDES = {"users": [{"id": "9", "text": "no"}], "tweets": [{"id": "7"}, {"id": "9", "text": "wash your #hands"}]}
COMPLETED = {"RT @who: wash your #hands", "RT @who: flu", "RT @who: #fl…"}


@pytest.mark.parametrize("padding", ["", "x" * 3 * CHUNK_SIZE])
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("includes_first", [False, True])
def test_truncated_retweets_have_the_full_text_of_the_included_tweet(
    tmp_path: Path, padding: str, indent: int | None, includes_first: bool
) -> None:
    fields = [("data", [RETWEET, SHORT_RETWEET, LOST_RETWEET]), ("padding", padding), ("includes", INCLUDES)]
    content = json.dumps(dict(fields[::-1] if includes_first else fields), indent=indent)
    found, counts = read_and_count(write(tmp_path / "t.json", content))
    assert (set(found), len(found), counts) == (COMPLETED, 3, TweetCounts())
    single = json.dumps({"data": RETWEET, "padding": padding, "includes": INCLUDES}, indent=indent)
    assert texts(write(tmp_path / "u.json", single)) == ["RT @who: wash your #hands"]


def test_flattened_retweets_have_the_full_text_of_their_reference(tmp_path: Path) -> None:
    reference = {"type": "retweeted", "id": "9", "text": "wash your #ha…", "note_tweet": {"text": "wash your #hands"}}
    file = write(tmp_path / "t.jsonl", json.dumps({**RETWEET, "referenced_tweets": [{"type": "quoted"}, reference]}))
    assert texts(file) == ["RT @who: wash your #hands"]


def test_retweets_that_wait_for_their_text_are_bounded() -> None:
    retweets = Retweets()
    entries = [{**RETWEET, "text": "x" * 1_000_000 + "…"} for _ in range(20)]
    assert len(list(retweets.complete(entries))) == 12
    assert len(list(retweets.rest())) == 8


def test_text_with_the_truncated_flag_ends_in_an_ellipsis(tmp_path: Path) -> None:
    cut = [{"text": f"wash your #han{end}", "truncated": True} for end in ("", " ...", "… https://t.co/x", " … ")]
    whole = [{"text": "one #flu", "truncated": False}, {"text": "no", "truncated": True, "extended_tweet": {"full_text": "#x"}}]
    file = write(tmp_path / "t.jsonl", "\n".join(map(json.dumps, cut + whole)))
    ended = "wash your #han…"
    assert texts(file) == [ended, ended, f"{ended} https://t.co/x", ended, "one #flu", "#x"]


@pytest.mark.parametrize(
    "layout",
    [
        '{{ "text" : "{0}" ,\n  "id" : {1} }}',
        '{{\n   "id"  :  {1},\n   "text"  :  "{0}"\n}}',
        '{{"id":\n{1},\n"text":\n"{0}"}}',
        '{{"id": {1}\n,"text": "{0}"\n,"user":\n{{"id": 5}}\n}}',
        '{{\r\n\t"user":\r\n\t{{\r\n\t\t"a": []\r\n\t}},\r\n\t"text": "{0}", "id": {1}\r\n}}',
    ],
)
@pytest.mark.parametrize("name", ["t.json", "t.jsonl", "t.txt"])
@pytest.mark.parametrize(("start", "separator", "end"), [("", "\n", ""), ("[", ",\n", "]"), ('{"results": [\n', ",", "]}")])
def test_json_of_any_pretty_printer_is_read(
    tmp_path: Path, layout: str, name: str, start: str, separator: str, end: str
) -> None:
    objects = [layout.format(text, number) for number, text in enumerate(("one", "two", "three"), 1)]
    file = write(tmp_path / name, start + separator.join(objects) + end)
    assert [(tweet.id, tweet.text) for tweet in read(file)] == [("1", "one"), ("2", "two"), ("3", "three")]
    assert read_and_count(file)[1] == TweetCounts()


def test_json_strings_are_read_and_quotations_are_plain_text(tmp_path: Path) -> None:
    assert texts(write(tmp_path / "a", '"one \\ud83e\\udd12"\n"two \\ud83e"\n')) == ["one 🤒", "two \ufffd"]
    assert texts(write(tmp_path / "b", '["one", "two"]')) == ["one", "two"]
    assert texts(write(tmp_path / "c", '"To be"\n[VIDEO] or not\n{to be}\n')) == ['"To be"', "[VIDEO] or not", "{to be}"]
    assert texts(write(tmp_path / "d", "[VIDEO] one\n")) == ["[VIDEO] one"]


def test_malformed_json_is_counted_and_skipped(tmp_path: Path) -> None:
    broken = (
        '{"text": "one"}\n{"text": "tw\n{"delete": {}}\n[[[[\n{"text": 5}\n'
        + "[" * 9_000
        + '\n{"text": "'
        + "9" * 9_000
        + '"}\n'
    )
    found, counts = read_and_count(write(tmp_path / "t.jsonl", broken))
    assert (found[0], len(found)) == ("one", 2)
    assert counts == TweetCounts(Counter({MALFORMED_JSON: 3}), without_text=2)
    entries = '[{"text": "one"}, {"text": two, "x": ["}"]}, 1e, {"text": "' + "3" * 2_000_000 + '"}, {"text": "four"}, {"te'
    found, counts = read_and_count(write(tmp_path / "t.json", entries))
    assert found == ["one", "four"]
    assert counts == TweetCounts(Counter({MALFORMED_JSON: 3, LONG_ENTRY: 1}), Counter({TRUNCATED_JSON: 1}), without_text=1)


@given(st.text(alphabet='[]{}",:\\ \n1atext', max_size=60))
def test_random_json_terminates(tmp_path_factory: pytest.TempPathFactory, content: str) -> None:
    file = write(tmp_path_factory.getbasetemp() / "any.json", '[{"text": "one"},' + content)
    assert texts(file)[0] == "one"


Value = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["text", "data", "id", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(st.lists(Value, min_size=1))
def test_document_equals_its_lines(tmp_path_factory: pytest.TempPathFactory, values: list[Any]) -> None:
    folder = tmp_path_factory.getbasetemp()
    objects = [{"text": "one"}, *({"text": each} for each in values)]
    expected = read_and_count(write(folder / "a.jsonl", "\n".join(map(json.dumps, objects))))
    assert read_and_count(write(folder / "a.json", json.dumps(objects, indent=1))) == expected
    assert read_and_count(write(folder / "b.json", "\n".join(json.dumps(each, indent=1) for each in objects))) == expected


def test_objects_may_span_chunks(tmp_path: Path) -> None:
    objects = [{"text": f"tweet {number}", "user": {"name": "x" * number}} for number in range(1_000)]
    file = write(tmp_path / "t.json", "\n".join(json.dumps(each, indent=2) for each in objects))
    assert file.stat().st_size > 5 * CHUNK_SIZE
    assert read_and_count(file) == ([each["text"] for each in objects], TweetCounts())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_encodings_are_detected(tmp_path: Path, encoding: str) -> None:
    for name, content in (("t.txt", "Cafés close #flu 🤒\nTwo\n" * 20_000), ("t.json", '[\n{"text": "é #flu 🤒"}]')):
        found, counts = read_and_count(write(tmp_path / name, content.encode(encoding)))
        assert found[0].endswith("é #flu 🤒") or found[:2] == ["Cafés close #flu 🤒", "Two"]
        assert (len(found) in {1, 40_000}, counts) == (True, TweetCounts())


def test_lines_that_are_not_utf8_are_read_as_windows_1252(tmp_path: Path) -> None:
    file = write(tmp_path / "t.txt", "é\n".encode() + b"\x93caf\xe9\x94 \x81\nthree\n")
    assert read_and_count(file) == (["é", "“café” \x81", "three"], TweetCounts(notes=Counter({WINDOWS_1252_LINE: 1})))
    document = write(tmp_path / "t.json", b'[{"text": "caf\xe9"}]')
    assert read_and_count(document) == (["café"], TweetCounts(notes=Counter({WINDOWS_1252_JSON: 1})))


def test_long_lines_and_nuls_are_left_out(tmp_path: Path) -> None:
    file = write(tmp_path / "t.txt", b"one\n" + b"x" * (1 << 20) + b"y\ntw\0o\nthree" + b"\n" * 1000)
    found, counts = read_and_count(file)
    assert found == ["one", "three"]
    assert counts == TweetCounts(Counter({LONG_ENTRY: 1, LINE_WITH_NUL: 1}), without_text=999)


def test_carriage_returns_end_lines(tmp_path: Path) -> None:
    assert texts(write(tmp_path / "t.txt", "one\rtwo\r")) == ["one", "two"]


def test_folders_are_read_in_order_without_other_files(tmp_path: Path) -> None:
    for name in ("b/2.txt", "b/10.txt", "a.jsonl", ".hidden.txt", "notes.md", "c.txt"):
        write(tmp_path / name, f'"{name}"' if name == "a.jsonl" else name)
    write(tmp_path / "d.txt.gz", gzip_content(b"d"))
    write(tmp_path / "e.txt", b"\x89PNG\r\n\x1a\n")
    assert texts(tmp_path) == ["a.jsonl", "b/10.txt", "b/2.txt", "c.txt", "d"]
    write(tmp_path / "b/train_text.txt", "alone")
    assert texts(tmp_path) == ["alone"]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2"])
def test_archives_are_read_as_folders(tmp_path: Path, mode: str) -> None:
    inner = archive(tmp_path / "inner.tar", [("x.txt", b"inner")], "w").read_bytes()
    members = [
        ("t/b.txt", b"two\n"),
        ("../../a.jsonl", b'{"text": "one"}'),
        ("t/__MACOSX/._b.txt", b"no"),
        ("t/c.txt.gz", gzip_content(b"three")),
        ("t/empty.txt", b""),
        ("t/inner.tar", inner),
        ("labels.md", b"no"),
    ]
    file = archive(tmp_path / "t.archive", members, mode)
    found, counts = read_and_count(file)
    assert found == ["two", "one", "three"]
    assert counts == TweetCounts(notes=Counter({FILE_WITHOUT_TWEETS: 1}))
    assert read(file)[0].file == f"{file}/t/b.txt"
    labelled = archive(tmp_path / "u.tgz", [("mapping.txt", b"0"), ("x/test_text.txt", b"one"), ("x/test_labels.txt", b"1")])
    assert texts(labelled) == ["one"]


def test_links_and_devices_in_archives_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "t.tar"
    with tarfile.open(path, "w") as archived:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
            member = tarfile.TarInfo("secret.txt")
            member.type, member.linkname = kind, "/etc/passwd"
            archived.addfile(member)
        archived.addfile(_member("t.txt", 3), io.BytesIO(b"one"))
    assert texts(path) == ["one"]


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size = size
    return member


def test_overlong_member_name_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "t.tar"
    for length in (5_000, 3_000_000):
        with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as archived:
            archived.addfile(_member("n" * length + ".txt", 3), io.BytesIO(b"one"))
        with pytest.raises(SourceRefused, match=r"t\.tar has a member with a name of more than 4,096 characters"):
            read(path)


def test_archive_with_too_many_members_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(tmp_path / "t.tar", [(f"{number}.txt", b"one") for number in range(4)], "w")
    assert len(texts(path)) == 4
    monkeypatch.setattr(sources, "MOST_FILES", 3)
    with pytest.raises(SourceRefused, match="has more than 3 files; give an archive of only tweets"):
        read(path)


@pytest.mark.parametrize("folder", ["/", "/.."])
def test_whole_file_system_is_refused_at_once(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "walk", None)
    with pytest.raises(SourceRefused, match="is the whole file system; give a folder of tweets"):
        read_tweets([folder])


def test_folder_with_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_FILES", 2)
    for name in ("a/1.txt", "a/2.txt", "b/3.png"):
        write(tmp_path / name, "one")
    with pytest.raises(SourceRefused, match="has more than 2 files; give a folder of only tweets"):
        read(tmp_path)


def test_standard_input_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def set_stdin(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    set_stdin(b"one\ntwo\n")
    assert read("-")[1] == Tweet("two", None, "standard input", 2)
    set_stdin(gzip_content(b"one\n"))
    assert texts("-") == ["one"]
    set_stdin(bz2.compress(b'[{"text": "one"}]'))
    assert texts("-", write(tmp_path / "t.txt", "two")) == ["one", "two"]
    set_stdin(archive(tmp_path / "t.tar", [("t.txt", b"one")], "w").read_bytes())
    with pytest.raises(SourceInvalid, match="standard input is an archive; give its path instead"):
        read("-")
    set_stdin(b"")
    with pytest.raises(SourceInvalid, match="standard input has no tweets; give"):
        read("-")


def test_missing_source_is_reported_before_reading(tmp_path: Path) -> None:
    with pytest.raises(SourceMissing, match="there is no file or folder 'no/such/file'; check the path"):
        read_tweets([write(tmp_path / "t.txt", "one"), "no/such/file"])


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("t.txt", b"", SourceInvalid, "t.txt has no tweets; give a text"),
        ("t.txt", b"\n\n", SourceInvalid, r"t.txt has no tweets \(2 entries without text\)"),
        ("t.png", b"\x89PNG\r\n\x1a\n", SourceInvalid, "t.png is a picture; give tweets as text"),
        ("t.zip", b"PK\x03\x04", SourceInvalid, "t.zip is a zip archive; give"),
        ("t.bin", bytes(range(256)) * 2 + bytes(100), SourceInvalid, "t.bin is not text; give"),
        ("t.gz", gzip_content(b"one\n" * 1000)[:-9], SourceDamaged, "t.gz is cut off or damaged"),
        ("t.gz", b"\x1f\x8b", SourceDamaged, "t.gz is cut off or damaged"),
        ("t.json", b"[]", SourceInvalid, "t.json has no tweets; give"),
        ("t.json", b'{"errors": []}', SourceInvalid, r"t.json has no tweets \(1 entry without text\)"),
    ],
)
def test_files_without_tweets_are_rejected(
    tmp_path: Path, name: str, content: bytes, error: type[SourceError], message: str
) -> None:
    with pytest.raises(error, match=message):
        read(write(tmp_path / name, content))


def test_folders_and_archives_without_tweets_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(SourceInvalid, match=r"has no files of tweets \(.txt"):
        read(tmp_path)
    with pytest.raises(SourceInvalid, match="has no files of tweets"):
        read(archive(tmp_path / "t.tgz", [("a.md", b"one")]))
    cut = archive(tmp_path / "u.tgz", [("t.txt", b"one\n" * 100_000)]).read_bytes()
    with pytest.raises(SourceDamaged, match=r"u.tgz is cut off or damaged"):
        read(write(tmp_path / "u.tgz", cut[: len(cut) // 2]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "first", "repeated", "last"),
    [
        ("t.txt", b"", b"wash your hands #flu " * 10 + b"\n", b"last"),
        ("t.txt", b"one", b"x" * 300, b"\nlast"),
        ("t.json", b"[", b'{"id": 1, "text": "' + b"wash your hands #flu " * 10 + b'"},\n', b'{"text": "last"}]'),
        ("t.json", b'{"data": [{"text": "', b"x" * 300, b'"}, {"text": "last"}]}'),
        ("t.json", b'{"includes": [[', b'{"text": "' + b"x" * 300 + b'"},', b']], "data": {"text": "last"}}'),
        ("t.json", b'[{"text": "one"}', b"[" * 300, b""),
    ],
)
def test_memory_is_bounded(tmp_path: Path, name: str, first: bytes, repeated: bytes, last: bytes) -> None:
    path = tmp_path / f"{name}.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(first)
        for _ in range(500):
            file.write(repeated * 100)
        file.write(last)
    tracemalloc.start()
    try:
        found = None
        for tweet in read_tweets([path]):
            found = tweet.text
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == ("last" if last else "one")
    assert peak < 5_000_000


@pytest.mark.slow
def test_real_tweets_are_read_completely(data: Path) -> None:
    found, counts = read_and_count(data / "tweets" / "health-tweets.tar.gz")
    assert len(found) == 63_326
    assert counts == TweetCounts(notes=Counter({WINDOWS_1252_LINE: 2_107}), without_text=1)
    counts = TweetCounts()
    tweets = [tweet for tweet in read_tweets([data / "tweets" / "tweeteval.tar.gz"], counts) if "/stance/" not in tweet.file]
    assert len(tweets) + counts.without_text == 151_007
    # In the files 60,846 texts have a #, but in three of them it only belongs to an entity such as &#39;.
    assert sum("#" in tweet.text for tweet in tweets) == 60_843


def test_tweets_and_left_out_are_all_entries_with_a_text(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", b"one\n" + b"x" * (1 << 20) + b"y\nt\0o\n\n")
    write(tmp_path / "b.txt", "1|today|two\nno tweet\n2|today|\n")
    write(tmp_path / "c.jsonl", '{"text": "three"}\n{"text": "fo\n{"delete": {}}\n\n')
    write(tmp_path / "d.csv", "no,header\n")
    found, counts = read_and_count(tmp_path)
    assert len(found) + sum(counts.left_out.values()) == 3 + 2 + 2
    assert counts.without_text == 1 + 1 + 2
