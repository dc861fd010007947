"""The time of ``make demo`` in a fresh clone, with the current package cache."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from .measure import run, short
from .report import goal, goals
from .setting import NotAvailable

if TYPE_CHECKING:
    from .setting import Setting

ROOT = Path(__file__).parents[1]


def measure(setting: Setting) -> str:
    """Measure ``make demo``."""
    clone = setting.folder / "clone"
    _copy_checkout(clone)
    setting.note("make demo, in a copy of the repository")
    done = run(["make", "demo"], cwd=clone, watch=False)
    picture = clone / "demo" / "enclose-birdcage.svg"
    if not picture.is_file():
        raise RuntimeError(f"make demo drew no {picture.name}: {done.output[-300:]}")
    return "\n\n".join(
        [
            goals(goal("`make demo`", f"{short(done.seconds)} s", "under 120 s", done.seconds < 120)),
            "Once, in a copy of the files that git would clone. Packages come from pip's cache, and WordNet from the first "
            "place where `wayword load wordnet` finds one.",
        ]
    )


def _copy_checkout(clone: Path) -> None:
    """Copy the files that git tracks or would track, but nothing that the Makefile creates."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotAvailable(f"needs git and a checkout ({error})") from None
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_symlink() or (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name, follow_symlinks=False)
