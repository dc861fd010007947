"""Compile the scanner and cache it, so that later loads of wikis start at once: run this module with ``python -m``."""

from __future__ import annotations

from .compile_cache import compile_scanner

if __name__ == "__main__":
    compile_scanner()
