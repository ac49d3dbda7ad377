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
    assert await uses(engine, "Sold", "callers") == ["desk.py:9: except Sold:"]
    assert await uses(engine, "Cart.total", "callers") == [
        "desk.py:10: print(cart.total, unheard)"
    ]
    graph = await engine.get_call_graph("Sold", "callers")
    assert graph.sites == ()
    assert "No call of it is known." in str(graph.notice)


@pytest.mark.usefixtures("shop")
async def test_what_nothing_names_is_told_to_be_so(engine: MemoryEngine) -> None:
    graph = await engine.get_call_graph("unheard_of", "callers")

    assert graph.uses == ()
    assert graph.notice == "No call of it is known, and no other code of the repository names it."


@pytest.mark.usefixtures("shop")
async def test_who_is_called_is_asked_for_calls_alone(engine: MemoryEngine) -> None:
    assert await uses(engine, "pay", "callers") == []
    assert await uses(engine, "pay", "callees") == []


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
