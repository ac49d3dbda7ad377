"""Open the parts of the engine when the first call needs them, and close them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from zapomni_core.errors import ConfigurationError, DatabaseError
from zapomni_core.settings import Settings, load_settings

if TYPE_CHECKING:
    from zapomni_core.embedding.protocol import Embedder
    from zapomni_core.retrieval.recipe import Recipe
    from zapomni_core.workspace import Workspace

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
        self._recipe = recipe
        self._embedder = embedder
        self._workspace: Workspace | None = None
        self._opening = asyncio.Lock()

    async def __aenter__(self) -> Self:
        await self.initialize()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def initialize(self) -> None:
        """Open the database and load the model; safe to call again."""
        await self._open()

    async def close(self) -> None:
        """Leave the database."""
        async with self._opening:
            workspace, self._workspace = self._workspace, None
            if workspace is not None:
                with translated():
                    await workspace.close()

    async def _open(self) -> Workspace:
        async with self._opening:
            if self._workspace is None:
                workspace = await asyncio.to_thread(
                    _create_workspace, self.settings, self._recipe, self._embedder
                )
                with translated():
                    await workspace.open()
                self._workspace = workspace
            return self._workspace


def _create_workspace(
    settings: Settings, recipe: Recipe | None, embedder: Embedder | None
) -> Workspace:
    # Imported here because numpy, onnxruntime and the driver take longer to import than a host
    # waits for the first answer of a server.
    from zapomni_core.workspace import Workspace  # noqa: PLC0415

    return Workspace(settings, recipe=recipe, embedder=embedder)


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
