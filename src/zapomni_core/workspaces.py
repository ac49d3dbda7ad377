"""The workspaces of an engine: opened at first use, closed when they rest, made and deleted."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module

import structlog

from zapomni_core.errors import ValidationError
from zapomni_core.models import WorkspaceDeleted, WorkspaceInfo, moment_of
from zapomni_core.retrieval.periods.mentions import warm_up
from zapomni_core.shared import SharedParts
from zapomni_core.workspace import Workspace
from zapomni_core.workspace_names import find_workspace, unknown_workspace
from zapomni_db import DEFAULT_WORKSPACE, StoreError, WorkspaceRecord, WorkspaceRegistry

__all__ = ["Workspaces"]

# Each holds its word index in memory: about 1 kB for a chunk.
_MOST_OPEN = 8
# Calls in flight get this long to end before a workspace goes.
_PATIENCE_S = 5.0

_log = structlog.get_logger()


@dataclass(slots=True)
class _Open:
    workspace: Workspace
    users: int = 0
    is_free: asyncio.Event = field(default_factory=asyncio.Event)


class Workspaces:
    """Separate memories behind one connection and one model."""

    def __init__(self, shared: SharedParts) -> None:
        self._shared = shared
        self._registry = WorkspaceRegistry(shared.connection, shared.settings.graph_name)
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._opening = asyncio.Lock()
        self._closing: set[asyncio.Task[None]] = set()
        self._is_complete = False

    async def open(self) -> None:
        """Finish what an ended process was deleting; the database is open by now."""
        self._shared.begin()
        try:
            await self._shared.follow_store()
            await self._finish_deletions()
        except BaseException:
            await self._shared.close()
            raise

    async def complete(self) -> None:
        """Have every workspace, and those that are opened later, do all that it can do.

        Until then each loads what is asked of it besides searching when it is asked.
        """
        await asyncio.to_thread(_load_the_rest)
        self._is_complete = True
        for entry in self._open.values():
            _ = entry.workspace.parts

    async def close(self) -> None:
        """Close every workspace and leave the database."""
        async with self._opening:
            entries = list(self._open.values())
            self._open.clear()
        try:
            await asyncio.gather(*self._closing, return_exceptions=True)
            for entry in entries:
                await entry.workspace.close()
        finally:
            await self._shared.close()

    @property
    def is_unused(self) -> bool:
        """Whether no workspace is open, nor being opened."""
        return not self._open and not self._opening.locked()

    def opened(self, name: str) -> Workspace | None:
        """Return a workspace if it is open."""
        return entry.workspace if (entry := self._open.get(name)) else None

    @asynccontextmanager
    async def using(self, name: str) -> AsyncIterator[Workspace]:
        """Open a workspace that exists, and keep it open for as long as the block runs."""
        entry = self._open.get(name) or await self._opened(name)
        if name in self._open:
            self._open.move_to_end(name)
        entry.users += 1
        entry.is_free.clear()
        try:
            yield entry.workspace
        except StoreError:
            await self._check_that_it_is_there(name, entry)
            raise
        finally:
            entry.users -= 1
            if not entry.users:
                entry.is_free.set()

    async def create(self, name: str, description: str) -> WorkspaceInfo:
        """Make a new, empty workspace."""
        record = await self._registry.create(name, description, time.time_ns() // 1_000_000)
        if record is None:
            raise ValidationError("name", f"{name!r} is taken: there is such a workspace already")
        _log.info("workspace_created", workspace=name)
        return _info(record, 0, current="")

    async def all(self, current: str) -> list[WorkspaceInfo]:
        """List the workspaces, the default one first."""
        await self._finish_deletions()
        records = await self._registry.all()
        counts = await self._registry.memories(records)
        return [_info(one, n, current) for one, n in zip(records, counts, strict=True)]

    async def find(self, name: str, current: str) -> WorkspaceInfo:
        """Return a workspace by its name."""
        record = await find_workspace(self._registry, name, "name")
        (memories,) = await self._registry.memories([record])
        return _info(record, memories, current)

    async def delete(self, name: str) -> WorkspaceDeleted:
        """Delete a workspace with everything in it; what a crash cuts off is finished later."""
        record = await find_workspace(self._registry, name, "name")
        (memories,) = await self._registry.memories([record])
        if not await self._has_marked(record):
            raise await unknown_workspace(self._registry, name, "name")
        async with self._opening:
            entry = self._open.pop(name, None)
        if entry is not None:
            await self._close(entry)
        await self._sweep(record.id)
        await self._finish_deletions()
        _log.warning("workspace_deleted", workspace=name, memories=memories)
        return WorkspaceDeleted(name, memories)

    async def _opened(self, name: str) -> _Open:
        async with self._opening:
            if entry := self._open.get(name):
                return entry
            record = await find_workspace(self._registry, name)
            workspace = Workspace(self._shared, self._registry.keyspace(record.id), name)
            await workspace.open()
            if await self._registry.get(name) != record:  # deleted while it was being opened
                await workspace.close()
                await self._sweep(record.id)
                raise await unknown_workspace(self._registry, name)
            if self._is_complete:
                _ = workspace.parts
            entry = self._open[name] = _Open(workspace)
            self._make_room(entry)
            return entry

    def _make_room(self, newest: _Open) -> None:
        """Close those that nobody has used for the longest time, if nobody uses them now."""
        resting = [
            (name, entry)
            for name, entry in self._open.items()
            if entry is not newest and not entry.users and not entry.workspace.is_busy
        ]
        for name, entry in resting[: max(len(self._open) - _MOST_OPEN, 0)]:
            del self._open[name]
            closing = asyncio.create_task(self._close(entry))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    async def _close(self, entry: _Open) -> None:
        if entry.users:
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE_S):
                    await entry.is_free.wait()
        await entry.workspace.close()
        _log.info("workspace_closed", workspace=entry.workspace.name)

    async def _check_that_it_is_there(self, name: str, entry: _Open) -> None:
        """Put a failure in words if its reason is that another process has deleted all this."""
        record = await self._registry.get(name)
        if record is not None and record.id == entry.workspace.keyspace.workspace:
            return
        if self._open.get(name) is entry:
            del self._open[name]
            await entry.workspace.close()
            await self._sweep(entry.workspace.keyspace.workspace)
        raise await unknown_workspace(self._registry, name, why="was deleted meanwhile")

    async def _has_marked(self, record: WorkspaceRecord) -> bool:
        if record.name == DEFAULT_WORKSPACE:
            raise ValidationError(
                "name", "cannot be default: that workspace always exists; clear_all empties it"
            )
        return await self._registry.mark(record)

    async def _sweep(self, workspace_id: str) -> None:
        await self._registry.sweep(workspace_id)
        await self._forget_files(workspace_id)

    async def _finish_deletions(self) -> None:
        for workspace_id in await self._registry.finish():
            await self._forget_files(workspace_id)

    async def _forget_files(self, workspace_id: str) -> None:
        keyspace = self._registry.keyspace(workspace_id)
        await asyncio.to_thread(self._shared.forget_files, keyspace)


def _load_the_rest() -> None:
    """Do ahead of the first call what a single search can do without."""
    import_module("zapomni_core.parts")
    warm_up()


def _info(record: WorkspaceRecord, memories: int, current: str) -> WorkspaceInfo:
    return WorkspaceInfo(
        name=record.name,
        description=record.description,
        created=None if record.created_ms is None else moment_of(record.created_ms),
        memories=memories,
        is_default=record.name == DEFAULT_WORKSPACE,
        is_current=record.name == current,
    )
