"""Statistics are asked for often, by monitors too, so they must cost next to nothing."""

import pytest

from tests.fakes import DIMENSION, CountingEmbedder
from zapomni_core import Settings
from zapomni_core.embedding import CachedEmbedder
from zapomni_core.validation import parse_metadata
from zapomni_core.workspace import Workspace

pytestmark = pytest.mark.anyio


class LoadingEmbedder(CountingEmbedder):
    """An embedder that has to load its model to know the dimension."""

    loads = 0

    async def dimension(self) -> int:
        """Count and answer."""
        self.loads += 1
        return await super().dimension()


async def test_statistics_do_not_touch_the_model(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = LoadingEmbedder()
    monkeypatch.setattr(
        "zapomni_core.workspace.open_embedder", lambda *_: CachedEmbedder(embedder, 0)
    )
    workspace = Workspace(settings)
    await workspace.open()
    await workspace.add("pine", parse_metadata(None))
    loads = embedder.loads
    for _ in range(5):
        found = await workspace.statistics(None)
    await workspace.close()

    assert found.embedding_dimension == DIMENSION
    assert embedder.loads == loads == 1
