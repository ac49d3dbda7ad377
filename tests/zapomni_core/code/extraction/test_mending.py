"""Source that a grammar cannot parse is written in other words, and every place stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.code.parsing.extraction import extract
from zapomni_core.code.parsing.mending import mended_kotlin, mended_typescript

pieces = st.sampled_from(
    [
        *" \n\t<>(){}[],;:=|&.@`'\"\\",
        "//",
        "/*",
        "*/",
        "=>",
        "in",
        "out",
        "in out",
        "typeof ",
        "import('a')",
        "import('a').B",
        "(x: number)",
        "T",
        "class",
        "fun",
        "enum ",
        "@A",
        "@A(1)",
        "\u00e9",
    ]
)
sources = st.lists(pieces, max_size=60).map("".join)


@given(sources)
def test_nothing_moves(source: str) -> None:
    given_bytes = source.encode()

    for mended in (mended_typescript(given_bytes), mended_kotlin(given_bytes)):
        assert len(mended) == len(given_bytes)


@given(sources)
def test_whatever_is_mended_is_read_to_the_end(source: str) -> None:
    text = f"interface Of<out T> {{ a: T }}\n{source}\n"

    for path, language in (("a.ts", "typescript"), ("a.kt", "kotlin")):
        facts = extract(text.encode(), path, language)
        assert all(each.end <= len(text.encode()) for each in facts.definitions)
