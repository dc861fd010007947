"""Compile the scanner and cache it, so that later loads of wikis start at once: ``python -m`` this module."""

from __future__ import annotations

from .compile_cache import make_ready

if __name__ == "__main__":
    make_ready()
