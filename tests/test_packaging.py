"""What a user installs: an sdist and a wheel with real files, one package, and a command that starts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import wayword

from .support import ROOT

LINKS = sorted(link.name for link in (ROOT / "src/wayword").iterdir() if link.is_symlink())
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("packaging")]


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command and return its stdout; a failure shows all its output."""
    clean = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "WAYWORD_STORE"}}
    ran = subprocess.run(command, cwd=cwd, env=clean, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{command}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository like a fresh clone: a build neither leaves files here nor includes stale ones."""
    copy = tmp_path_factory.mktemp("source") / "clone"
    generated = ("__pycache__", "*.egg-info", "build", "dist", "demo", "site", "htmlcov")
    unpackaged = (".*", "docs", "tests", "bench", "tools")
    shutil.copytree(ROOT, copy, symlinks=True, ignore=shutil.ignore_patterns("*.so", *generated, *unpackaged))
    return copy


@pytest.fixture(scope="module")
def sdist(source: Path) -> Path:
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", source / "dist", source, cwd=source.parent)
    return next((source / "dist").glob("*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel built from the unpacked sdist, as by an installer that finds no wheel."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    unpacked = next(folder.iterdir())
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder / "dist", unpacked, cwd=folder)
    return next((folder / "dist").glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel installed; it uses the dependencies of this environment."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True, with_pip=False)
    python = folder / "bin/python"
    install(wheel, python)
    borrowed = sysconfig.get_path("purelib")
    (site_packages(folder) / "borrowed.pth").write_text(f"{borrowed}\n", encoding="utf-8")
    return folder


def install(wheel: Path, python: Path) -> None:
    """Install the wheel into the environment of ``python``, replacing any other version."""
    how = ("--quiet", "--no-index", "--no-deps", "--force-reinstall")
    run(sys.executable, "-m", "pip", "--python", python, "install", *how, wheel, cwd=wheel.parent)


def site_packages(environment: Path) -> Path:
    return next((environment / "lib").glob("python*/site-packages"))


def our_files() -> set[str]:
    """Every file of the package in the repository, by its name inside the package."""
    folders = [(ROOT / "src/wayword", "wayword"), *((ROOT / room, f"wayword/{room}") for room in LINKS)]
    return {
        f"{name}/{path.relative_to(folder).as_posix()}"
        for folder, name in folders
        for path in folder.rglob("*")
        if path.is_file() and not path.parent.is_symlink() and "__pycache__" not in path.parts and path.suffix != ".so"
    }


def test_the_wheel_holds_our_package_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = {name for name in our_files() if name.endswith(".c")}
    extensions = {str(Path(name).with_suffix(".abi3.so")) for name in sources}
    assert {name for name in names if ".dist-info/" not in name} == our_files() - sources | extensions
    assert "-cp311-abi3-" in wheel.name, "one wheel for every Python from 3.11"
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_sdist_holds_real_files(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        members = archive.getmembers()
    assert all(member.isfile() or member.isdir() for member in members)
    inside = {member.name.split("/", 1)[1] for member in members if member.isfile()}
    sources = {name for name in our_files() if name.endswith(".c")}
    assert {name.removeprefix("wayword/") for name in sources} <= inside
    assert {f"src/{name}" for name in our_files() - sources} | {
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "pyproject.toml",
    } <= inside


def test_the_installed_rooms_are_imported_from_the_wheel(installed: Path) -> None:
    rooms = ", ".join(f"wayword.{room}" for room in LINKS)
    code = f"import wayword, {rooms}; print(wayword.__file__)"
    where = Path(run(installed / "bin/python", "-c", code, cwd=installed).strip())
    assert where.is_relative_to(site_packages(installed))
    ours = {path.name for path in site_packages(installed).iterdir() if path.suffix != ".pth"}
    assert {name for name in ours if not name.endswith(".dist-info")} == {"wayword"}


def test_the_installed_command_loads_and_scores(installed: Path) -> None:
    run(sys.executable, ROOT / "tools/smoke_test.py", installed / "bin/wayword", wayword.__version__, cwd=installed)


def test_the_installed_package_runs_as_a_module(installed: Path) -> None:
    assert run(installed / "bin/python", "-m", "wayword", "--version", cwd=installed).split()[-1] == wayword.__version__


def test_without_a_compiler_the_installation_succeeds_and_python_does_the_work(sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = next(tmp_path.iterdir())
    command = (sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path / "dist", unpacked)
    run("env", "CC=/bin/false", *command, cwd=tmp_path)
    wheel = next((tmp_path / "dist").glob("*.whl"))
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")]
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = "from wayword.core import native_code as code; print(code.__file__, *set(code.native_parts().values()))"
    where = run("env", f"PYTHONPATH={tmp_path / 'site'}", sys.executable, "-P", "-c", code, cwd=tmp_path)
    assert where.split() == [f"{tmp_path}/site/wayword/core/native_code.py", "Python"]


def test_metadata_and_package_state_the_same_version(installed: Path) -> None:
    code = "import importlib.metadata, wayword; print(importlib.metadata.version('wayword'), wayword.__version__)"
    assert run(installed / "bin/python", "-c", code, cwd=installed).split() == [wayword.__version__] * 2


def test_a_second_install_changes_nothing(installed: Path, wheel: Path) -> None:
    def files() -> set[Path]:
        return {path for path in site_packages(installed).rglob("*") if "__pycache__" not in path.parts}

    before = files()
    install(wheel, installed / "bin/python")
    assert files() == before
