"""Embed with the model whose vectors a memory holds, where the settings name none."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from zapomni_core.embedding.cache import CachedEmbedder
from zapomni_core.embedding.choice import open_embedder
from zapomni_core.embedding.protocol import Role, Vectors
from zapomni_core.errors import ConfigurationError
from zapomni_core.settings import BUILTIN_MODEL, LOCAL_MODELS, Settings

__all__ = ["MissingModel", "open_stored_embedder"]

_OLLAMA: Final = "ollama-"
_REFUSED: Final = (
    "The store holds vectors of the model {}, and those of two models cannot be mixed. {}, or run "
    "`zapomni reembed --model {}` to bring it to another model, or set ZAPOMNI_DATA_DIR or "
    "GRAPH_NAME to start another store."
)


class MissingModel:
    """Stands for a model that cannot be had here; whoever embeds hears why, and what to do."""

    max_tokens = 512

    def __init__(self, model_id: str, way_out: str) -> None:
        self.model_id = model_id
        self._message = _REFUSED.format(model_id, way_out, BUILTIN_MODEL)

    async def dimension(self) -> int:
        """Say what is missing."""
        raise ConfigurationError(self._message)

    def count_tokens(self, text: str) -> int:
        """Estimate the tokens of a text."""
        return len(text.split())

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Say what is missing."""
        del texts, role
        raise ConfigurationError(self._message)

    async def close(self) -> None:
        """Release nothing."""


def open_stored_embedder(settings: Settings, executor: Executor, model_id: str) -> CachedEmbedder:
    """Open the model of a memory, from this machine or from Ollama."""
    if _is_installed(model_id):
        chosen = settings.model_copy(update={"embedding_model": model_id, "ollama_host": None})
        return open_embedder(chosen, executor)
    name = model_id.removeprefix(_OLLAMA)
    if name != model_id and settings.ollama_host is not None:
        return open_embedder(settings.model_copy(update={"embedding_model": name}), executor)
    return open_embedder(settings, executor, MissingModel(model_id, _way_out(model_id)))


def _is_installed(model_id: str) -> bool:
    package = find_spec(LOCAL_MODELS[model_id]) if model_id in LOCAL_MODELS else None
    return package is not None and Path(package.origin or "").with_name("model.onnx").is_file()


def _way_out(model_id: str) -> str:
    if model_id.startswith(_OLLAMA):
        return "Start Ollama and set OLLAMA_HOST (such as http://127.0.0.1:11434)"
    if model_id in LOCAL_MODELS:
        return "Run `make model-minilm` in the folder of Zapomni to install it"
    return "Use a Zapomni that has it"
