"""Every store class is covered by the contract tests."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

from wayword import graph
from wayword.graph.store import Store

from ...support.stores import CLASSES, STORES


def _is_store(member: object) -> bool:
    methods = {name for name, value in vars(Store).items() if inspect.isfunction(value) and not name.startswith("_")}
    return inspect.isclass(member) and member is not Store and methods <= set(dir(member))


def test_every_store_class_is_tested() -> None:
    classes = set()
    for module in pkgutil.walk_packages(graph.__path__, f"{graph.__name__}."):
        loaded = importlib.import_module(module.name)
        classes |= {name for name, member in inspect.getmembers(loaded, _is_store) if member.__module__ == module.name}
    assert classes == set(CLASSES)
    assert set(CLASSES.values()) == set(STORES)
