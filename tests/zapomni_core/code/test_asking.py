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
    for path in (str(root), f"{root}/", ".", "./"):
        found = await engine.search_code("buy", path=path)
        assert {hit.symbol.path for hit in found.hits} == {"api/buy.py", "other.py"}


async def test_a_whole_path_means_one_repository(engine: MemoryEngine, tmp_path: Path) -> None:
    for place in ("one", "two"):
        (tmp_path / place / "src").mkdir(parents=True)
        (tmp_path / place / "src" / "a.py").write_text("def buy():\n    pass\n")
        await engine.index_codebase(str(tmp_path / place))

    for path in (f"{tmp_path}/one/src", f"{tmp_path}/one"):
        found = await engine.search_code("buy", path=path)
        assert {hit.symbol.repository for hit in found.hits} == {"one"}


async def test_what_makes_an_object_calls_its_class_in_ruby_and_swift(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "cart.rb").write_text(
        "class Cart\n  def initialize(owner)\n  end\nend\ndef fill\n  Cart.new(1)\nend\n"
    )
    (root / "policy.swift").write_text(
        "class Policy {\n  init(limit: Int) {}\n}\nfunc choose() { _ = Policy(limit: 1) }\n"
    )
    await engine.index_codebase(str(root))

    for name, caller in (("Cart", "fill"), ("Policy", "choose")):
        graph = await engine.get_call_graph(name)
        assert {site.symbol.name for site in graph.sites} == {caller}


async def test_each_place_is_told_once(engine: MemoryEngine, root: Path) -> None:
    for name in ("Cache", "Store"):
        (root / f"{name}.py").write_text(f"class {name}:\n    def save(self):\n        pass\n")
    (root / "unsure.py").write_text("def keep(it):\n    it.save(); it.save()\n")
    (root / "shop.py").write_text("def f():\n    pass\n\n\ndef g():\n    f(); f()\n")
    await engine.index_codebase(str(root))

    unsure = await engine.get_call_graph("Store.save")
    unsurely_broken = await engine.get_call_graph("Store.save", "impact")
    callers = await engine.get_call_graph("f", limit=1)
    callees = await engine.get_call_graph("g", "callees")

    assert unsure.possible == unsurely_broken.possible == ("unsure.py:2",)
    assert [(site.symbol.id, site.line) for site in callers.sites] == [("shop.py::g", 6)]
    assert [(site.symbol.id, site.line) for site in callees.sites] == [("shop.py::f", 6)]
    assert not callers.is_cut


async def test_impact_says_what_is_only_guessed(engine: MemoryEngine, root: Path) -> None:
    (root / "shop.py").write_text(
        "class Basket:\n    def weigh_all(self):\n        pass\n\n\n"
        "def surely():\n    Basket().weigh_all()\n\n\n"
        "def maybe(it):\n    it.weigh_all()\n"
    )
    await engine.index_codebase(str(root))

    impact = await engine.get_call_graph("Basket.weigh_all", "impact")

    known = {site.symbol.name: (site.how, site.confidence) for site in impact.sites}
    assert known == {"surely": ("typed", 0.9), "maybe": ("unique", 0.5)}


async def test_impact_says_on_which_line_something_is_called_or_imported(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "shop.py").write_text("class Shop:\n    def pay(self):\n        pass\n")
    (root / "app.py").write_text(
        "import os\n\nfrom shop import Shop\n\n\nclass Store(Shop):\n    pass\n\n\n"
        "def buy():\n    Shop().pay()\n    Shop().pay()\n"
    )
    await engine.index_codebase(str(root))

    method = await engine.get_call_graph("Shop.pay", "impact")
    whole = await engine.get_call_graph("Shop", "impact")

    assert [(each.symbol.id, each.line) for each in method.sites] == [("app.py::buy", 11)]
    assert {(each.symbol.id, each.relation, each.line) for each in whole.sites} == {
        ("app.py", "imports", 3),
        ("app.py::Store", "inherits", 0),
        ("app.py::buy", "calls", 11),
    }


async def test_what_nothing_calls_may_be_used_in_other_ways(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "app.py").write_text("def on_done():\n    pass\n\n\nRUN = [on_done]\n")
    await engine.index_codebase(str(root))

    callers = await engine.get_call_graph("on_done", "callers")
    impact = await engine.get_call_graph("on_done", "impact")

    assert (callers.sites, impact.sites) == ((), ())
    assert "`impact` tells" in str(callers.notice)
    assert [(use.path, use.line) for use in impact.uses] == [("app.py", 5)]


