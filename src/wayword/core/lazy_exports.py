"""Lazy exports: names of a package that are imported at first use, so that importing the package is fast."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # type checkers assume True; importing typing would take longer than this module

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any


def lazy_exports(package: str, exports: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """Create the ``__getattr__`` of a package.

    Args:
        package: The ``__name__`` of the package.
        exports: The names to export, by the module that defines them, relative to the package.
    """
    module_of = {name: module for module, names in exports.items() for name in names}

    def load(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f".{module_of[name]}", package), name)
        setattr(sys.modules[package], name, value)  # so that __getattr__ is not called again
        return value

    return load
