"""Write pictures, and graphs for other programs, to files; the ending of a file name determines its format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.atomic_files import atomic_write, check_writable
from .errors import RenderError
from .plots import require_matplotlib, save_figure

if TYPE_CHECKING:
    from os import PathLike

    from .shapes import Picture

PICTURE_ENDINGS = (".svg", ".png", ".pdf")
"""The formats of every picture."""

GRAPH_ENDINGS = (".dot", ".graphml")
"""The formats of pictures that are graphs, beside those of every picture."""


def check_picture_path(file: str | PathLike[str], endings: Sequence[str] = PICTURE_ENDINGS) -> None:
    """Raise if a picture cannot be written to a file; call it before long work.

    Raises:
        RenderError: The file name has none of these endings, or matplotlib, which its format needs, is not installed.
        FileError: The file cannot be written.
    """
    path = Path(file)
    if path.suffix.lower() not in endings:
        raise RenderError(f"{path} does not end with {', '.join(endings)}; choose one of these formats")
    if path.suffix.lower() in (".png", ".pdf"):
        require_matplotlib()
    check_writable(path)


def check_figure_path(file: str | PathLike[str]) -> None:
    """Raise if a figure of matplotlib cannot be written to a file; call it before long work."""
    check_picture_path(file)
    require_matplotlib()


def save_picture(
    file: str | PathLike[str], picture: Callable[[], Picture], texts: Mapping[str, Callable[[], str]] | None = None
) -> None:
    """Write a picture to a .svg, .png or .pdf file, or one of the ``texts`` to a file of its ending.

    An existing file is replaced once the new one is complete.

    Args:
        file: The file to write.
        picture: Returns the picture; called only if it is needed.
        texts: Functions that return the text of further formats, by file name ending.

    Raises:
        RenderError: The file name has another ending, or PNG or PDF is requested without matplotlib.
        FileError: The file cannot be written.
    """
    path, texts = Path(file), texts or {}
    check_picture_path(path, (*PICTURE_ENDINGS, *texts))
    ending = path.suffix.lower()
    if ending in texts:
        content = texts[ending]().encode()
    elif ending == ".svg":
        from .svg import to_svg_document

        content = to_svg_document(picture()).encode()
    else:
        from .print_formats import write_printable

        printed = BytesIO()
        write_printable(picture(), printed, "pdf" if ending == ".pdf" else "png")
        content = printed.getvalue()
    with atomic_write(path) as target:
        target.write(content)


def write_figure(figure: Any, file: str | PathLike[str], title: str) -> None:
    """Write a figure of matplotlib; an existing file is replaced once the new one is complete."""
    path, content = Path(file), BytesIO()
    check_picture_path(path)
    save_figure(figure, content, path.suffix.lower()[1:], title)
    with atomic_write(path) as target:
        target.write(content.getvalue())
