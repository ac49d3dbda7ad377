"""A first index is written in a way of its own, and is like any other afterwards."""

from pathlib import Path

import pytest

from tests.zapomni_core.code.stored import index_of
from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio

APP = "def main():\n    run()\n    run()\n\n\ndef run():\n    pass\n"
LOOP = "import app\n\n\ndef again():\n    again()\n    app.main()\n"


async def test_symbols_are_ranked_as_in_any_other_index(
    engine: MemoryEngine, tmp_path: Path
) -> None:
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "loop.py").write_text(LOOP)
    await engine.index_codebase(str(tmp_path))
    index = index_of(engine, tmp_path)
    first = await index._connection.execute("HGETALL", index._keys.ranks)

    await index.rank_symbols()

    assert len(first) == 2
    assert await index._connection.execute("HGETALL", index._keys.ranks) == first
