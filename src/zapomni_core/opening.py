"""Open the parts of the engine when the first call needs them, and close them."""

from __future__ import annotations

import asyncio
import copy
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Self

from zapomni_core.errors import ConfigurationError, DatabaseError
from zapomni_core.settings import Settings, load_settings
from zapomni_core.validation import parse_workspace

if TYPE_CHECKING:
    from zapomni_core.embedding.protocol import Embedder
    from zapomni_core.retrieval.recipe import Recipe
    from zapomni_core.workspace import Workspace
    from zapomni_core.workspaces import Workspaces
    from zapomni_db import Connection

__all__ = ["Opening", "milliseconds_since", "translated"]

_RETRY = "Database temporarily unavailable. Please retry in a few seconds."


class Opening:
    """Cheap to create: the database and the model are opened by the first call."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        recipe: Recipe | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self.settings = settings or load_settings()
        self._embedder = embedder
        self._household = _Household(self.settings, recipe, embedder)
        self._is_view = False

    async def __aenter__(self) -> Self:
        await self.initialize()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def workspace(self) -> str:
        """The name of the workspace that this engine works in."""
        return self.settings.workspace

    def within(self, workspace: str) -> Self:
        """Return this engine as it works in another workspace, which need not be open yet.

        Both share everything that is open; closing the one that is returned closes nothing.
        """
        view = copy.copy(self)
        name = parse_workspace(workspace)
        view.settings = self.settings.model_copy(update={"workspace": name})
        view._is_view = True  # noqa: SLF001  (a copy of this very object)
        return view

    async def initialize(self) -> None:
        """Open the database, load the model and all parts; safe to call again."""
        try:
            async with self._working():
                await self._household.complete()
        except BaseException:
            await self._household.close_unless_used()
            raise

    async def close(self) -> None:
        """Leave the database."""
        if not self._is_view:
            await self._household.close()

    @property
    def _workspace(self) -> Workspace | None:
        return self._household.opened(self.workspace)

    @asynccontextmanager
    async def _working(self) -> AsyncIterator[Workspace]:
        """Open the workspace, keep it open for as long as the block runs, translate failures."""
        workspaces = await self._household.open()
        with translated():
            async with workspaces.using(self.workspace) as workspace:
                yield workspace


class _Household:
    """What an engine has opened, shared by all its views."""

    def __init__(
        self, settings: Settings, recipe: Recipe | None, embedder: Embedder | None
    ) -> None:
        self._parts = (settings, recipe, embedder)
        self._workspaces: Workspaces | None = None
        self._opening = asyncio.Lock()

    async def open(self) -> Workspaces:
        if self._workspaces is None:
            async with self._opening:
                if self._workspaces is None:
                    self._workspaces = await self._assembled()
        return self._workspaces

    async def _assembled(self) -> Workspaces:
        connection = await asyncio.to_thread(_create_connection, self._parts[0])
        # The database starts in a process of its own; the rest is imported meanwhile.
        starting = asyncio.create_task(connection.open())
        try:
            workspaces = await asyncio.to_thread(_create_workspaces, connection, *self._parts)
            with translated():
                await starting
                await workspaces.open()
        except BaseException:
            await asyncio.gather(starting, return_exceptions=True)
            await connection.close()
            raise
        return workspaces

    async def complete(self) -> None:
        if self._workspaces is not None:
            await self._workspaces.complete()

    async def close(self) -> None:
        async with self._opening:
            workspaces, self._workspaces = self._workspaces, None
            if workspaces is not None:
                with translated():
                    await workspaces.close()

    async def close_unless_used(self) -> None:
        if self._workspaces is not None and self._workspaces.is_unused:
            await self.close()

    def opened(self, name: str) -> Workspace | None:
        return None if self._workspaces is None else self._workspaces.opened(name)


def _create_connection(settings: Settings) -> Connection:
    # Imported here because this, numpy and onnxruntime take longer to import than a host waits
    # for the first answer of a server.
    from zapomni_core.address import address_of  # noqa: PLC0415
    from zapomni_db import Connection  # noqa: PLC0415

    return Connection(
        address_of(settings), settings.falkordb_pool_size, settings.database_timeout_s
    )


def _create_workspaces(
    connection: Connection,
    settings: Settings,
    recipe: Recipe | None,
    embedder: Embedder | None,
) -> Workspaces:
    # As above. The model loads while the rest is imported.
    from zapomni_core.embedding import open_embedder  # noqa: PLC0415

    executor = ThreadPoolExecutor(settings.cpu_workers, thread_name_prefix="zapomni-cpu")
    model = open_embedder(settings, executor, embedder)

    from zapomni_core.shared import SharedParts  # noqa: PLC0415
    from zapomni_core.workspaces import Workspaces  # noqa: PLC0415

    may_follow = embedder is None
    return Workspaces(
        SharedParts(settings, connection, executor, model, recipe, may_follow_store=may_follow)
    )


@contextmanager
def translated() -> Iterator[None]:
    """Put failures of the store in the engine's words."""
    from zapomni_db import (  # noqa: PLC0415  (as above; loaded by the time this runs)
        DataFolderUnusable,
        StoreError,
        StoreMismatch,
        StoreRefused,
    )

    try:
        yield
    except (DataFolderUnusable, StoreMismatch, StoreRefused) as exc:
        raise ConfigurationError(str(exc)) from exc
    except StoreError as exc:
        raise DatabaseError(_RETRY) from exc


def milliseconds_since(started: float) -> float:
    """Tell how long ago a moment of `time.perf_counter` was."""
    return round((time.perf_counter() - started) * 1000, 1)
