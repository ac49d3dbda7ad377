"""What names a symbol without calling it is told as well."""

from pathlib import Path

import pytest

from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio

SHOP = """class Cart:
    @property
    def total(self):
        return 1


class Sold(Exception):
    pass


def pay(cart):
    # pay is called once a day
    return cart


def refund(cart):
    return pay(cart)


def unheard_of():
    pass
"""
DESK = """from shop import Sold, pay, unheard

STEPS = {"pay": pay}


def serve(cart):
    try:
        pay(cart)
    except Sold:
        print(cart.total, unheard)
"""


@pytest.fixture
async def shop(engine: MemoryEngine, tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "shop.py").write_text(SHOP)
    (folder / "desk.py").write_text(DESK)
    await engine.index_codebase(str(folder))
    return folder


async def uses(engine: MemoryEngine, name: str, direction: str = "impact") -> list[str]:
    graph = await engine.get_call_graph(name, direction)  # type: ignore[arg-type]
    return [f"{use.path}:{use.line}: {use.text}" for use in graph.uses]


@pytest.mark.usefixtures("shop")
async def test_a_function_that_is_handed_on_is_used(engine: MemoryEngine) -> None:
    assert await uses(engine, "pay") == ['desk.py:3: STEPS = {"pay": pay}']


@pytest.mark.usefixtures("shop")
async def test_what_is_read_or_caught_is_used_although_nobody_calls_it(
    engine: MemoryEngine,
) -> None:
    assert await uses(engine, "Sold", "impact") == [
        "desk.py:9: except Sold:",
    ]
    assert await uses(engine, "Cart.total", "impact") == ["desk.py:10: print(cart.total, unheard)"]
    graph = await engine.get_call_graph("Sold", "impact")
    assert [(site.symbol.path, site.relation) for site in graph.sites] == [("desk.py", "imports")]


@pytest.mark.usefixtures("shop")
async def test_what_nothing_names_is_told_to_be_so(engine: MemoryEngine) -> None:
    graph = await engine.get_call_graph("unheard_of", "impact")

    assert graph.uses == ()
    assert "No other code that is indexed seems to name it" in str(graph.notice)


@pytest.mark.usefixtures("shop")
async def test_only_impact_looks_for_uses(engine: MemoryEngine) -> None:
    callers = await engine.get_call_graph("Sold", "callers")
    callees = await engine.get_call_graph("pay", "callees")

    assert (callers.uses, callees.uses) == ((), ())
    assert callers.notice == "No call of it is known; `impact` tells what names it otherwise."


async def test_uses_are_those_of_the_files_as_they_are_now(
    engine: MemoryEngine, shop: Path
) -> None:
    (shop / "desk.py").write_text('\nTOKEN = "x"\nSTEPS = [pay, "password=hunter2hunter2"]\n')

    assert [use.partition(": ")[0] for use in await uses(engine, "pay")] == ["desk.py:3"]


async def test_the_same_name_in_a_language_that_cannot_use_it_is_left_out(
    engine: MemoryEngine, shop: Path
) -> None:
    (shop / "page.js").write_text("const steps = [pay, refund]\n")
    await engine.index_codebase(str(shop))

    assert await uses(engine, "refund") == []


async def test_places_that_may_call_it_are_not_told_twice(
    engine: MemoryEngine, shop: Path
) -> None:
    (shop / "unsure.py").write_text("def end(it):\n    it.close_all()\n\nlast = [close_all]\n")
    for name in ("Door", "Window"):
        text = f"class {name}:\n    def close_all(self):\n        pass\n"
        (shop / f"{name}.py").write_text(text)
    await engine.index_codebase(str(shop))

    graph = await engine.get_call_graph("Door.close_all", "impact")

    assert graph.possible == ("unsure.py:2",)
    assert [(use.path, use.line) for use in graph.uses] == [("unsure.py", 4)]


async def test_of_very_many_uses_the_nearest_are_listed(engine: MemoryEngine, shop: Path) -> None:
    far = shop / "far" / "away"
    far.mkdir(parents=True)
    for number in range(40):
        (far / f"m{number}.py").write_text("kept = [pay]\n")
    await engine.index_codebase(str(shop))

    graph = await engine.get_call_graph("pay", "impact")

    assert graph.uses[0].path == "desk.py"
    assert len(graph.uses) == 20
    assert "More code names it than is listed" in str(graph.notice)


