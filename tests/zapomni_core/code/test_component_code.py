"""Components of Vue, Svelte and Astro belong to the code of a repository like any other."""

from pathlib import Path

import pytest

from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio

FILES = {
    "shop.js": "export function price(x) { return x }\n",
    "Cart.vue": """<template><button @click="save(1)"/></template>
<script setup lang="ts">
import { price } from './shop'
function save(item: number) {
  return price(item)
}
</script>
""",
    "Page.vue": """<script>
import Cart from './Cart.vue'
import { price } from './shop.js'
export default {
  components: { Cart },
  methods: {
    press() { this.twice(); return price(1) },
    twice() { return 2 },
  },
}
</script>
""",
    "Row.svelte": """<script>
  import { price } from './shop'
  function go() { price(3) }
</script>
<button on:click={go}/>
""",
    "index.astro": "---\nimport { price } from './shop'\nconst n = price(4)\n---\n<p>{n}</p>\n",
}


@pytest.fixture
async def root(engine: MemoryEngine, tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    await engine.index_codebase(str(tmp_path))
    return tmp_path


async def callers(engine: MemoryEngine, name: str) -> set[tuple[str, int]]:
    graph = await engine.get_call_graph(name, "callers")
    return {(site.symbol.id, site.line) for site in graph.sites}


@pytest.mark.usefixtures("root")
async def test_scripts_of_components_call_what_they_import(engine: MemoryEngine) -> None:
    assert await callers(engine, "price") == {
        ("Cart.vue::save", 5),
        ("Page.vue::press", 7),
        ("Row.svelte::go", 3),
        ("index.astro", 3),
    }
    assert await callers(engine, "twice") == {("Page.vue::press", 7)}


@pytest.mark.usefixtures("root")
async def test_what_only_markup_names_is_used_there(engine: MemoryEngine) -> None:
    for name, place in (("save", ("Cart.vue", 1)), ("go", ("Row.svelte", 5))):
        graph = await engine.get_call_graph(name, "impact")

        assert [(use.path, use.line) for use in graph.uses] == [place]


@pytest.mark.usefixtures("root")
async def test_a_change_of_a_component_may_break_who_imports_it(engine: MemoryEngine) -> None:
    graph = await engine.get_call_graph("Cart.vue", "impact")

    assert [(site.symbol.path, site.relation) for site in graph.sites] == [("Page.vue", "imports")]


@pytest.mark.usefixtures("root")
async def test_components_are_found_by_their_language(engine: MemoryEngine) -> None:
    found = await engine.search_code("price of an item", languages=["vue"])

    assert {hit.symbol.path for hit in found.hits} == {"Cart.vue", "Page.vue"}
    assert {hit.symbol.language for hit in found.hits} == {"vue"}
