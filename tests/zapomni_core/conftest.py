"""Real engines on one running database, each test with a memory of its own."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.fakes import FakeOllama, fake_ollama
from tests.folders import forget_environment, fresh_settings, running_database
from zapomni_core import MemoryEngine, Settings


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_environment(monkeypatch)


@pytest.fixture(scope="session")
def memory_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with running_database(tmp_path_factory.mktemp("core")) as folder:
        yield folder


@pytest.fixture
def settings(memory_folder: Path) -> Settings:
    return fresh_settings(memory_folder)


@pytest.fixture
async def engine(settings: Settings) -> AsyncIterator[MemoryEngine]:
    async with MemoryEngine(settings) as engine:
        yield engine


@pytest.fixture
def ollama() -> Iterator[FakeOllama]:
    with fake_ollama() as fake:
        yield fake
