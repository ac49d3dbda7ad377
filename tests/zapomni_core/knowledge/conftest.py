"""A language model, and an engine that it reads for, against a service on loopback."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes import LANGUAGE_MODEL, FakeOllama
from tests.zapomni_core.knowledge.readers import open_engine
from zapomni_core import MemoryEngine
from zapomni_core.knowledge.facts.predicates import PREDICATES
from zapomni_core.knowledge.language_model import LanguageModel
from zapomni_core.knowledge.ollama import Ollama


@pytest.fixture
async def model(ollama: FakeOllama) -> AsyncIterator[LanguageModel]:
    service = Ollama(ollama.host, timeout_s=5.0)
    yield LanguageModel(service, LANGUAGE_MODEL, PREDICATES)
    await service.close()


@pytest.fixture
async def reader(memory_folder: Path, ollama: FakeOllama) -> AsyncIterator[MemoryEngine]:
    """An engine whose memories a language model reads, but only when that is asked for."""
    async with open_engine(memory_folder, ollama, auto_graph=False) as engine:
        yield engine
