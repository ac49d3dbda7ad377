"""An engine that may index whatever a test writes."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.folders import fresh_settings
from zapomni_core import MemoryEngine


@pytest.fixture
async def engine(memory_folder: Path, tmp_path: Path) -> AsyncIterator[MemoryEngine]:
    settings = fresh_settings(memory_folder).model_copy(update={"code_roots": (tmp_path,)})
    async with MemoryEngine(settings) as engine:
        yield engine
