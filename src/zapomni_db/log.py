"""The embedded database's log on disk: write it anew, without what was removed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from zapomni_db.connection import Connection
from zapomni_db.embedded import REWRITTEN_AT_PERCENT
from zapomni_db.errors import StoreError

__all__ = ["log_left_alone", "rewrite_log"]

_PAUSE_S = 0.02


async def rewrite_log(connection: Connection) -> bool:
    """Start a rewrite and wait for its end; tell whether it went well."""
    await _wait(connection)  # one that began earlier may still write what is gone
    try:
        await connection.execute("BGREWRITEAOF")
    except StoreError as exc:
        if "in progress" not in str(exc.__cause__):
            raise
    return (await _wait(connection))["aof_last_bgrewrite_status"] == "ok"


@asynccontextmanager
async def log_left_alone(connection: Connection) -> AsyncIterator[None]:
    """Keep the database from rewriting its log again and again while much is written.

    It does so ten times while Django is indexed, and once, when it is allowed to, afterwards.
    Nothing is lost if nobody gets to the end of this: the log is rewritten when the last user
    of the database has gone.
    """
    if connection.mode != "embedded":
        yield
        return
    await _rewrite_at(connection, 0)
    try:
        yield
    finally:
        await _rewrite_at(connection, REWRITTEN_AT_PERCENT)


async def _rewrite_at(connection: Connection, percent: int) -> None:
    await connection.execute("CONFIG", "SET", "auto-aof-rewrite-percentage", percent)


async def _wait(connection: Connection) -> dict[str, object]:
    while True:
        about: dict[str, object] = await connection.execute("INFO", "persistence")
        if not about["aof_rewrite_in_progress"] and not about["aof_rewrite_scheduled"]:
            return about
        await asyncio.sleep(_PAUSE_S)
