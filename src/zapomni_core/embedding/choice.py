"""Choose the embedder that the settings name."""

from __future__ import annotations

from concurrent.futures import Executor

from zapomni_core.embedding.bundled import bundled_model
from zapomni_core.embedding.cache import CachedEmbedder
from zapomni_core.embedding.local import LocalEmbedder
from zapomni_core.embedding.protocol import Embedder
from zapomni_core.settings import BUILTIN_MODEL, DEFAULT_OLLAMA_MODEL, Settings

__all__ = ["open_embedder"]


def open_embedder(
    settings: Settings, executor: Executor, embedder: Embedder | None = None
) -> CachedEmbedder:
    """Put the given or the configured embedder behind a cache; a local model begins to load."""
    return CachedEmbedder(embedder or _embedder(settings, executor), settings.embedding_cache_size)


def _embedder(settings: Settings, executor: Executor) -> Embedder:
    if settings.ollama_host is None:
        local = LocalEmbedder(executor, bundled_model(settings.embedding_model or BUILTIN_MODEL))
        local.load()
        return local
    # An HTTP client takes longer to import than a search takes.
    from zapomni_core.embedding.ollama import OllamaEmbedder  # noqa: PLC0415

    model = settings.embedding_model or DEFAULT_OLLAMA_MODEL
    return OllamaEmbedder(settings.ollama_host, model, settings.ollama_timeout_s)
