"""Write pictures, and graphs for other programs, to files; the ending of a file name determines its format."""

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
    """Write a picture to a .svg or .png file, or one of the ``texts`` to a file of its ending.

    An existing file is replaced once the new one is complete.

    Args:
        file: The file to write.
        picture: Returns the picture; called only if it is needed.
        texts: Functions that return the text of further formats, by file name ending.

    Raises:
        RenderError: The file name has another ending, or PNG is requested without matplotlib.
        FileError: The file cannot be written.
    """
    path, texts = Path(file), texts or {}
    ending, endings = path.suffix.lower(), (".svg", ".png", *texts)
    if ending not in endings:
        names = ", ".join(endings) if len(endings) > 2 else " or ".join(endings)
        raise RenderError(f"{path} does not end with {names}; choose one of these formats")
    from ..core.atomic_files import atomic_write

    with atomic_write(path) as target:
        if ending == ".png":
            from .png import write_png

            png = BytesIO()
            write_png(picture(), png)
            target.write(png.getvalue())
        elif ending == ".svg":
            from .svg import to_svg_document

            target.write(to_svg_document(picture()).encode())
        else:
            target.write(texts[ending]().encode())
