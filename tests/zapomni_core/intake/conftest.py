"""Engines that embed at once, and documents for them to read."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes import CountingEmbedder
from zapomni_core import MemoryEngine, Settings


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
async def quick(settings: Settings, embedder: CountingEmbedder) -> AsyncIterator[MemoryEngine]:
    """An engine for what has nothing to do with meanings."""
    chosen = settings.model_copy(update={"auto_graph": False})
    async with MemoryEngine(chosen, embedder=embedder) as engine:
        yield engine


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "documents"
    place.mkdir()
    return place
