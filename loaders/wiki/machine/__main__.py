"""``python -m wayword.loaders.wiki.machine``: compiles the scanner and keeps it, for loads of wikis to come."""

from __future__ import annotations

from .readiness import make_ready

if __name__ == "__main__":
    make_ready()