LINES = {
    "php/a.php": ("<?php\ntrait Logs { function log() {} }\nclass A { use Logs; }\n", "Logs", {3}),
    "rs/lib.rs": ("fn odd() {}\nfn f() {\n    *slot = odd;\n    // odd\n}\n", "odd", {3}),
    "rs/main.rs": ('#[serde(default = "harbour")]\nstruct B;\nfn harbour() {}\n', "harbour", {1}),
    "js/a.js": ("function ring() {}\nclass A {\n  #bell = ring;\n  // ring\n}\n", "ring", {3}),
    "c/a.c": ("#define CALL(x) it_(x)\nvoid it_(int x) {}\n/* it_\n * it_ */\n", "it_", {1}),
    "py/a.py": ("def star():\n    pass\n\n\nall_ = [\n    *star,\n    # star\n]\n", "star", {6}),
    "rb/a.rb": ("class C\n  def title=(x)\n  end\nend\nC.new.title = 3\n", "title=", {5}),
    "cs/A.cs": ("class AuditAttribute {}\n[Audit]\nclass B {}\n", "AuditAttribute", {2}),
    "conf/cli.py": ("def start_cli():\n    pass\n", "start_cli", set()),
}


@pytest.mark.parametrize("path", LINES)
async def test_what_looks_like_a_comment_elsewhere_is_no_comment_here(
    engine: MemoryEngine, tmp_path: Path, path: str
) -> None:
    text, name, expected = LINES[path]
    file = tmp_path / path
    file.parent.mkdir()
    file.write_text(text)
    await engine.index_codebase(str(tmp_path))

    graph = await engine.get_call_graph(name, "impact")

    assert {use.line for use in graph.uses} == expected


@pytest.mark.usefixtures("shop")
async def test_settings_and_templates_name_code_but_sentences_do_not(
    engine: MemoryEngine, tmp_path: Path
) -> None:
    shop = tmp_path / "shop"
    (shop / "pyproject.toml").write_text('[project.scripts]\nmix = "shop:unheard_of"\n')
    (shop / "README.md").write_text("An unheard_of thing.\n")
    await engine.index_codebase(str(shop))

    assert await uses(engine, "unheard_of") == ['pyproject.toml:2: mix = "shop:unheard_of"']


async def test_code_comes_before_tests_and_docstrings_and_imports_are_told_once(
    engine: MemoryEngine, shop: Path
) -> None:
    (shop / "early.py").write_text('"""About refund.\n\nThe refund goes here.\n"""\nX = refund\n')
    (shop / "tests").mkdir()
    (shop / "tests" / "test_it.py").write_text(
        "from shop import (\n    refund,\n)\nY = [refund]\n"
    )
    await engine.index_codebase(str(shop))

    places = [use.partition(": ")[0] for use in await uses(engine, "refund", "impact")]

    assert places == [
        "early.py:5",
        "tests/test_it.py:4",
        "early.py:1",
        "early.py:3",
    ]


async def test_calls_of_others_with_its_name_are_no_uses(engine: MemoryEngine, shop: Path) -> None:
    (shop / "disk.py").write_text(
        "class Disk:\n    def put(self):\n        pass\n\n\nclass Memory:\n"
        "    def put(self):\n        pass\n\n\ndef run(it: Memory):\n    it.put()\n\n\n"
        "kept = Disk().put\n"
    )
    await engine.index_codebase(str(shop))

    graph = await engine.get_call_graph("Disk.put", "impact")

    assert [use.line for use in graph.uses] == [15]
    assert "Others of this name are defined at disk.py:7." in str(graph.notice)


async def test_who_makes_an_object_is_told_once(engine: MemoryEngine, shop: Path) -> None:
    (shop / "made.py").write_text(
        "class Made:\n    def __init__(self):\n        pass\n\n\ndef make():\n    return Made()\n"
    )
    await engine.index_codebase(str(shop))

    assert await uses(engine, "Made") == []