async def test_possible_calls_are_of_languages_that_call_each_other(
    engine: MemoryEngine, root: Path
) -> None:
    for name in ("Cache", "Store"):
        (root / f"{name}.kt").write_text(f"class {name} {{\n  fun keepAll() {{}}\n}}\n")
    (root / "Other.java").write_text("class Other {\n void f(Some it) { it.keepAll(); }\n}\n")
    (root / "other.lua").write_text("function f(it)\n  it:keepAll()\nend\n")
    await engine.index_codebase(str(root))

    graph = await engine.get_call_graph("Cache.keepAll")

    assert graph.possible == ("Other.java:2",)


async def test_an_overview_tells_where_programs_begin(engine: MemoryEngine, root: Path) -> None:
    (root / "App.java").write_text(
        "class App {\n  public static void main(String[] args) { go(); }\n"
        "  static void go() {}\n}\n"
    )
    (root / "Tool.cs").write_text(
        "class Tool {\n  static void Main() { Go(); }\n  static void Go() {}\n}\n"
    )
    (root / "queue.py").write_text(
        "def logged(f):\n    def inner():\n        return take()\n\n    return inner\n\n\n"
        "@logged\ndef take():\n    pass\n\n\n@logged\ndef consumer_main():\n    take()\n\n\n"
        'if __name__ == "__main__":\n    consumer_main()\n'
    )
    await engine.index_codebase(str(root))

    seen = await engine.code_overview()

    begun = [each.qualified_name for each in seen.entry_points]
    assert sorted(begun[:2]) == ["App.main", "Tool.Main"]
    assert begun[2:] == ["consumer_main"]
    assert not {"App.main", "Tool.Main"} & {each.qualified_name for each in seen.central}


async def test_a_symbol_says_what_is_not_shown_of_it(engine: MemoryEngine, root: Path) -> None:
    calls = "".join(f"def caller_{n}():\n    busy()\n\n\n" for n in range(30))
    many = "".join(f"def f_{n}():\n    pass\n\n\n" for n in range(120))
    (root / "busy.py").write_text(f"def busy():\n    pass\n\n\n{calls}")
    (root / "many.py").write_text(many)
    (root / "broken.py").write_text("def whole():\n    pass\n\n\ndef (((:\n  ]]\n")
    await engine.index_codebase(str(root))

    busy = await engine.get_symbol("busy")
    many_view = await engine.get_symbol("many.py")
    broken = await engine.get_symbol("whole")
    lone = await engine.get_symbol("caller_1")

    assert "get_call_graph tells them" in str(busy.notice)
    assert "defines more than is shown" in str(many_view.notice)
    assert "could not be parsed" in str(broken.notice)
    assert lone.notice is None


async def test_the_index_names_files_that_it_could_not_parse_to_the_end(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "whole.py").write_text("def f():\n    pass\n")
    for number in range(7):
        (root / f"broken_{number}.py").write_text("def g():\n    pass\n\n\ndef (((:\n  ]]\n")

    indexed = await engine.index_codebase(str(root))

    assert "broken_0.py, broken_1.py" in str(indexed.notice)
    assert "and 2 more" in str(indexed.notice)
    assert "whole.py" not in str(indexed.notice)


async def test_a_constant_is_shown_where_it_stands(engine: MemoryEngine, root: Path) -> None:
    many = "".join(f"OPTION_{number} = {number}\n" for number in range(300))
    (root / "limits.py").write_text(f"{many}LONGEST_VOYAGE = 80\n{many}")
    await engine.index_codebase(str(root))

    (hit,) = (await engine.search_code("LONGEST_VOYAGE", limit=1)).hits

    assert "LONGEST_VOYAGE = 80" in hit.source
    assert hit.source.startswith("... 290 lines above\n")
    assert hit.source.endswith("... 271 more lines")


async def test_a_folder_inside_of_an_indexed_one_is_said_to_be_indexed_twice(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "api").mkdir()
    (root / "api" / "buy.py").write_text("def buy():\n    pass\n")

    first = await engine.index_codebase(str(root))
    second = await engine.index_codebase(str(root / "api"))

    assert "indexed twice" not in str(first.notice)
    assert "indexed twice, in shop too" in str(second.notice)


async def test_folders_beside_each_other_are_not_indexed_twice(
    engine: MemoryEngine, tmp_path: Path
) -> None:
    for name in ("east", "west"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text("def buy():\n    pass\n")
        indexed = await engine.index_codebase(str(tmp_path / name))

        assert "indexed twice" not in str(indexed.notice)
