"""What reads texts for all open workspaces: documents, names, and a language model."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import TYPE_CHECKING

from zapomni_core.documents import DocumentReader
from zapomni_core.errors import ConfigurationError
from zapomni_core.knowledge.entities.choice import open_extractor
from zapomni_core.knowledge.facts.predicates import PREDICATES
from zapomni_core.knowledge.language_model import LanguageModel
from zapomni_core.settings import Settings
from zapomni_db import Keyspace

if TYPE_CHECKING:
    from zapomni_core.knowledge.ollama import Ollama

__all__ = ["Readers"]

_NO_OLLAMA = (
    "A language model needs Ollama: start it, set OLLAMA_HOST (such as http://127.0.0.1:11434) "
    "and start Zapomni again. Until then the built-in rules read alone."
)


class Readers:
    """One of each is enough, however many workspaces are open."""

    def __init__(self, settings: Settings, executor: Executor) -> None:
        host = settings.ollama_host
        self.documents = DocumentReader()
        self.extractor = open_extractor(settings.entity_extractor, executor)
        self._ollama = _ollama(host, settings.ollama_timeout_s) if host else None
        self._model = settings.ollama_llm_model
        self._chosen: dict[str, LanguageModel | None] = {}

    async def close(self) -> None:
        """End the processes and connections."""
        await self.documents.close()
        if self._ollama is not None:
            await self._ollama.close()

    def language_model(self, keyspace: Keyspace) -> LanguageModel | None:
        """Return the model that reads for a workspace, as configured or as chosen."""
        if keyspace.workspace in self._chosen:
            return self._chosen[keyspace.workspace]
        if self._ollama is None or not self._model:
            return None
        return LanguageModel(self._ollama, self._model, PREDICATES)

    async def choose(self, keyspace: Keyspace, model: str | None) -> LanguageModel | None:
        """Let another language model read for a workspace until all is closed, or none."""
        chosen = None
        if model is not None:
            if self._ollama is None:
                raise ConfigurationError(_NO_OLLAMA)
            await self._ollama.check(model)
            chosen = LanguageModel(self._ollama, model, PREDICATES)
        self._chosen[keyspace.workspace] = chosen
        return chosen


def _ollama(host: str, timeout_s: float) -> Ollama:
    # Its HTTP client takes 70 ms to import, and few have such a service.
    from zapomni_core.knowledge.ollama import Ollama  # noqa: PLC0415

    return Ollama(host, timeout_s)
