"""What the open workspaces of an engine share: connection, model, threads, backups."""

from __future__ import annotations

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from zapomni_core.address import address_of
from zapomni_core.embedding import CachedEmbedder, CrossEncoder
from zapomni_core.embedding.stored import open_stored_embedder
from zapomni_core.retrieval import Recipe, recipe_for
from zapomni_core.settings import Settings
from zapomni_db import DEFAULT_WORKSPACE, Connection, Keyspace
from zapomni_db.inspection import stored_model

if TYPE_CHECKING:
    from zapomni_core.readers import Readers

__all__ = ["SharedParts"]

_log = structlog.get_logger()


class SharedParts:
    """Everything of which one is enough, however many workspaces are open."""

    def __init__(
        self,
        settings: Settings,
        connection: Connection,
        executor: ThreadPoolExecutor,
        embedder: CachedEmbedder,
        recipe: Recipe | None = None,
        *,
        may_follow_store: bool = True,
    ) -> None:
        """Share these; `may_follow_store` lets the store choose another embedder."""
        self.settings = settings
        self.executor = executor
        self.embedder = embedder
        self.connection = connection
        self._given_recipe = recipe
        self._may_follow_store = may_follow_store and settings.embedding_model is None
        self.recipe = recipe or recipe_for(self.embedder.model_id)
        folder = settings.reranker_model
        self.judge = CrossEncoder(folder, self.executor) if folder else None
        self._readers: Readers | None = None
        self._backups: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Make backups from now on, if that is wanted."""
        if self.settings.backup_every_h:
            # Only a server that makes backups needs them.
            from zapomni_core.keeping.backups import back_up_by_the_clock  # noqa: PLC0415

            self._backups = asyncio.create_task(
                back_up_by_the_clock(
                    address_of(self.settings),
                    self.settings.data_dir / "backups",
                    self.settings.backup_every_h,
                    self.settings.backup_keep,
                )
            )

    async def follow_store(self) -> None:
        """Embed with the model whose vectors are stored, unless another one was asked for.

        The usual one began to load while the database started; seldom it is not the right one.
        """
        if not self._may_follow_store:
            return
        place = (self.settings.graph_name, self.settings.workspace)
        stored = await stored_model(self.connection, *place)
        if stored is None or stored == self.embedder.model_id:
            return
        await self.embedder.close()
        self.embedder = open_stored_embedder(self.settings, self.executor, stored)
        self.recipe = self._given_recipe or recipe_for(stored)
        _log.info("stored_model_used", model=stored)

    @property
    def readers(self) -> Readers:
        """What reads texts; loaded when it is first needed."""
        if self._readers is None:
            # Rules and parsers that a search does not need; `Workspaces.complete` loads them.
            from zapomni_core.readers import Readers  # noqa: PLC0415

            self._readers = Readers(self.settings, self.executor)
        return self._readers

    async def close(self) -> None:
        """Leave the database and end the threads."""
        if self._backups is not None:
            self._backups.cancel()
            await asyncio.gather(self._backups, return_exceptions=True)
        try:
            await self.connection.close()
        finally:
            if self._readers is not None:
                await self._readers.close()
            await self.embedder.close()
            self.executor.shutdown(wait=False, cancel_futures=True)

    def words_file(self, keyspace: Keyspace) -> Path:
        """Tell where the word index of a workspace is kept."""
        return self._cache / f"{_stem(keyspace)}.words"

    def code_words_folder(self, keyspace: Keyspace) -> Path:
        """Tell where the word indexes of a workspace's code are kept."""
        return self._cache / f"{_stem(keyspace)}-code"

    def exports_folder(self, keyspace: Keyspace) -> Path:
        """Tell where exports of a workspace's graph are put."""
        exports = self.settings.data_dir / "exports"
        is_default = keyspace.workspace == DEFAULT_WORKSPACE
        return exports if is_default else exports / keyspace.workspace

    def intake_lock(self, keyspace: Keyspace) -> Path:
        """Tell which lock lets one process at a time write many memories of a workspace."""
        return self.settings.data_dir / "locks" / f"intake-{_stem(keyspace)}.lock"

    def forget_files(self, keyspace: Keyspace) -> None:
        """Remove what was kept of a workspace beside the database; its exports are the user's."""
        self.words_file(keyspace).unlink(missing_ok=True)
        self.intake_lock(keyspace).unlink(missing_ok=True)
        shutil.rmtree(self.code_words_folder(keyspace), ignore_errors=True)

    @property
    def _cache(self) -> Path:
        return self.settings.data_dir / "cache"


def _stem(keyspace: Keyspace) -> str:
    """Name the files of a workspace; no name of a graph has the sign between."""
    if keyspace.workspace == DEFAULT_WORKSPACE:
        return keyspace.graph_name
    return f"{keyspace.graph_name}@{keyspace.workspace}"
