"""Engines whose memories a language model reads along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.fakes import LANGUAGE_MODEL, CountingEmbedder, FakeOllama
from tests.folders import fresh_settings
from zapomni_core import MemoryEngine
from zapomni_core.knowledge.results import Relation

# No rule reads a job out of this.
TEXT = "At Siemens, Anna Petrova runs the payroll."
FACT = ("Anna Petrova", "works_at", "Siemens")
SECRET = "marzipan"


def open_engine(folder: Path, ollama: FakeOllama, **settings: Any) -> MemoryEngine:
    given = {"ollama_host": ollama.host, "ollama_llm_model": LANGUAGE_MODEL} | settings
    return MemoryEngine(fresh_settings(folder, **given), embedder=CountingEmbedder())


async def jobs_of_anna(engine: MemoryEngine) -> list[Relation]:
    related = await engine.get_related("Anna Petrova", relations=["works_at"])
    return list(related.relations)


async def left_to_read(engine: MemoryEngine) -> int:
    status = await engine.graph_status()
    return status.memories_total - status.memories_built
