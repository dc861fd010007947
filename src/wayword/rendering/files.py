"""Writes a picture, or a graph for other programs, to a file whose ending says how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import RenderError

if TYPE_CHECKING:
    from os import PathLike

    from .shapes import Picture


def save_picture(
    file: str | PathLike[str], picture: Callable[[], Picture], texts: Mapping[str, Callable[[], str]] | None = None
) -> None:
    """Write a picture as .svg or .png, or one of the ``texts`` by its ending; a file that is there is replaced."""
    path, others = Path(file), texts or {}
    ending, endings = path.suffix.lower(), (".svg", ".png", *others)
    if ending not in endings:
        names = ", ".join(endings) if len(endings) > 2 else " or ".join(endings)
        raise RenderError(f"{path}: cannot tell what to draw; end the file's name with {names}")
    from ..core.atomic_files import atomic_write

    with atomic_write(path) as target:
        if ending == ".png":
            from .png import write_png

            painted = BytesIO()
            write_png(picture(), painted)
            target.write(painted.getvalue())
        elif ending == ".svg":
            from .svg import to_svg_document

            target.write(to_svg_document(picture()).encode())
        else:
            target.write(others[ending]().encode())
