"""The pages that are kept true by ``docs/refresh.py``, for the tests that hold them to it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def _refresh() -> Any:
    spec = importlib.util.spec_from_file_location("refresh", ROOT / "docs/refresh.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


refresh = _refresh()
