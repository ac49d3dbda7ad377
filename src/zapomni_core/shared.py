"""What the open workspaces of an engine share: connection, model, threads, backups."""

from __future__ import annotations

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from zapomni_core.address import address_of
from zapomni_core.documents import DocumentReader
from zapomni_core.embedding import CrossEncoder, open_embedder
from zapomni_core.embedding.protocol import Embedder
from zapomni_core.errors import ConfigurationError
from zapomni_core.keeping.backups import back_up_by_the_clock
from zapomni_core.knowledge import PREDICATES, LanguageModel, open_extractor
from zapomni_core.knowledge.language_model import Ollama
from zapomni_core.retrieval import Recipe, recipe_for
from zapomni_core.settings import Settings
from zapomni_db import DEFAULT_WORKSPACE, Connection, Keyspace

__all__ = ["SharedParts"]

_NO_OLLAMA = (
    "A language model needs Ollama: start it, set OLLAMA_HOST (such as http://127.0.0.1:11434) "
    "and start Zapomni again. Until then the built-in rules read alone."
)


class SharedParts:
    """Everything of which one is enough, however many workspaces are open."""

    def __init__(
        self, settings: Settings, recipe: Recipe | None = None, embedder: Embedder | None = None
    ) -> None:
        self.settings = settings
        self.executor = ThreadPoolExecutor(settings.cpu_workers, thread_name_prefix="zapomni-cpu")
        self.embedder = open_embedder(settings, self.executor, embedder)
        self.connection = Connection(
            address_of(settings), settings.falkordb_pool_size, settings.database_timeout_s
        )
        self.recipe = recipe or recipe_for(self.embedder.model_id)
        folder = settings.reranker_model
        self.judge = CrossEncoder(folder, self.executor) if folder else None
        self.extractor = open_extractor(settings.entity_extractor, self.executor)
        host = settings.ollama_host
        self.documents = DocumentReader()
        self._ollama = Ollama(host, settings.ollama_timeout_s) if host else None
        self._readers: dict[str, LanguageModel | None] = {}
        self._backups: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect to the database; nothing else is loaded yet."""
        await self.connection.open()
        if self.settings.backup_every_h:
            self._backups = asyncio.create_task(
                back_up_by_the_clock(
                    address_of(self.settings),
                    self.settings.data_dir / "backups",
                    self.settings.backup_every_h,
                    self.settings.backup_keep,
                )
            )

    async def close(self) -> None:
        """Leave the database and end the threads."""
        if self._backups is not None:
            self._backups.cancel()
            await asyncio.gather(self._backups, return_exceptions=True)
        try:
            await self.connection.close()
        finally:
            await self.documents.close()
            await self.embedder.close()
            if self._ollama is not None:
                await self._ollama.close()
            self.executor.shutdown(wait=False, cancel_futures=True)

    def reader_of(self, keyspace: Keyspace) -> LanguageModel | None:
        """Return the language model that reads for a workspace, as configured or as chosen."""
        if keyspace.workspace in self._readers:
            return self._readers[keyspace.workspace]
        model = self.settings.ollama_llm_model
        if self._ollama is None or not model:
            return None
        return LanguageModel(self._ollama, model, PREDICATES)

    async def choose_reader(self, keyspace: Keyspace, model: str | None) -> LanguageModel | None:
        """Let another language model read for a workspace until all is closed, or none."""
        chosen = None
        if model is not None:
            if self._ollama is None:
                raise ConfigurationError(_NO_OLLAMA)
            await self._ollama.check(model)
            chosen = LanguageModel(self._ollama, model, PREDICATES)
        self._readers[keyspace.workspace] = chosen
        return chosen

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
