"""Every error a user can mend, under one base class.

Each message says what failed, with which value, and what to do next; the command line prints it as one line and ends with
the error's exit code. Rooms that know this one (loaders, search, the command line) add their own branches below these.
"""

from __future__ import annotations

from ..core.errors import WaywordError


class StoreError(WaywordError):
    """Something is wrong with a store as a whole."""


class StoreMissing(StoreError):
    """There is no store at this address, or it holds no base."""


class StoreUnreadable(StoreError):
    """The address leads to something that is not a store of ours, is damaged, or is of another version."""


class StoreBusy(StoreError):
    """Another load holds the store."""


class StoreUnreachable(StoreError):
    """The server does not answer, or does not let us in."""


class StoreFull(StoreError):
    """There is no room, or no permission, to write the store."""


class LoadError(StoreError):
    """A load was refused; the store is as it was before."""


class CypherError(WaywordError):
    """A statement of the user's failed."""


class CypherRefused(CypherError):
    """The statement is not a single read-only statement; it was not sent to an engine."""


class CypherSyntax(CypherError):
    """The engine could not understand the statement."""


class CypherTimeout(CypherError):
    """The statement took longer than its time limit."""


class CypherFailed(CypherError):
    """The engine understood the statement and could not carry it out."""
