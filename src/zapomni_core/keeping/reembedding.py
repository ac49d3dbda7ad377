"""Embed everything anew with another model while the old one serves."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import orjson

from zapomni_core.embedding.protocol import Embedder
from zapomni_core.errors import ValidationError, ZapomniError
from zapomni_core.jobs import Jobs, Progress
from zapomni_core.setting import setting_of
from zapomni_core.settings import LOCAL_MODELS, Settings
from zapomni_core.validation import parse_metadata
from zapomni_db import EmbeddingStamp, JobRecords, Keyspace
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
    workspaces: int = 1


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
    keyspaces: Sequence[Keyspace],
    embedder: Embedder,
    progress: Progress | None = None,
) -> Reembedded:
    """Lay new vectors beside the old ones, then change over; running it again goes on.

    Workspaces change over together, as one model serves them all: the first does so when every
    one has all its new vectors. It is a job of the first workspace, so that other processes see
    it and can give it up.
    """
    jobs, done = Jobs(JobRecords(connection, keyspaces[0].jobs)), list[Reembedded]()

    async def work(report: Progress) -> None:
        done.append(await _reembed(connection, keyspaces, embedder, report))

    await jobs.finish(jobs.start("reembed", work), progress)
    if not done:
        raise ZapomniError("It was given up; the old model serves on.")
    return done[0]


async def _reembed(
    connection: Connection, keyspaces: Sequence[Keyspace], embedder: Embedder, report: Progress
) -> Reembedded:
    started = time.perf_counter()
    stamp = EmbeddingStamp(embedder.model_id, await embedder.dimension())
    ways = [Reembedding(connection, keyspace, stamp) for keyspace in keyspaces]
    waiting = [way for way in ways if await way.begin()]
    total, embedded = await _chunks(waiting), 0
    while waiting:
        for way in waiting:
            async for page in way.pending():
                # Not by the cache: none of these texts comes again.
                vectors = await embedder.embed([_embedded(chunk) for chunk in page], "passage")
                await way.fill([chunk.id for chunk in page], list(vectors))
                embedded += len(page)
                await report(min(embedded, total), total)
        # Those that did not change over: somebody has added memories meanwhile.
        waiting = [way for way in waiting if not await way.switch()]
    seconds = round(time.perf_counter() - started, 3)
    return Reembedded(stamp.model_id, await _chunks(ways), embedded, seconds, len(ways))


async def _chunks(ways: Sequence[Reembedding]) -> int:
    return sum([await way.count() for way in ways])


def _embedded(chunk: ChunkToEmbed) -> str:
    metadata = parse_metadata(orjson.loads(chunk.metadata_json))
    setting = setting_of(chunk.opening, metadata, chunk.timestamp_ms)
    return setting.to_embed(chunk.text, chunk.start)
