"""Embed everything anew with another model while the old one serves."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib.util import find_spec

import orjson

from zapomni_core.embedding.protocol import Embedder
from zapomni_core.errors import ValidationError
from zapomni_core.jobs import Progress
from zapomni_core.setting import setting_of
from zapomni_core.settings import LOCAL_MODELS, Settings
from zapomni_core.validation import parse_metadata
from zapomni_db import EmbeddingStamp, Keyspace
from zapomni_db.connection import Connection
from zapomni_db.reembedding import ChunkToEmbed, Reembedding

__all__ = ["Reembedded", "reembed", "with_model"]


@dataclass(frozen=True, slots=True)
class Reembedded:
    """The model that serves now, and how many chunks were embedded for it this time."""

    model: str
    chunks: int
    embedded: int
    seconds: float


def with_model(settings: Settings, model: str) -> Settings:
    """Return settings that embed with another model: one on this machine, or one of Ollama."""
    if model in LOCAL_MODELS:
        if find_spec(LOCAL_MODELS[model]) is None:
            raise ValidationError("model", f"{model} is not installed on this machine")
        return settings.model_copy(update={"embedding_model": model, "ollama_host": None})
    if settings.ollama_host is None:
        known = ", ".join(sorted(LOCAL_MODELS))
        raise ValidationError(
            "model", f"must be one of {known}; set OLLAMA_HOST for a model of Ollama"
        )
    return settings.model_copy(update={"embedding_model": model})


async def reembed(
    connection: Connection,
    keyspace: Keyspace,
    embedder: Embedder,
    progress: Progress | None = None,
) -> Reembedded:
    """Lay new vectors beside the old ones, then change over; running it again goes on."""
    started = time.perf_counter()
    stamp = EmbeddingStamp(embedder.model_id, await embedder.dimension())
    way = Reembedding(connection, keyspace, stamp)
    embedded = 0
    is_switched = not await way.begin()
    while not is_switched:
        total = await way.count()
        done = 0
        async for page in way.pending():
            # Not by the cache: none of these texts comes again.
            vectors = await embedder.embed([_embedded(chunk) for chunk in page], "passage")
            await way.fill([chunk.id for chunk in page], list(vectors))
            embedded += len(page)
            done += len(page)
            if progress is not None:
                await progress(min(done, total), total)
        # False if somebody has added memories meanwhile: those are next.
        is_switched = await way.switch()
    seconds = round(time.perf_counter() - started, 3)
    return Reembedded(stamp.model_id, await way.count(), embedded, seconds)


def _embedded(chunk: ChunkToEmbed) -> str:
    metadata = parse_metadata(orjson.loads(chunk.metadata_json))
    setting = setting_of(chunk.opening, metadata, chunk.timestamp_ms)
    return setting.to_embed(chunk.text, chunk.start)
