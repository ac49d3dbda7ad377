"""Two workspaces beside the default one, and a project to index."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.folders import fresh_settings
from tests.zapomni_core.workspaces.asking import CODE
from zapomni_core import MemoryEngine, Settings


@pytest.fixture
def settings(memory_folder: Path, tmp_path: Path) -> Settings:
    return fresh_settings(memory_folder).model_copy(update={"code_roots": (tmp_path,)})


@pytest.fixture
async def engine(settings: Settings) -> AsyncIterator[MemoryEngine]:
    async with MemoryEngine(settings) as engine:
        yield engine


@pytest.fixture
async def one(engine: MemoryEngine) -> MemoryEngine:
    await engine.create_workspace("one", "the first")
    return engine.within("one")


@pytest.fixture
async def two(engine: MemoryEngine) -> MemoryEngine:
    await engine.create_workspace("two")
    return engine.within("two")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "store.py").write_text(CODE)
    return folder
