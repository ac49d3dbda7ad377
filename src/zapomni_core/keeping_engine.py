"""What the engine can be asked to keep safe: exports, backups, moves and another model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import structlog

from zapomni_core.errors import ConfigurationError, ValidationError
from zapomni_core.opening import Opening, translated

if TYPE_CHECKING:
    from zapomni_core.embedding import CachedEmbedder
    from zapomni_core.jobs import Progress
    from zapomni_core.keeping.backups import BackedUp
    from zapomni_core.keeping.exporting import Exported
    from zapomni_core.keeping.importing import Imported
    from zapomni_core.keeping.moving import Moved
    from zapomni_core.keeping.reembedding import Reembedded
    from zapomni_core.keeping.restoring import Restored
    from zapomni_core.settings import Settings
    from zapomni_db import Connection, WorkspaceRecord, WorkspaceRegistry
    from zapomni_db.transfer import Transfer

__all__ = ["KeepingEngine"]

_NOT_EMBEDDED = (
    "FALKORDB_URL or FALKORDB_HOST is set, and only the embedded database can be restored in one "
    "step. Set GRAPH_NAME to a new name and use `zapomni import` with an export instead."
)

# The change to another model is one query, over all chunks.
_PATIENCE_S = 150.0
_TRANSFER_S = 60.0

_log = structlog.get_logger()


class KeepingEngine(Opening):
    """Takes memories out and brings them back; no model is loaded unless it is needed."""

    async def export_memories(
        self, file: BinaryIO, *, with_vectors: bool = False, progress: Progress | None = None
    ) -> Exported:
        """Write every memory as a line of JSON."""
        from zapomni_core.keeping.exporting import export_lines  # noqa: PLC0415

        async with self._transfer() as transfer:
            return await export_lines(transfer, file, with_vectors=with_vectors, progress=progress)

    async def export_markdown(self, folder: Path, progress: Progress | None = None) -> int:
        """Write every memory as a Markdown file into an empty folder."""
        from zapomni_core.keeping.markdown import export_markdown  # noqa: PLC0415

        async with self._transfer() as transfer:
            return await export_markdown(transfer, folder, progress)

    async def import_memories(
        self, path: Path, *, is_dry_run: bool = False, progress: Progress | None = None
    ) -> Imported:
        """Add what an export holds and the memory does not; nothing if the file has a flaw."""
        from zapomni_core.keeping.importing import import_export  # noqa: PLC0415

        async with (
            self._database(self.settings) as connection,
            self._model(stored=await self._model_in(connection)) as (model, executor),
        ):
            transfer = await self._transfer_in(connection)
            imported = await import_export(
                path, transfer, model, executor, is_dry_run=is_dry_run, progress=progress
            )
        _log.info("memories_imported", added=imported.added, present=imported.present)
        return imported

    async def back_up(self, path: Path | None = None) -> BackedUp:
        """Make a backup while everything goes on: one file, in the data folder if none is named.

        Of the embedded database it is a copy of all workspaces; of a server, an export of each,
        in a file of its own beside the first.
        """
        from zapomni_core.address import address_of  # noqa: PLC0415
        from zapomni_core.keeping.backups import back_up, backup_name, fresh_path  # noqa: PLC0415
        from zapomni_core.keeping.exports import back_up_by_export  # noqa: PLC0415
        from zapomni_db import EmbeddedAddress  # noqa: PLC0415

        address = address_of(self.settings)
        is_embedded = isinstance(address, EmbeddedAddress)
        name = backup_name(ending="tar" if is_embedded else "jsonl")
        target = await asyncio.to_thread(_target, path, self.settings.data_dir, name)
        fresh_path(target)
        with translated():
            if isinstance(address, EmbeddedAddress):
                return await back_up(address, target)
            async with self._database(self.settings) as connection:
                return await back_up_by_export(await self._all_of(connection), target)

    async def restore(self, path: Path) -> Restored:
        """Put a backup in the place of the embedded database, which is kept aside."""
        from zapomni_core.address import address_of  # noqa: PLC0415
        from zapomni_core.keeping.restoring import restore  # noqa: PLC0415
        from zapomni_db import EmbeddedAddress  # noqa: PLC0415

        address = address_of(self.settings)
        if not isinstance(address, EmbeddedAddress):
            raise ConfigurationError(_NOT_EMBEDDED)
        await self._household.close()
        with translated():
            restored = await restore(path, address.folder.expanduser().absolute())
        _log.info("backup_restored", memories=restored.memories, seconds=restored.seconds)
        return restored

    async def move_to(self, target: Settings, progress: Progress | None = None) -> Moved:
        """Copy every workspace to the database of other settings, and compare.

        Nothing is removed. Workspaces that are not there yet are made.
        """
        from zapomni_core.keeping.moving import Moved, move  # noqa: PLC0415
        from zapomni_db import WorkspaceRegistry  # noqa: PLC0415

        if _place(target) == _place(self.settings):
            raise ValidationError("The target", "is where the memory is already")
        async with (
            self._database(self.settings) as here,
            self._database(target) as there,
            self._model(stored=await self._model_in(here)) as (model, executor),
        ):
            registry = WorkspaceRegistry(there, target.graph_name)
            moved = []
            for record, source in await self._all_of(here):
                arriving = await _transfer_to(there, registry, record)
                moved.append(await move(source, arriving, model, executor, progress))
            return Moved.together(moved)

    async def reembed(self, model: str, progress: Progress | None = None) -> Reembedded:
        """Embed everything with another model while the old one serves, then change over.

        All workspaces do, whichever this engine works in: one model serves them all, and those of
        another could not be opened beside the rest.
        """
        from zapomni_core.keeping.reembedding import reembed, with_model  # noqa: PLC0415
        from zapomni_db import WorkspaceRegistry  # noqa: PLC0415

        chosen = with_model(self.settings, model)
        await self._household.close()
        async with (
            self._database(self.settings, _PATIENCE_S) as connection,
            self._model(chosen) as (embedder, _),
        ):
            registry = WorkspaceRegistry(connection, self.settings.graph_name)
            keyspaces = [registry.keyspace(each.id) for each in await registry.all()]
            done = await reembed(connection, keyspaces, embedder, progress)
        _log.info(
            "memory_reembedded", model=done.model, chunks=done.chunks, ms=done.seconds * 1000
        )
        return done

    @asynccontextmanager
    async def _database(
        self, settings: Settings, timeout_s: float = _TRANSFER_S
    ) -> AsyncIterator[Connection]:
        from zapomni_core.address import address_of  # noqa: PLC0415
        from zapomni_db import Connection  # noqa: PLC0415

        connection = Connection(address_of(settings), timeout_s=timeout_s)
        with translated():
            await connection.open()
            try:
                yield connection
            finally:
                await connection.close()

    @asynccontextmanager
    async def _transfer(self) -> AsyncIterator[Transfer]:
        """Connect to the workspace of this engine for as long as the block runs."""
        async with self._database(self.settings) as connection:
            yield await self._transfer_in(connection)

    async def _transfer_in(self, connection: Connection) -> Transfer:
        from zapomni_core.workspace_names import find_workspace  # noqa: PLC0415
        from zapomni_db import WorkspaceRegistry  # noqa: PLC0415
        from zapomni_db.transfer import open_transfer  # noqa: PLC0415

        registry = WorkspaceRegistry(connection, self.settings.graph_name)
        record = await find_workspace(registry, self.workspace)
        return await open_transfer(connection, registry.keyspace(record.id))

    async def _all_of(self, connection: Connection) -> list[tuple[WorkspaceRecord, Transfer]]:
        from zapomni_db import WorkspaceRegistry  # noqa: PLC0415
        from zapomni_db.transfer import open_transfer  # noqa: PLC0415

        registry = WorkspaceRegistry(connection, self.settings.graph_name)
        return [
            (record, await open_transfer(connection, registry.keyspace(record.id)))
            for record in await registry.all()
        ]

    async def _model_in(self, connection: Connection) -> str | None:
        from zapomni_db.inspection import stored_model  # noqa: PLC0415

        return await stored_model(connection, self.settings.graph_name, self.workspace)

    @asynccontextmanager
    async def _model(
        self, settings: Settings | None = None, *, stored: str | None = None
    ) -> AsyncIterator[tuple[CachedEmbedder, ThreadPoolExecutor]]:
        """Open a model: the given one, that of some settings, or else that of the memory."""
        from zapomni_core.embedding import open_embedder  # noqa: PLC0415
        from zapomni_core.embedding.stored import open_stored_embedder  # noqa: PLC0415

        given = self._embedder if settings is None else None
        chosen = (settings or self.settings).model_copy(update={"embedding_cache_size": 0})
        with ThreadPoolExecutor(chosen.cpu_workers, thread_name_prefix="zapomni-keep") as executor:
            if stored is None or given is not None or chosen.embedding_model is not None:
                embedder = open_embedder(chosen, executor, given)
            else:
                embedder = open_stored_embedder(chosen, executor, stored)
            try:
                yield embedder, executor
            finally:
                await embedder.close()


async def _transfer_to(
    connection: Connection, registry: WorkspaceRegistry, record: WorkspaceRecord
) -> Transfer:
    """Open the workspace of the same name, and make it if there is none."""
    from zapomni_db.transfer import open_transfer  # noqa: PLC0415

    there = await registry.get(record.name) or await registry.create(
        record.name, record.description, record.created_ms or 0
    )
    if there is None:
        raise ValidationError("The target", "is being written to by somebody else; try again")
    return await open_transfer(connection, registry.keyspace(there.id))


def _target(path: Path | None, data_dir: Path, name: str) -> Path:
    if path is None:
        folder = data_dir / "backups"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder / name
    return path / name if path.is_dir() else path


def _place(settings: Settings) -> tuple[object, str]:
    from zapomni_core.address import address_of  # noqa: PLC0415

    return address_of(settings), settings.graph_name
