"""A release needs a tag that matches the version, and a section of the changelog."""

from __future__ import annotations

import pytest
from tools.release_notes import ROOT, read_version, release_notes

import wayword

CHANGELOG = """# Changelog

## [Unreleased]

## [0.2.0] - 2027-01-31

### Added

- Something.

## [0.1.0] - 2026-12-01

## [0.0.1] - 2026-11-01

### Fixed

- The first thing.
"""


def test_version_is_read_without_importing_the_package() -> None:
    source = (ROOT / "src/wayword/__init__.py").read_text(encoding="utf-8")
    assert read_version(source) == wayword.__version__


def test_source_without_a_version_is_rejected() -> None:
    with pytest.raises(ValueError, match="no line __version__"):
        read_version("version = 1\n")


def test_notes_are_the_section_of_the_version() -> None:
    assert release_notes("v0.2.0", "0.2.0", CHANGELOG) == "### Added\n\n- Something.\n"
    assert release_notes("v0.0.1", "0.0.1", CHANGELOG) == "### Fixed\n\n- The first thing.\n"


@pytest.mark.parametrize(
    ("tag", "version", "reason"),
    [
        ("v0.2.1", "0.2.0", r"the tag v0\.2\.1 is not v0\.2\.0"),
        ("0.2.0", "0.2.0", r"the tag 0\.2\.0 is not v0\.2\.0"),
        ("v0.3.0", "0.3.0", r"no heading ## \[0\.3\.0\]"),
        ("v0.1.0", "0.1.0", r"section \[0\.1\.0\] of CHANGELOG\.md is empty"),
    ],
)
def test_tag_without_version_or_notes_is_rejected(tag: str, version: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        release_notes(tag, version, CHANGELOG)
