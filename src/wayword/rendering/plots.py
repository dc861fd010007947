"""What every figure by matplotlib has in common: its colours, its paper, and how it is written to a file.

matplotlib is imported when a figure is wanted (``pip install 'wayword[pictures]'``).
"""

from __future__ import annotations

import warnings
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.atomic_files import atomic_write, check_writable
from .errors import RenderError

if TYPE_CHECKING:
    import os

ENDINGS = (".svg", ".png", ".pdf")

LIGHT, DARK, INK, PAPER = "#a9c3dd", "#0b3d6b", "#1a1a1a", "#ffffff"
"""A light and a dark blue, which stay light and dark in grey."""


def escape_text(text: str) -> str:
    """The text as it is: matplotlib reads formulas between dollar signs."""
    return text.replace("$", r"\$")


def new_figure(width: float, height: float) -> Any:
    """An empty figure of so many inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise RenderError("figures need matplotlib: pip install 'wayword[pictures]'") from None
    return Figure(figsize=(width, height), layout="constrained", facecolor=PAPER)


def check_figure_path(file: str | os.PathLike[str]) -> None:
    """Refuse a file that cannot be drawn to, before there is a figure."""
    path = Path(file)
    if path.suffix.lower() not in ENDINGS:
        raise RenderError(f"{path}: cannot tell what to draw; end the file's name with {', '.join(ENDINGS)}")
    check_writable(path)


def write_figure(figure: Any, file: str | os.PathLike[str], title: str) -> None:
    """Write a figure; a file that is there is replaced once the new one is whole."""
    check_figure_path(file)
    path = Path(file)
    ending = path.suffix.lower()
    painted = BytesIO()
    with warnings.catch_warnings():
        # A letter that no installed font has is drawn as a frame; the rest of the picture is worth having.
        warnings.filterwarnings("ignore", message=".*[Gg]lyph.*missing")
        plain = title.encode("latin-1", "replace").decode("latin-1")
        figure.savefig(painted, format=ending[1:], dpi=200, metadata={"Title": plain})
    with atomic_write(path) as target:
        target.write(painted.getvalue())
