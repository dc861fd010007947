"""Figures with matplotlib: common colours, and writing them to files.

``pip install 'wayword[pictures]'`` installs matplotlib, which is imported only when a figure is drawn.
"""

from __future__ import annotations

import warnings
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.atomic_files import atomic_write, check_writable
from ..core.optional_packages import require_package
from .errors import RenderError

if TYPE_CHECKING:
    import os

ENDINGS = (".svg", ".png", ".pdf")

LIGHT, DARK, INK, PAPER = "#a9c3dd", "#0b3d6b", "#1a1a1a", "#ffffff"
"""A light and a dark blue, which differ in brightness as well."""


def escape_text(text: str) -> str:
    """Escape dollar signs, between which matplotlib expects formulas."""
    return text.replace("$", r"\$")


def new_figure(width: float, height: float) -> Any:
    """Create an empty figure; the size is in inches."""
    _require_matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained", facecolor=PAPER)


def _require_matplotlib() -> None:
    require_package("matplotlib", "figures need", RenderError)


def check_figure_path(file: str | os.PathLike[str]) -> None:
    """Raise ``RenderError`` or ``FileError`` if a figure cannot be written to a file; call it before long work."""
    _require_matplotlib()
    path = Path(file)
    if path.suffix.lower() not in ENDINGS:
        raise RenderError(f"{path} does not end with {', '.join(ENDINGS)}; choose one of these formats")
    check_writable(path)


def write_figure(figure: Any, file: str | os.PathLike[str], title: str) -> None:
    """Write a figure; an existing file is replaced once the new one is complete."""
    check_figure_path(file)
    path = Path(file)
    ending = path.suffix.lower()
    content = BytesIO()
    with warnings.catch_warnings():
        # Characters that no installed font has are drawn as boxes.
        warnings.filterwarnings("ignore", message=".*[Gg]lyph.*missing")
        latin = title.encode("latin-1", "replace").decode("latin-1")
        figure.savefig(content, format=ending[1:], dpi=200, metadata={"Title": latin})
    with atomic_write(path) as target:
        target.write(content.getvalue())
