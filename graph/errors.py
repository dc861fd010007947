"""The errors of stores and of Cypher statements."""

from __future__ import annotations

from ..core.errors import WaywordError


class StoreError(WaywordError):
    """A store cannot be used, or a load into it failed."""


class StoreMissing(StoreError):
    """There is no store at this address, or it has no base."""


class StoreUnreadable(StoreError):
    """The address leads to something that is not a wayword store, is damaged, or has another format."""


class StoreDamaged(StoreUnreadable):
    """The store's file has changed since it was written, by damage or by another program."""


class EngineFault(StoreError):
    """The engine failed on a file that is as it was written: a fault of the engine or of wayword, not of the user."""

    exit_code = 1


class StoreBusy(StoreError):
    """Another load holds the lock of the store."""


class StoreUnreachable(StoreError):
    """The server does not answer, or refuses the credentials."""


class StoreFull(StoreError):
    """The store cannot be written: no disk space, no memory, or no permission."""


class LoadError(StoreError):
    """A load was refused; the store is unchanged."""


class BaseMissing(StoreError):
    """The store has no base of this name."""


class UnloadError(StoreError):
    """A base cannot be removed; the store is unchanged."""


class CypherError(WaywordError):
    """A user's Cypher statement failed."""


class CypherRefused(CypherError):
    """The statement, a parameter or a limit is not allowed: only one read-only statement may run."""


class CypherSyntax(CypherError):
    """The engine cannot parse the statement."""


class CypherTimeout(CypherError):
    """The statement took longer than its time limit."""


class CypherFailed(CypherError):
    """The statement failed while it ran."""
