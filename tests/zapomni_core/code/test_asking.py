"""What is asked about code, where an answer is easily wrong."""

from pathlib import Path

import pytest

from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


async def test_calls_that_are_known_only_by_name_may_break_too(
    engine: MemoryEngine, root: Path
) -> None:
    for name in ("Cache", "Store"):
        (root / f"{name}.py").write_text(f"class {name}:\n    def save(self):\n        pass\n")
    (root / "unsure.py").write_text("def keep(it):\n    it.save()\n")
    await engine.index_codebase(str(root))

    impact = await engine.get_call_graph("Store.save", "impact")
    callers = await engine.get_call_graph("Store.save", "callers")
    surely = await engine.get_call_graph("Store.save", "impact", with_guesses=False)

    assert impact.possible == callers.possible == ("unsure.py:2",)
    assert surely.possible == ()


async def test_languages_have_more_than_one_name(engine: MemoryEngine, root: Path) -> None:
    (root / "app.py").write_text("def buy():\n    pass\n")
    (root / "page.js").write_text("function buy() {}\n")
    (root / "page.go").write_text("package page\n\nfunc buy() {}\n")

    indexed = await engine.index_codebase(str(root), languages=["Python", "py", "JS"])
    found = await engine.search_code("buy", languages=["js"])

    assert indexed.languages == {"javascript": 1, "python": 1}
    assert {hit.symbol.language for hit in found.hits} == {"javascript"}
