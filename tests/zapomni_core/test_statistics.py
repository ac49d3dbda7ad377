"""Statistics are asked for often, by monitors too, so they must cost next to nothing."""

import pytest

from tests.fakes import DIMENSION, CountingEmbedder
from zapomni_core import MemoryEngine, Settings

pytestmark = pytest.mark.anyio


class LoadingEmbedder(CountingEmbedder):
    """An embedder that has to load its model to know the dimension."""

    loads = 0

    async def dimension(self) -> int:
        """Count and answer."""
        self.loads += 1
        return await super().dimension()


async def test_statistics_do_not_touch_the_model(
    settings: Settings,
) -> None:
    embedder = LoadingEmbedder()
    async with MemoryEngine(settings, embedder=embedder) as engine:
        await engine.add_memory("pine")
        loads = embedder.loads
        for _ in range(5):
            found = await engine.get_stats()

    assert found.embedding_dimension == DIMENSION
    assert embedder.loads == loads == 1
