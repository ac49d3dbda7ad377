"""What can go wrong below the engine, and the one place where driver errors become ours.

StoreError
├─ StoreUnavailable   dead, hung or unreachable; a retry may help
├─ StoreRefused       the server said no: wrong password, disk full, not a FalkorDB
├─ StoreMismatch      written by a newer Zapomni, or with another embedding model
└─ DataFolderUnusable the embedded store cannot live in the configured folder
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from redis import exceptions as driver

__all__ = [
    "DataFolderUnusable",
    "StoreError",
    "StoreMismatch",
    "StoreRefused",
    "StoreUnavailable",
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


_UNAVAILABLE = (
    driver.ConnectionError,
    driver.TimeoutError,
    driver.BusyLoadingError,
    driver.ClusterDownError,
    driver.ClusterError,
    driver.TryAgainError,
    driver.AskError,  # and MovedError: the key has moved to another node
    driver.RedisClusterException,  # no RedisError: no node reachable, or a slot without one
    OSError,
)
_REFUSED = (driver.AuthenticationError, driver.AuthorizationError, driver.NoPermissionError)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise the store's own error for whatever the driver raises inside the block."""
    try:
        yield
    except _REFUSED as exc:
        raise StoreRefused("The database refused the credentials; check FALKORDB_URL.") from exc
    except _UNAVAILABLE as exc:
        raise StoreUnavailable(f"The database does not answer ({type(exc).__name__}).") from exc
    except driver.RedisError as exc:
        raise _refusal(exc) from exc


def _refusal(exc: driver.RedisError) -> StoreError:
    reason = str(exc)
    if isinstance(exc, driver.OutOfMemoryError) or "MISCONF" in reason:
        return StoreRefused("The database cannot write: its disk or memory is full.")
    if "unknown command" in reason:
        return StoreRefused("The server at FALKORDB_HOST is not a FalkorDB.")
    if "Query timed out" in reason or "Max pending queries" in reason:
        return StoreUnavailable("The database is too busy to answer in time.")
    return StoreError(f"The database failed: {type(exc).__name__}.")
