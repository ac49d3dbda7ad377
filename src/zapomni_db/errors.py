"""What can go wrong below the engine, and how the refusals of a database become ours.

StoreError
├─ StoreUnavailable   dead, hung or unreachable; a retry may help
├─ StoreRefused       the server said no: wrong password, disk full, not a FalkorDB
├─ StoreMismatch      written by a newer Zapomni, or with another embedding model
└─ DataFolderUnusable the embedded store cannot live in the configured folder
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from zapomni_db.protocol import ResponseError

__all__ = [
    "DataFolderUnusable",
    "StoreError",
    "StoreMismatch",
    "StoreRefused",
    "StoreUnavailable",
    "refusal",
    "translated_errors",
]


class StoreError(Exception):
    """The store could not do what was asked."""


class StoreUnavailable(StoreError):
    """The database does not answer; trying again may help."""


class StoreRefused(StoreError):
    """The database answered with a refusal; trying again will not help."""


class StoreMismatch(StoreError):
    """The store holds data that this configuration must not touch."""


class DataFolderUnusable(StoreError):
    """The embedded database cannot keep its files in the configured folder."""


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise the store's own error for whatever a connection raises inside the block."""
    try:
        yield
    except OSError as exc:
        raise StoreUnavailable(f"The database does not answer ({type(exc).__name__}).") from exc
    except ResponseError as exc:
        raise refusal(str(exc), type(exc).__name__) from exc


def refusal(reason: str, kind: str) -> StoreError:
    """Put what the database says in the store's words."""
    if reason.startswith("LOADING"):
        return StoreUnavailable("The database is still starting.")
    if reason.startswith("OOM") or "MISCONF" in reason:
        return StoreRefused("The database cannot write: its disk or memory is full.")
    if "unknown command" in reason:
        return StoreRefused("The server at FALKORDB_HOST is not a FalkorDB.")
    if "Query timed out" in reason or "Max pending queries" in reason:
        return StoreUnavailable("The database is too busy to answer in time.")
    return StoreError(f"The database failed: {kind}.")
