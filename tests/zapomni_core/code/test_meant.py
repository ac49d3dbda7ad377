"""Which symbol is meant by what people and agents write, and what is said of it."""

import asyncio
from pathlib import Path

import pytest

from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio

CONFIG = """import functools
from typing import overload


@overload
def read(path: str) -> str: ...
@overload
def read(path: bytes) -> bytes: ...
def read(path):
    if not path:
        raise ValueError(path)
    return path


@functools.lru_cache
def parse_config(path):
    return read(path)


class Store:
    def __init__(self, config):
        self.config = config

    def close(self):
        return None


def make():
    return Store(parse_config("x"))
"""
JAVA = """class Circle {
    Circle() {}
    Circle(int radius) { area(radius); }
    int area(int radius) { return area(radius, 3); }
    int area(int radius, int pi) { return pi * radius * radius; }
    static Circle unit() { return new Circle(1); }
}
"""


@pytest.fixture
async def shop(engine: MemoryEngine, tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "acme").mkdir(parents=True)
    (folder / "acme" / "config.py").write_text(CONFIG)
    (folder / "Circle.java").write_text(JAVA)
    await engine.index_codebase(str(folder))
    return folder


async def callers(engine: MemoryEngine, name: str) -> set[str]:
    graph = await engine.get_call_graph(name)
    assert graph.symbol is not None, graph.suggestions
    return {site.symbol.qualified_name for site in graph.sites}


@pytest.mark.usefixtures("shop")
async def test_who_makes_an_object_calls_its_class(engine: MemoryEngine) -> None:
    assert await callers(engine, "Store") == {"make"}
    assert await callers(engine, "Circle") == {"Circle.unit"}


@pytest.mark.usefixtures("shop")
async def test_overloads_are_one_by_their_name(engine: MemoryEngine) -> None:
    view = await engine.get_symbol("read")
    graph = await engine.get_call_graph("Circle.area")

    assert "raise ValueError" in view.source
    assert {site.symbol.name for site in view.callers} == {"parse_config"}
    assert {site.line for site in graph.sites} == {3, 4}
    assert "Circle.java::Circle.area" in str(graph.notice)


@pytest.mark.usefixtures("shop")
async def test_an_id_means_one_of_the_overloads(engine: MemoryEngine) -> None:
    graph = await engine.get_call_graph("acme/config.py::read#2")

    assert graph.symbol is not None
    assert (graph.symbol.qualified_name, graph.sites, graph.notice) == ("read#2", (), None)


@pytest.mark.parametrize(
    "written",
    ["parse_config()", "`parse_config`", "config.parse_config", "acme.config.parse_config"],
)
@pytest.mark.usefixtures("shop")
async def test_a_name_may_be_written_as_in_a_text(engine: MemoryEngine, written: str) -> None:
    view = await engine.get_symbol(written)

    assert view.symbol is not None
    assert view.symbol.id == "acme/config.py::parse_config"
    assert view.source.startswith("@functools.lru_cache\ndef parse_config")


@pytest.mark.parametrize(
    "written", ["config.py", "./acme/config.py", "{shop}/acme/config.py", "acme/config.py:14"]
)
async def test_a_file_may_be_named_as_tools_print_it(
    engine: MemoryEngine, shop: Path, written: str
) -> None:
    view = await engine.get_symbol(written.format(shop=shop))

    assert view.symbol is not None
    assert view.symbol.id == "acme/config.py"


async def test_an_id_of_two_repositories_is_asked_back(
    engine: MemoryEngine, tmp_path: Path
) -> None:
    names = []
    for around in ("one", "two", "three/two"):
        folder = tmp_path / around / "svc"
        folder.mkdir(parents=True)
        (folder / "main.py").write_text("def helper():\n    return 1\n")
        names.append((await engine.index_codebase(str(folder))).repository)

    asked = await engine.get_symbol("main.py::helper")
    told = await engine.get_symbol("main.py::helper", repository="two/svc")

    assert names == ["svc", "two/svc", "three/two/svc"]
    assert asked.symbol is None
    assert sorted(each.repository for each in asked.suggestions) == sorted(names)
    assert told.symbol is not None
    assert told.symbol.repository == "two/svc"


async def test_a_memory_of_something_else_is_not_outdated_by_its_last_name(
    engine: MemoryEngine, shop: Path
) -> None:
    await engine.add_memory("Always call requests.Session.close() when the crawler ends.")
    await engine.add_memory("Store.close() flushes everything.")
    await asyncio.sleep(0.01)  # the clock of the index counts milliseconds
    file = shop / "acme" / "config.py"
    file.write_text(CONFIG.replace("def close(self)", "def shut(self)"))
    await engine.index_codebase(str(shop))

    results = (await engine.search_memory("close")).results
    mentions = {each.name: each.is_stale for hit in results for each in hit.code}

    assert mentions == {"Store.close": True}


async def test_a_memory_about_a_file_is_outdated_by_its_symbols(
    engine: MemoryEngine, shop: Path
) -> None:
    await engine.add_memory("Settings are read by acme/config.py today.")
    await asyncio.sleep(0.01)
    file = shop / "acme" / "config.py"
    file.write_text(CONFIG + "\n\ndef brand_new():\n    return 1\n")
    await engine.index_codebase(str(shop))

    view = await engine.get_symbol("acme/config.py")

    assert [each.is_stale for each in view.memories] == [True]


async def test_methods_beside_their_type_belong_to_it(
    engine: MemoryEngine, tmp_path: Path
) -> None:
    folder = tmp_path / "depot"
    folder.mkdir()
    (folder / "box.go").write_text(
        "package depot\ntype Box struct{}\nfunc (b *Box) Open() {}\nfunc Close() {}\n"
    )
    await engine.index_codebase(str(folder))

    view = await engine.get_symbol("Box")

    assert [each.qualified_name for each in view.members] == ["Box.Open"]
