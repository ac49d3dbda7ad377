"""The embedded database's log on disk: write it anew, without what was removed."""

from __future__ import annotations

import asyncio

from zapomni_db.connection import Connection
from zapomni_db.errors import StoreError

__all__ = ["rewrite_log"]

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


async def _wait(connection: Connection) -> dict[str, object]:
    while True:
        about: dict[str, object] = await connection.execute("INFO", "persistence")
        if not about["aof_rewrite_in_progress"] and not about["aof_rewrite_scheduled"]:
            return about
        await asyncio.sleep(_PAUSE_S)
