"""Definitions are found where macros or layouts make a grammar give up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.code.parsing.extraction import extract
from zapomni_core.code.parsing.mending import mended_kotlin
from zapomni_core.code.parsing.python_recovery import lost_in_python
from zapomni_core.code.parsing.text import SourceText


def found(source: str, path: str, language: str) -> dict[str, str]:
    facts = extract(source.encode(), path, language)
    return {each.qname: each.kind for each in facts.definitions}


def test_a_macro_in_front_of_a_function_does_not_take_its_name() -> None:
    source = "API_CALL result_t open_it (state *s, int i) {\n  return i;\n}\n"

    assert found(source, "a.c", "c") == {"open_it": "function"}


def test_a_calling_convention_does_not_lose_the_function() -> None:
    source = (
        "Buffer * FASTCALL put_it(Buffer *b)\n{\n  return b;\n}\n\nint after(void) { return 1; }\n"
    )

    assert found(source, "a.c", "c") == {"put_it": "function", "after": "function"}


def test_names_in_comments_and_strings_are_not_found_again() -> None:
    source = (
        "API_CALL result_t real (int i) {\n  return f(i;\n}\n"
        '/*\nint commented(int i) {\n}\n*/\nchar *s = "\\\nint quoted(int i) {}";\n'
    )

    assert set(found(source, "a.c", "c")) == {"real"}


def test_every_name_of_a_type_definition_counts() -> None:
    source = "typedef struct { int x; } thing, *thing_pointer;\n"

    assert found(source, "a.c", "c") == {"thing": "type", "thing_pointer": "type"}


def test_methods_are_found_in_objective_c_with_c_plus_plus_in_it() -> None:
    source = (
        "using namespace a::b;\n\n"
        "@implementation View {\n  std::shared_ptr<const a::b::Node> _n;\n}\n\n"
        "- (void)scroll:(id)view by:(CGFloat)y\n{\n  _n->go<int>(a::b::C::D);\n}\n\n"
        "+ (BOOL)isOn API_AVAILABLE(ios(13.0))\n{\n  return YES;\n}\n\n@end\n"
    )

    assert found(source, "a.mm", "objc") == {
        "View": "class",
        "View.scroll:by:": "method",
        "View.isOn": "method",
    }


def test_an_annotated_constructor_may_begin_on_a_line_of_its_own() -> None:
    source = (
        "class A<T>\n@Inject\ninternal constructor(\n  private val x: Int,\n) : B() {\n"
        "  fun f() {}\n}\n"
    )

    assert found(source, "a.kt", "kotlin") == {"A": "class", "A.f": "method"}


@given(st.text("class AT<>@Inject()\n constructor", max_size=80))
def test_joining_moves_nothing(text: str) -> None:
    source = text.encode()
    joined = mended_kotlin(source)

    assert len(joined) == len(source)
    assert joined.split() == source.split()


def test_a_function_behind_or_is_named_by_what_holds_it() -> None:
    source = "local load = old and function(s) return old(s) end\nt = {f = g or function() end}\n"

    assert found(source, "a.lua", "lua") == {"load": "function", "f": "function"}


def test_operators_are_methods() -> None:
    source = "struct P { public static bool operator ==(P a, P b) => true; }\n"

    assert found(source, "a.cs", "csharp") == {"P": "struct", "P.operator==": "method"}


# A bracket that goes on further left ends the block for the grammar, and the class with it.
CUT_SHORT = '''
class Shop(base.Store, Open, metaclass=Meta):
    """class NotThis: of a text."""

    # class NorThis:
    def first(self, text="def nor_this(): pass"):
        self.again()

    def odd(self):
        def inner():
            (bar.
        baz)
        return inner

    async def again(
        self,
    ):
        pass


class _After(Shop):
    def last(self):
        pass


def alone():
    pass
'''


def test_python_that_the_grammar_gives_up_keeps_its_classes() -> None:
    facts = extract(CUT_SHORT.encode(), "shop.py", "python")
    kinds = {each.qname: each.kind for each in facts.definitions}

    assert facts.errors
    assert {
        "Shop": "class",
        "Shop.first": "method",
        "Shop.odd": "method",
        "Shop.again": "method",
        "_After": "class",
        "_After.last": "method",
        "alone": "function",
    }.items() <= kinds.items()
    assert not any("his" in qname for qname in kinds)
    (bases,) = (each.bases for each in facts.definitions if each.qname == "Shop")
    assert bases == ("base.Store", "Open")


PIECES = [
    "class A",
    "def f",
    "async def g",
    "(",
    ")",
    ":",
    "\n",
    "    ",
    "\t",
    '"',
    "'''",
    "#",
    "x",
]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_whatever_python_is_cut_into_ends_behind_its_beginning(text: str) -> None:
    source = text.encode()
    for draft in lost_in_python(SourceText(source, b"#"), set()):
        assert 0 <= draft.at < draft.inner <= draft.end <= len(source) + 1
        assert source[draft.at : draft.inner].endswith(b":")


def test_a_definition_that_the_grammar_gives_up_is_not_called_by_its_own_head() -> None:
    source = (
        "def broken(:\n    x = (\n\ndef good():\n    helper()\n\nclass Late(Base):\n    pass\n"
    )
    facts = extract(source.encode(), "a.py", "python")

    assert facts.errors
    assert [each.name for each in facts.calls] == ["helper"]


@pytest.mark.parametrize("annotations", ["@One", "@One(A.B)", '@One(A.B, f(")"))\n@p.Two'])
@pytest.mark.parametrize(
    "head",
    ["annotation class A", "data object A", "enum class A { B }", "internal inline fun A() {}"],
)
def test_what_is_annotated_in_kotlin_is_found(annotations: str, head: str) -> None:
    source = f"package p\n\n/** Says it. */\n{annotations}\n{head}\n\nclass Below\n"
    facts = extract(source.encode(), "a.kt", "kotlin")

    found = {each.name: (each.line, each.doc) for each in facts.definitions}
    assert found["A"] == (5 + annotations.count("\n"), "Says it.")
    assert "Below" in found
