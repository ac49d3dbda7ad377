"""The registry of a graph's workspaces, and the end of one.

Each workspace has an id of its own that names its keys and never comes again. So whatever is
late (a deletion that a crash cut off, a process that has not heard of one) touches only keys that
nobody will ever look at, even if the name is taken by a new workspace meanwhile.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import NamedTuple

import orjson

from zapomni_db.connection import Connection
from zapomni_db.errors import StoreError
from zapomni_db.graph import Graph
from zapomni_db.keyspace import DEFAULT_WORKSPACE, Keyspace, check_name
from zapomni_db.replies import rows

__all__ = ["WorkspaceRecord", "WorkspaceRegistry"]

# Enough to recognise the workspace by its keys; the rest tells it from all others.
_CHARS_OF_NAME = 40
# The name is free and the end is noted in one step, unless the name is somebody else's by now.
_MARK = """
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('SADD', KEYS[2], ARGV[3])
return redis.call('HDEL', KEYS[1], ARGV[1])
"""


class WorkspaceRecord(NamedTuple):
    """A workspace, and the id that stands for it in its keys."""

    name: str
    id: str
    created_ms: int | None = None
    description: str = ""


DEFAULT = WorkspaceRecord(DEFAULT_WORKSPACE, DEFAULT_WORKSPACE)


class WorkspaceRegistry:
    """The workspaces of one graph; the default one is always there."""

    def __init__(self, connection: Connection, graph_name: str) -> None:
        self._connection = connection
        self._graph_name = graph_name
        self._key = f"{{{check_name(graph_name)}}}:workspaces"
        self._ending = f"{self._key}:ending"

    async def all(self) -> list[WorkspaceRecord]:
        """List the workspaces: the default one, then the oldest first."""
        found = await self._connection.execute("HGETALL", self._key)
        records = [_record(name.decode(), value) for name, value in found.items()]
        return [DEFAULT, *sorted(records, key=lambda one: (one.created_ms, one.name))]

    async def get(self, name: str) -> WorkspaceRecord | None:
        """Look a workspace up."""
        if name == DEFAULT_WORKSPACE:
            return DEFAULT
        found = await self._connection.execute("HGET", self._key, check_name(name))
        return None if found is None else _record(name, found)

    async def create(self, name: str, description: str, created_ms: int) -> WorkspaceRecord | None:
        """Make a new, empty workspace; None if the name is taken."""
        own_id = f"{check_name(name)[:_CHARS_OF_NAME]}.{uuid.uuid4().hex[:12]}"
        record = WorkspaceRecord(name, own_id, created_ms, description)
        if name == DEFAULT_WORKSPACE:
            return None
        await self._connection.execute("HSETNX", self._key, name, _written(record))
        # Not by the reply: a command that was sent twice has met itself.
        return record if await self.get(name) == record else None

    async def mark(self, record: WorkspaceRecord) -> bool:
        """Take the name away and note that the keys are to go; False if it was gone already."""
        if record.id == DEFAULT_WORKSPACE:
            raise ValueError("the default workspace always exists")
        keys = (self._key, self._ending)
        marking = ("EVAL", _MARK, 2, *keys, record.name, _written(record), record.id)
        await self._connection.execute(*marking)
        return bool(await self._connection.execute("SISMEMBER", self._ending, record.id))

    async def finish(self) -> list[str]:
        """Remove the keys of what was marked, here or by a process that ended; return the ids."""
        marked = await self._connection.execute("SMEMBERS", self._ending)
        ids = sorted(member.decode() for member in marked)
        for workspace_id in ids:
            await self.sweep(workspace_id)
            await self._connection.execute("SREM", self._ending, workspace_id)
        return ids

    async def sweep(self, workspace_id: str) -> None:
        """Remove every key of an id that stands for no workspace any more."""
        if workspace_id == DEFAULT_WORKSPACE:
            raise ValueError("the default workspace always exists")
        pattern = self.keyspace(workspace_id).pattern
        # Again until there is nothing: somebody may have been in the middle of a write.
        while keys := await self._connection.keys(pattern):
            await self._connection.pipeline([("UNLINK", key) for key in keys])

    async def memories(self, records: Sequence[WorkspaceRecord]) -> list[int]:
        """Count the memories of workspaces."""
        keys = [self.keyspace(one.id).graph for one in records]
        are_there = await self._connection.pipeline([("EXISTS", key) for key in keys])
        graphs = [
            Graph(self._connection, key) for key, n in zip(keys, are_there, strict=True) if n
        ]
        counting = [each.reading("MATCH (m:Memory) RETURN count(m)", {}) for each in graphs]
        counts = iter(await self._connection.pipeline(counting) if counting else [])
        return [int(rows(next(counts))[0][0]) if is_there else 0 for is_there in are_there]

    def keyspace(self, workspace_id: str) -> Keyspace:
        """Name the keys of an id."""
        return Keyspace(self._graph_name, workspace_id)


def _written(record: WorkspaceRecord) -> bytes:
    fields = {
        "id": record.id,
        "created_ms": record.created_ms,
        "description": record.description,
    }
    return orjson.dumps(fields)


def _record(name: str, value: bytes) -> WorkspaceRecord:
    try:
        return WorkspaceRecord(name, **orjson.loads(value))
    except (ValueError, TypeError) as exc:
        raise StoreError(f"The entry of the workspace {name} cannot be read.") from exc
