"""``wayword info``: the contents of the store."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from ...core.left_out import describe_left_out
from ...core.native_code import native_parts
from ..output import print_json, print_text

if TYPE_CHECKING:
    from ..settings import Settings

_UNITS = ("bytes", "kB", "MB", "GB", "TB")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def info(settings: Settings, as_json: bool) -> None:
    """Show the bases of the store, their sizes, and what was left out when they were loaded."""
    from ...api import open as open_graph

    with open_graph(settings.store) as graph:
        contents = {**graph.info().to_dict(), "ledger": _ledger(), "native": native_parts()}
    if as_json:
        print_json(contents)
    else:
        print_text("\n".join(_lines(contents, settings.command)))


def _ledger() -> str:
    """Return the place of the default ledger, without a password."""
    from ...evaluation.runs.location import default_ledger, display_url, to_url

    ledger = default_ledger()
    return display_url(to_url(ledger)) if "://" in ledger else ledger


def _lines(contents: Mapping[str, Any], command: str) -> Iterator[str]:
    from ...rendering.text import clean, line_width, wrap

    size = "" if contents["size"] is None else f" · {format_size(contents['size'])}"
    yield clean(f"{contents['address']} · {contents['engine']}{size} · revision {contents['revision']}")
    for base in contents["bases"]:
        yield ""
        heading = clean(f"{base['id']} ({base['kind']}, revision {base['revision']}, from {base['source']})")
        first, *others = wrap(heading, line_width() - 2)
        yield from (first, *(f"  {other}" for other in others))
        if base["options"]:
            yield f"  {'options':<15}{clean(' · '.join(map(_format_option, *zip(*base['options'].items(), strict=True))))}"
        yield from _counts("nodes", base["nodes"])
        yield from _counts("relationships", base["relationships"])
        yield from _left_out(base["left_out"])
    if contents["shared"]:
        yield ""
        yield "shared by all bases"
        yield from _counts("nodes", contents["shared"])
    yield ""
    yield clean(f"ledger of runs: {contents['ledger']}")
    yield " · ".join(f"{part} in {language}" for part, language in contents["native"].items())
    if not contents["bases"]:
        yield ""
        yield f"There is no base yet; load one with: {command} load wordnet"


def _format_option(name: str, value: Any) -> str:
    """Format an option of a load.

    >>> _format_option("first_links", 20), _format_option("first_links", None), _format_option("keep_hidden", True)
    ('first links 20', 'first links all', 'keep hidden')
    """
    words = name.replace("_", " ")
    if value is True:
        return words
    shown = "all" if value is None else ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{words} {shown}"


def _counts(title: str, counts: Mapping[str, int]) -> Iterator[str]:
    parts = [f"{name} {number:,}".replace(" ", "\u00a0") for name, number in sorted(counts.items())]
    first = f"  {title:<15}"
    from ...rendering.text import line_width

    for line in textwrap.wrap(" · ".join(parts), line_width() - 17, break_long_words=False, break_on_hyphens=False):
        yield (first + line.removesuffix(" ·")).replace("\u00a0", " ")
        first = " " * len(first)


def _left_out(left_out: Mapping[str, int]) -> Iterator[str]:
    from ...rendering.text import line_width, wrap

    first = "  left out       "
    for reason, number in sorted(left_out.items(), key=lambda item: -item[1]):
        for line in wrap(describe_left_out(reason, number), line_width() - len(first)):
            yield first + line
            first = " " * len(first)


def format_size(size: int) -> str:
    """Format a size.

    >>> format_size(999), format_size(104_200_000)
    ('999 bytes', '104.2 MB')
    """
    amount, unit = float(size), 0
    while amount >= 1000 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{amount:.1f} {_UNITS[unit]}" if unit else f"{size} {_UNITS[0]}"
