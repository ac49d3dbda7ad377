"""Source that a grammar cannot parse is written in other words, and every place stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.code.parsing.extraction import extract
from zapomni_core.code.parsing.grammars import parser
from zapomni_core.code.parsing.mending import (
    damage,
    mended_c,
    mended_kotlin,
    mended_typescript,
    parted_kotlin,
    unconditional_c,
)

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
        "open ",
        "suspend",
        "internal actual constructor(",
        "get() ",
        "ACME_API ",
        "ACME_IF(x)",
        "ACME_PRIVATE",
        "template <class T, ",
        "#if X",
        "#endif",
        "\u00e9",
    ]
)
sources = st.lists(pieces, max_size=60).map("".join)


@given(sources)
def test_nothing_moves(source: str) -> None:
    given_bytes = source.encode()

    for mended in (mended_typescript, mended_kotlin, parted_kotlin, mended_c, unconditional_c):
        written = mended(given_bytes)
        assert len(written) == len(given_bytes)
        if mended in {mended_c, unconditional_c}:
            assert written.count(b"\n") == given_bytes.count(b"\n")


@given(sources)
def test_whatever_is_mended_is_read_to_the_end(source: str) -> None:
    text = f"interface Of<out T> {{ a: T }}\n{source}\n"

    for path, language in (("a.ts", "typescript"), ("a.kt", "kotlin"), ("a.cpp", "cpp")):
        facts = extract(text.encode(), path, language)
        assert all(each.end <= len(text.encode()) for each in facts.definitions)


def qnames(source: str) -> list[str]:
    return [each.qname for each in extract(source.encode(), "a.cpp", "cpp").definitions]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("ACME_BEGIN\nnamespace a\n{\nint f() { return 1; }\n}\nACME_END\n", ["a", "a.f"]),
        ("class ACME_API Box : public Base {\n  void open() {}\n};\n", ["Box", "Box.open"]),
        ("ACME_NON_NULL(1)\nvoid f(char* p) {}\nint g() { return 1; }\n", ["f", "g"]),
        (
            "template <class T, ACME_IF(is<T>::value)>\nauto f(T t) -> T { return t; }\n",
            ["f"],
        ),
        (
            "class A {\nACME_PRIVATE_IN_TESTS:\n  int f() { return 1; }\n};\n",
            ["A", "A.f"],
        ),
        (
            "template <class T>\nstruct size<T, if_t<is<T>::value>> { int of() { return 1; } };\n",
            ["size", "size.of"],
        ),
    ],
)
def test_macros_do_not_take_the_place_of_what_they_stand_before(
    source: str, expected: list[str]
) -> None:
    assert qnames(source) == expected


def test_conditions_are_left_out_with_all_their_lines() -> None:
    source = (
        b"class A\n#if X && \\\n  Y(1)\n  : public B\n#endif\n{\n  int f() { return 1; }\n};\n"
    )

    assert damage(parser("cpp").parse(mended_c(source)).root_node)
    assert not damage(parser("cpp").parse(unconditional_c(source)).root_node)


def test_a_macro_that_stands_for_itself_is_still_called() -> None:
    source = "TEST_ENTRY(a)\nTEST_ENTRY(b)\nint f() { return 1; }\nint g(int x {\n"

    assert mended_c(source.encode()).startswith(b"TEST_ENTRY(a)")


def test_kotlin_classes_in_one_line_are_read() -> None:
    source = (
        "class Repo { fun save() { flush() } private fun flush() {} }\n"
        "interface I { fun f() }\n"
        "class App(val repo: Repo) { fun run() = repo.save() }\n"
        'object Held { val text = "a }" }\n'
        "fun top() {}\n"
    )

    facts = extract(source.encode(), "a.kt", "kotlin")

    assert {each.qname: each.kind for each in facts.definitions} == {
        "Repo": "class",
        "Repo.save": "method",
        "Repo.flush": "method",
        "I": "interface",
        "I.f": "method",
        "App": "class",
        "App.run": "method",
        "Held": "class",
        "top": "function",
    }
    assert facts.errors == 0


@pytest.mark.parametrize("modifiers", ["actual", "internal actual", "@A(1) internal actual"])
def test_a_kotlin_constructor_may_stand_below_its_class_with_modifiers(modifiers: str) -> None:
    source = f"class A\n{modifiers} constructor(\n  val d: B,\n) : X {{\n  fun f() = g()\n}}\n"

    facts = extract(source.encode(), "a.kt", "kotlin")

    assert [each.qname for each in facts.definitions] == ["A", "A.f"]
    assert facts.errors == 0


@pytest.mark.parametrize("name", ["final", "open", "override", "inline", "internal", "suspend"])
@pytest.mark.parametrize(
    "statement",
    [
        "{} = true",
        "var {}: B = c",
        "{}.go()",
        "{}?.go()",
        "{} += 1",
        "{}[1] = 2",
        "a {{ {} -> b }}",
    ],
)
def test_what_is_named_like_a_modifier_of_kotlin_ends_no_class(name: str, statement: str) -> None:
    body = f"fun f() {{\n    {statement.format(name)}\n    g()\n  }}\n  fun h() = 1\n"

    facts = extract(f"class A {{\n  {body}}}\n".encode(), "a.kt", "kotlin")

    assert [each.qname for each in facts.definitions] == ["A", "A.f", "A.h"]
    assert "g" in {each.name for each in facts.calls}
    assert facts.errors == 0


def test_what_is_called_like_a_modifier_of_kotlin_is_called_by_its_name() -> None:
    source = (
        "fun f() {\n  open(1)\n  val g: suspend () -> Unit = open.go()\n}\nfun open(a: Int) {}\n"
    )

    facts = extract(source.encode(), "a.kt", "kotlin")

    assert [each.qname for each in facts.definitions] == ["f", "open"]
    assert [(each.receiver, each.name) for each in facts.calls] == [("", "open"), ("open", "go")]
    assert facts.errors == 0


@pytest.mark.parametrize("accessor", ["get() = f()", "private set(value) { f() }"])
def test_annotated_accessors_end_no_class_of_kotlin(accessor: str) -> None:
    source = (
        f'class A {{\n  var size\n    @JvmName("size")\n    {accessor}\n\n  fun g() {{}}\n}}\n'
    )

    facts = extract(source.encode(), "a.kt", "kotlin")

    assert [each.qname for each in facts.definitions] == ["A", "A.g"]
    assert [each.name for each in facts.calls] == ["f"]
    assert facts.errors == 0
