"""Check an installed wayword: its version, a load of a small WordNet, a score, and the code in C.

Usage: python tools/smoke_test.py COMMAND [VERSION], such as `python tools/smoke_test.py venv/bin/wayword 0.1.0`
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

WORDNET = """<?xml version="1.0" encoding="UTF-8"?>
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
<Lexicon id="en" label="Small" language="en" email="nobody@example.org" license="MIT" version="1">
  <LexicalEntry id="en-toilet"><Lemma writtenForm="toilet" partOfSpeech="n"/>
    <Sense id="en-toilet-1" synset="en-1-n"/></LexicalEntry>
  <LexicalEntry id="en-public-toilet"><Lemma writtenForm="public toilet" partOfSpeech="n"/>
    <Sense id="en-public-toilet-1" synset="en-2-n"/></LexicalEntry>
  <Synset id="en-1-n" ili="" partOfSpeech="n"/>
  <Synset id="en-2-n" ili="" partOfSpeech="n"><SynsetRelation relType="hypernym" target="en-1-n"/></Synset>
</Lexicon>
</LexicalResource>
"""
EXPECTED = 0.99
"""The score of one specialisation from a synset with one hyponym: equation (3.2) of the thesis."""


def run(command: str, *arguments: str, store: Path) -> str:
    """Return what a command prints; exit with its output if it fails."""
    environment = {**os.environ, "WAYWORD_STORE": str(store)}
    ran = subprocess.run([command, *arguments], env=environment, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise SystemExit(f"wayword {' '.join(arguments)} exited with {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def main() -> None:
    """Run the checks and exit with 1 at the first that fails."""
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python tools/smoke_test.py COMMAND [VERSION]")
    command, version = sys.argv[1], "".join(sys.argv[2:])
    with tempfile.TemporaryDirectory() as folder:
        store, source = Path(folder) / "graph", Path(folder) / "wordnet.xml"
        source.write_text(WORDNET, encoding="utf-8")
        if (found := run(command, "--version", store=store).strip()) != f"wayword {version}" and version:
            sys.exit(f"--version printed {found!r}, not 'wayword {version}'")
        run(command, "load", "wordnet", str(source), store=store)
        arguments = ("score", "toilet", "public toilet", "--profile", "thesis", "--json")
        score = json.loads(run(command, *arguments, store=store))["score"]
        if abs(score - EXPECTED) > 1e-9:
            sys.exit(f"toilet -> public toilet scored {score}, not {EXPECTED}")
        native = json.loads(run(command, "info", "--json", store=store))["native"]
        if set(native.values()) != {"C"}:
            sys.exit(f"the code in C is missing: {native}")


if __name__ == "__main__":
    main()
