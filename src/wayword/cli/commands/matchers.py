"""``wayword matchers``: the matchers that can be named."""

from __future__ import annotations

import click

from ..output import print_json, print_text, terminal_width


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def matchers(as_json: bool) -> None:
    """List the matchers that score pairs, for --matcher of score and evaluate.

    Those that end in _stem compare stems instead of words. Packages add matchers by an entry point of the group
    wayword.matchers.
    """
    from ...evaluation.matchers.registry import list_matchers
    from ...rendering.tables import align_columns

    listed = list_matchers()
    if as_json:
        print_json({"matchers": [each.to_dict() for each in listed]})
        return
    header = ["matcher", "compares", "needs"]
    rows = [[each.name, each.problem or each.description, f"--{each.needs}" if each.needs else ""] for each in listed]
    if any(each.package for each in listed):
        header.append("package")
        rows = [[*row, each.package or "wayword"] for row, each in zip(rows, listed, strict=True)]
    print_text(align_columns(header, rows, width=terminal_width(), spare=["package", "needs"]))
