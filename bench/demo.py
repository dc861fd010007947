"""``make demo`` on what a fresh clone would have, with the package cache as it is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from .measure import run, short
from .report import goal, goals
from .setting import LeftOut

if TYPE_CHECKING:
    from .setting import Setting

ROOT = Path(__file__).parents[1]


def measure(setting: Setting) -> str:
    """The section about the first thing that a newcomer types."""
    clone = setting.folder / "clone"
    _copy(clone)
    setting.note("make demo, in a copy of the repository")
    done = run(["make", "demo"], cwd=clone, watch=False)
    picture = clone / "demo" / "enclose-birdcage.svg"
    if not picture.is_file():
        raise RuntimeError(f"make demo drew no {picture.name}: {done.said[-300:]}")
    return "\n\n".join(
        [
            goals(goal("`make demo`", f"{short(done.seconds)} s", "under 120 s", done.seconds < 120)),
            "Once, in a copy of the files that git would clone; packages come from pip's cache, WordNet from where "
            "`wayword load wordnet` finds it first.",
        ]
    )


def _copy(clone: Path) -> None:
    """Everything that is committed or would be, nothing that a target of the Makefile has made."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise LeftOut(f"needs git and a checkout ({error})") from None
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_symlink() or (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name, follow_symlinks=False)
