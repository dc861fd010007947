"""Names that a package offers and imports only when they are asked for, so that importing the package costs nothing."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # which type checkers take for True; importing typing takes as long as all else here

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any


def lazy_exports(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """Make the ``__getattr__`` of a package.

    Args:
        package: The ``__name__`` of the package.
        homes: The names that each of its modules has, by the module's name relative to the package.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def find(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        found = getattr(import_module(f".{home_of[name]}", package), name)
        setattr(sys.modules[package], name, found)  # so that it is not asked for again
        return found

    return find
