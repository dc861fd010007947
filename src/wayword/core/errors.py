"""The base class of every error that wayword raises on purpose."""

from __future__ import annotations


class WaywordError(Exception):
    """Base of all errors that wayword raises on purpose."""

    exit_code = 2
