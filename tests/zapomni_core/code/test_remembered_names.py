"""What search_memory and get_symbol say of the code that memories name, in many languages."""

import asyncio
from pathlib import Path

import pytest

from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio

FILES = {
    "src/app.vue": "<template>\n<p/>\n</template>\n",
    "Makefile": "all:\n\techo hi\n",
    "docs.md": "# Design\nplain\n",
    "lib/docs.md": "# Other\n",
    "user.rb": "class User\n  def valid?\n    true\n  end\nend\n",
    "tool.sh": "my-func() { echo x; }\n",
    "counter.py": "class Counter:\n    def inc(self):\n        return 1\n",
}


@pytest.fixture
async def root(engine: MemoryEngine, tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    await engine.index_codebase(str(folder))
    return folder


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Ask Bob about src/app.vue.", "src/app.vue"),
        ("Ask Bob about the Makefile.", "Makefile"),
        ("Ask Bob about lib/docs.md.", "lib/docs.md"),
        ("Ask Bob about `valid?` first.", "user.rb"),
        ("Ask Bob about `my-func`.", "tool.sh"),
        ("Ask Bob about Counter.inc.", "counter.py"),
        ("Ask Bob about counter.py::Counter.inc.", "counter.py"),
    ],
)
async def test_a_memory_is_joined_with_what_it_names_both_ways(
    engine: MemoryEngine, root: Path, text: str, path: str
) -> None:
    await engine.add_memory(text)
    await asyncio.sleep(0.01)  # the clock of the index counts milliseconds
    (root / path).unlink()
    await engine.index_codebase(str(root))

    (hit,) = (await engine.search_memory("ask Bob")).results
    (mention,) = hit.code
    view = await engine.get_symbol(mention.name)

    assert (mention.path, str(mention.why)[:10]) == (path, "it is gone")
    assert [str(each.why)[:10] for each in view.memories] == ["it is gone"]


@pytest.mark.usefixtures("root")
async def test_a_method_that_is_called_like_a_file_is_found(engine: MemoryEngine) -> None:
    await engine.add_memory("Ask Bob about Counter.inc and docs.md.")

    (hit,) = (await engine.search_memory("ask Bob")).results

    assert [each.path for each in hit.code] == ["counter.py", "docs.md"]