async def test_a_long_line_is_shown_around_the_name(engine: MemoryEngine, shop: Path) -> None:
    (shop / "wide.py").write_text(f"  \nT = [{'1, ' * 100} refund, {'2, ' * 100}]\n")
    await engine.index_codebase(str(shop))

    (use,) = await uses(engine, "refund")

    assert "refund" in use.partition("T = ")[0]
    assert len(use) < 200


async def test_modules_that_are_mixed_in_are_used(engine: MemoryEngine, shop: Path) -> None:
    (shop / "loud.rb").write_text("module Loud\nend\nclass A\n  include Loud\nend\n")
    await engine.index_codebase(str(shop))

    assert await uses(engine, "Loud") == ["loud.rb:4: include Loud"]


async def test_what_the_language_calls_is_told_to_be_so(engine: MemoryEngine, shop: Path) -> None:
    (shop / "eq.py").write_text("class A:\n    def __eq__(self, other):\n        return True\n")
    await engine.index_codebase(str(shop))

    graph = await engine.get_call_graph("A.__eq__", "impact")

    assert graph.uses == ()
    assert "The language calls it" in str(graph.notice)


SECRETS = ("credentials.json", "secrets.yml", "secret.properties", "config.env", "left_out.py")


async def test_files_that_are_left_out_are_not_looked_into(
    engine: MemoryEngine, shop: Path
) -> None:
    for name in SECRETS:
        (shop / name).write_text("unheard_of: correct horse\n")
    (shop / "big.json").write_text(f'["unheard_of", "{"x" * 1_000_000}"]\n')
    await engine.index_codebase(str(shop), exclude=["left_out.py"])

    graph = await engine.get_call_graph("unheard_of", "impact")

    assert graph.uses == ()


async def test_a_script_without_an_ending_uses_what_it_names(
    engine: MemoryEngine, shop: Path
) -> None:
    (shop / "tool").write_text("#!/usr/bin/env python3\nstart = [unheard_of]\n")
    (shop / "own").write_text("#!/usr/bin/env python3\ndef alone():\n    pass\nx = [alone]\n")
    await engine.index_codebase(str(shop))

    assert await uses(engine, "unheard_of") == ["tool:2: start = [unheard_of]"]
    assert await uses(engine, "alone") == ["own:4: x = [alone]"]


async def test_what_only_guesses_call_is_not_told_to_be_named_nowhere(
    engine: MemoryEngine, shop: Path
) -> None:
    (shop / "guess.py").write_text(
        "class A:\n    def only_here(self):\n        pass\n\n\ndef f(it):\n    it.only_here()\n"
    )
    await engine.index_codebase(str(shop))

    graph = await engine.get_call_graph("A.only_here", "impact", with_guesses=False)

    assert (graph.sites, graph.uses) == ((), ())
    assert graph.notice == "No call of it is known for sure; guesses are left out."


async def test_of_very_many_calls_none_is_told_as_another_use(
    engine: MemoryEngine, shop: Path
) -> None:
    calls = "".join(f"def f{number}():\n    return much()\n" for number in range(400))
    (shop / "many.py").write_text(f"def much():\n    pass\n\n{calls}kept = [much]\n")
    await engine.index_codebase(str(shop))

    assert await uses(engine, "much") == ["many.py:804: kept = [much]"]


@pytest.mark.parametrize(("name", "other"), [("class_", "class_name"), ("price", "price_of")])
async def test_a_longer_name_is_another_one(
    engine: MemoryEngine, shop: Path, name: str, other: str
) -> None:
    (shop / "names.py").write_text(f"def {name}():\n    pass\n\n\nx = [{other}]\ny = [{name}]\n")
    await engine.index_codebase(str(shop))

    assert await uses(engine, name) == [f"names.py:6: y = [{name}]"]


async def test_what_is_exported_without_a_name_is_not_looked_for_by_one(
    engine: MemoryEngine, shop: Path
) -> None:
    (shop / "a.js").write_text("export default function () {}\n")
    (shop / "b.js").write_text("switch (x) {\n  default: f()\n}\n")
    await engine.index_codebase(str(shop))

    assert await uses(engine, "a.js::default") == []
