"""LaTeX tables with the rules of booktabs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .text import clean

_ESCAPES = str.maketrans(
    {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
)


def format_latex(caption: str, header: Sequence[str], rows: Sequence[Sequence[Any]], columns: str | None = None) -> str:
    r"""Format rows as a LaTeX table.

    Numbers with a fraction are rounded to two decimal places; None becomes a dash. ``columns`` is the column specification, by
    default left-aligned for the first column and right-aligned for the others.

    >>> print(format_latex("Synonyms", ("tag", "distance"), [("#flu", 0.125), ("#cold", None)]))
    \begin{table}
      \centering
      \caption{Synonyms}
      \begin{tabular}{lr}
        \toprule
        tag & distance \\
        \midrule
        \#flu & 0.12 \\
        \#cold & -- \\
        \bottomrule
      \end{tabular}
    \end{table}
    """
    lines = [r"\begin{table}", r"  \centering", rf"  \caption{{{_escape(caption)}}}"]
    lines += [rf"  \begin{{tabular}}{{{columns or 'l' + 'r' * (len(header) - 1)}}}", r"    \toprule"]
    lines += [f"    {' & '.join(_escape(name) for name in header)} \\\\", r"    \midrule"]
    lines += [f"    {' & '.join(map(_cell, row))} \\\\" for row in rows]
    return "\n".join([*lines, r"    \bottomrule", r"  \end{tabular}", r"\end{table}"])


def _cell(value: Any) -> str:
    if value is None:
        return "--"
    return _escape(f"{value:.2f}" if isinstance(value, float) else str(value))


def _escape(text: str) -> str:
    return clean(text).translate(_ESCAPES)
