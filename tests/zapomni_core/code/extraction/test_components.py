"""The scripts of components are read where they stand; their markup is no code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.code.parsing.components import script_of
from zapomni_core.code.parsing.extraction import extract

VUE = b"""<template>
  <button @click="save(item)">{{ total }}</button>
</template>
<!-- <script>function old() {}</script> -->
<script setup lang="ts" generic="T extends Map<string, number>">
import { price } from './shop'
function save(item: number): void {
  price(item)
}
</script>
<script lang="coffee">
call x
</script>
<style>.a { color: red }</style>
"""


def names(source: bytes, language: str) -> list[tuple[str, int]]:
    return [(each.qname, each.line) for each in extract(source, "a", language).definitions]


def calls(source: bytes, language: str) -> list[tuple[str, int]]:
    return [(each.name, each.line) for each in extract(source, "a", language).calls]


def test_a_component_of_vue_defines_what_its_script_does() -> None:
    facts = extract(VUE, "a.vue", "vue")

    assert names(VUE, "vue") == [("save", 7)]
    assert calls(VUE, "vue") == [("price", 8)]
    assert [(each.module, each.name) for each in facts.imports] == [("./shop", "price")]
    assert (facts.language, facts.errors) == ("typescript", 0)


def test_both_scripts_of_a_component_of_svelte_are_read() -> None:
    source = b"""<script context="module">
  export function load() {}
</script>
<script>
  $: doubled = load()
</script>
<p on:click={load}>{doubled}</p>
"""

    assert names(source, "svelte") == [("load", 2)]
    assert calls(source, "svelte") == [("load", 5)]


def test_what_stands_between_the_fences_of_astro_is_a_script() -> None:
    source = b"""---
const name = local()
function local() {}
---
<p>{local()}</p>
<script>
  later()
</script>
"""

    assert names(source, "astro") == [("local", 3)]
    assert calls(source, "astro") == [("local", 2), ("later", 7)]


def test_astro_without_fences_has_only_its_scripts() -> None:
    assert calls(b"<p>--- f() ---</p>\n<script>g()</script>", "astro") == [("g", 2)]


@pytest.mark.parametrize("tag", [b'lang="tsx"', b"lang=jsx", b'type="text/tsx"'])
def test_elements_are_read_where_a_script_says_that_it_has_some(tag: bytes) -> None:
    source = b"<script " + tag + b">const a = () => <b>{f()}</b></script>"

    assert extract(source, "a.vue", "vue").language == "tsx"
    assert calls(source, "vue") == [("f", 1)]


@pytest.mark.parametrize(
    "tag", [b'type="application/json"', b"lang='coffee'", b'type="text/x-template"']
)
def test_other_languages_are_left_alone(tag: bytes) -> None:
    assert calls(b"<script " + tag + b">f()</script>", "vue") == []


def test_a_script_without_an_end_reaches_to_the_end() -> None:
    assert calls(b"<script>\nf()\n", "vue") == [("f", 2)]


@given(
    st.lists(
        st.sampled_from(
            [b"<script>", b"</script>", b"<!--", b"-->", b"---\n", b"\r\n", b"'", b">", b"f()"]
        )
        | st.binary(max_size=6)
    ),
    st.sampled_from(["astro", "svelte", "vue"]),
)
def test_every_byte_of_a_script_stays_in_its_place(parts: list[bytes], language: str) -> None:
    source = b"".join(parts)

    script, _ = script_of(source, language)

    assert len(script) == len(source)
    assert all(one in (ord(" "), other) for one, other in zip(script, source, strict=True))
    assert [at for at, one in enumerate(script) if one in b"\r\n"] == [
        at for at, one in enumerate(source) if one in b"\r\n"
    ]


@pytest.mark.parametrize("part", [b"<script ", b"<script>", b"<!--", b"---\n", b"<script a='"])
def test_no_markup_takes_for_ever(part: bytes) -> None:
    source = part * 100_000

    assert len(script_of(source, "astro")[0]) == len(source)
