"""The scoring of a file of pairs as a run of the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .graph.files import file_facts
from .search.opening import choose_base

if TYPE_CHECKING:
    from .columns import Wanted
    from .commands.questions import Question
    from .evaluation.ledger.recording import Asked
    from .graph.store import Store

KIND = "pairs"


def asked_of(question: Question, store: Store, source: str, wanted: Wanted | None, *, skip_bad: bool) -> Asked:
    """What is asked, as the ledger keeps it."""
    from .evaluation.ledger.recording import Asked

    named: tuple[str | None, ...] = tuple(question.options.get("base") or ()) or (None,)
    bases = [choose_base(store, each) for each in named]
    file = source if source == "-" else str(Path(source).resolve())
    parameters = {"file": file, "skip_bad": skip_bad, **({} if wanted is None else asdict(wanted)), **_plain(question.options)}
    return Asked(
        KIND,
        parameters,
        store.address,
        [{"id": each.id, "kind": each.kind, "source": each.source, "revision": each.revision} for each in bases],
        determines={"facts": None if source == "-" else file_facts(Path(source))},
    )


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a question in words and numbers, those alone that say something."""
    said = {name: value for name, value in options.items() if value is not None and value is not False}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()}
