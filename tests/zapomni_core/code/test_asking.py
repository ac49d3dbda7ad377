"""What is asked about code, where an answer is easily wrong."""

from pathlib import Path

import pytest

from zapomni_core import MemoryEngine, ValidationError

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


async def test_the_code_of_a_module_stands_for_its_file(engine: MemoryEngine, root: Path) -> None:
    (root / "settings.py").write_text("LIMIT = 5\nprint(LIMIT)\n\ndef load():\n    pass\n")
    (root / "uses.py").write_text("import settings\n")
    await engine.index_codebase(str(root))

    for wanted in ("settings.py::", "settings", "settings.py"):
        impact = await engine.get_call_graph(wanted, "impact")
        view = await engine.get_symbol(wanted)

        assert [site.symbol.path for site in impact.sites] == ["uses.py"]
        assert [member.name for member in view.members] == ["load"]


async def test_two_repositories_with_one_path_are_told_apart(
    engine: MemoryEngine, tmp_path: Path
) -> None:
    for place in ("one", "two"):
        (tmp_path / place / "shop").mkdir(parents=True)
        (tmp_path / place / "shop" / "a.py").write_text("def buy():\n    pass\n")
        await engine.index_codebase(str(tmp_path / place / "shop"))

    view = await engine.get_symbol("a.py::buy")

    assert view.symbol is None
    assert {each.id for each in view.suggestions} == {"a.py::buy"}
    assert "`repository`" in (view.notice or "")


async def test_an_unknown_direction_is_refused(engine: MemoryEngine) -> None:
    with pytest.raises(ValidationError, match="direction must be callers, callees or impact"):
        await engine.get_call_graph("f", "sideways")  # type: ignore[arg-type]


async def test_code_is_searched_under_a_path_however_it_is_written(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "api").mkdir()
    for path in ("api/buy.py", "other.py"):
        (root / path).write_text("def buy():\n    pass\n")
    await engine.index_codebase(str(root))

    for path in ("api/buy.py", "./api/buy.py", f"{root}/api/buy.py", f"{root}/api"):
        found = await engine.search_code("buy", path=path)
        assert {hit.symbol.path for hit in found.hits} == {"api/buy.py"}
