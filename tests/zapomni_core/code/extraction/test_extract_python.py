"""What is read out of Python files."""

from __future__ import annotations

import ast
import textwrap

from zapomni_core.code.model import MODULE, FileFacts
from zapomni_core.code.parsing.extraction import extract


def facts_of(source: str) -> FileFacts:
    return extract(textwrap.dedent(source).encode(), "module.py", "python")


def test_definitions_are_named_by_what_is_around_them() -> None:
    facts = facts_of(
        """
        class Shop:
            class Shelf:
                def add(self): ...
            def open(self):
                def helper(): ...
        def open(): ...
        """
    )

    assert [(each.qname, each.kind) for each in facts.definitions] == [
        ("Shop", "class"),
        ("Shop.Shelf", "class"),
        ("Shop.Shelf.add", "method"),
        ("Shop.open", "method"),
        ("Shop.open.helper", "function"),
        ("open", "function"),
    ]


def test_a_name_defined_twice_is_numbered() -> None:
    facts = facts_of(
        """
        class A:
            @property
            def x(self): ...
            @x.setter
            def x(self, value): ...
        """
    )

    assert [each.qname for each in facts.definitions] == ["A", "A.x", "A.x#2"]


def test_a_definition_starts_at_its_keyword_and_its_bytes_hold_the_decorators() -> None:
    source = b"@first\n@second(1)\ndef f():\n    pass\n    # a remark behind the end\n\nx = 1\n"

    (definition,) = extract(source, "m.py", "python").definitions

    assert (definition.line, definition.end_line) == (3, 4)
    assert source[definition.start : definition.end].startswith(b"@first")
    assert definition.decorators == ("first", "second()")


def test_a_signature_has_parameters_with_their_types() -> None:
    facts = facts_of(
        """
        def send(self, to: "User", *rest: str, cc=None,
                 **more) -> list["Mail"]:
            pass
        """
    )

    (send,) = facts.definitions
    assert send.parameters == (
        ("self", ""),
        ("to", "User"),
        ("*rest", "str"),
        ("cc", ""),
        ("**more", ""),
    )
    assert send.returns == "list[Mail]"
    assert send.signature.startswith('def send(self, to: "User", *rest: str, cc=None, **more)')


def test_documentation_is_the_docstring_or_the_comment_above() -> None:
    facts = facts_of(
        '''
        def spoken():
            """Say it.

            Loudly.
            """

        # Counts the sheep
        # until asleep.
        def remarked(): ...

        x = 1  # not about what follows
        def silent(): ...
        '''
    )

    assert [each.doc for each in facts.definitions] == [
        "Say it.\n\nLoudly.",
        "Counts the sheep\nuntil asleep.",
        "",
    ]


def test_bases_are_chains() -> None:
    facts = facts_of("class A(b.C, Generic[T], mixin(D), metaclass=M): ...")

    assert facts.definitions[0].bases == ("b.C", "Generic[]", "mixin()")


def test_a_call_knows_its_receiver() -> None:
    facts = facts_of("self.app.views[name](x).run()\nrun()\n', '.join(xs)\n(a + b).c()")

    receivers = {(each.name, each.receiver) for each in facts.calls}
    assert ("run", "self.app.views[]()") in receivers
    assert ("run", "") in receivers
    assert ("join", "str()") in receivers
    assert ("c", "?") in receivers


def test_decorators_and_defaults_are_evaluated_outside_of_the_function() -> None:
    facts = facts_of(
        """
        @decorate(1)
        @plain
        def f(a=default()):
            inner()
        """
    )

    assert [(each.name, each.scope) for each in facts.calls] == [
        ("decorate", MODULE),
        ("default", MODULE),
        ("inner", 0),
    ]


def test_a_call_stands_on_the_line_of_its_name() -> None:
    facts = facts_of("(query\n  .filter(a)\n  .all())")

    assert [(each.name, each.line) for each in facts.calls] == [("filter", 2), ("all", 3)]


def test_imports_are_told_name_by_name() -> None:
    facts = facts_of(
        """
        import os.path, sys as system
        from ..pkg import (a as b,  # why
                           c)
        from . import *
        def f():
            from x import y
        """
    )

    rows = [(each.module, each.name, each.alias, each.scope) for each in facts.imports]
    assert rows == [
        ("os.path", "", "os", MODULE),
        ("sys", "", "system", MODULE),
        ("..pkg", "a", "b", MODULE),
        ("..pkg", "c", "c", MODULE),
        (".", "*", "", MODULE),
        ("x", "y", "y", 0),
    ]


def test_bindings_tell_what_names_hold() -> None:
    facts = facts_of(
        """
        class A:
            field: int
            def f(self, other):
                self.x = other or Foo(1)
                with open(p) as file: ...
                for i, each in enumerate(self.things): ...
                a, b = B(), c.d
                try: ...
                except Oops as error: ...
        """
    )

    assert {(each.target, each.value, each.how) for each in facts.bindings} == {
        ("field", "int", "type"),
        ("self.x", "other", "value"),
        ("self.x", "Foo()", "value"),
        ("file", "open()", "enter"),
        ("each", "self.things", "item"),
        ("a", "B()", "value"),
        ("b", "c.d", "value"),
        ("error", "Oops", "type"),
    }


def bound(source: str) -> list[tuple[str, str, str]]:
    return [(each.target, each.value, each.how) for each in facts_of(source).bindings]


def test_names_are_bound_even_if_their_values_cannot_be_read() -> None:
    assert bound("a = lambda: 1\nb = None\nfor c in -d: ...\nself.e = not f\n") == [
        ("a", "?", "value"),
        ("b", "?", "value"),
        ("c", "?", "value"),
    ]


def test_the_parts_of_a_tuple_are_bound_by_their_places() -> None:
    assert bound("a, (b, *c) = f()\nfor k, v in d.items(): ...\nwith g() as (x, y): ...\n") == [
        ("a", "f()[0]", "value"),
        ("b", "f()[1][0]", "value"),
        ("k", "d.items()[][0]", "value"),
        ("v", "d.items()[][1]", "value"),
        ("x", "?", "value"),
        ("y", "?", "value"),
    ]


def test_loops_over_several_things_at_once_bind_each_to_its_own() -> None:
    assert bound("for i, x in enumerate(xs): ...\nfor a, b in zip(c, d.e): ...\n") == [
        ("x", "xs", "item"),
        ("a", "c", "item"),
        ("b", "d.e", "item"),
    ]


def test_what_is_returned_and_yielded_is_bound_unless_it_is_a_literal() -> None:
    source = (
        "def f():\n    yield a.b\n    yield from c\n    return d() if e else f\n    return 1\n"
    )

    assert bound(source) == [
        ("yield", "a.b", "value"),
        ("return", "d()", "value"),
        ("return", "f", "value"),
    ]


def test_calls_that_tell_a_type_are_read_for_it() -> None:
    assert bound("T = TypeVar('T', bound='A[int]')\nx = t.cast(B, y)\ng = partial(f, 1)\n") == [
        ("T", "A[int]", "type"),
        ("x", "B", "type"),
        ("g", "f", "value"),
    ]


def test_a_type_that_is_asked_for_is_marked_as_a_question() -> None:
    assert bound("if isinstance(self.x, (A, b.C)): ...\n") == [("self.x?", "A | b.C", "type")]


def test_a_call_of_what_a_call_gives_is_bound_to_the_call() -> None:
    facts = facts_of("f(1)(2)\ng[0](3)\n")

    assert [each.name for each in facts.calls] == ["f"]
    assert [(each.target, each.value) for each in facts.bindings] == [("()", "f()"), ("()", "g[]")]


def test_a_value_is_kept_beside_its_type_where_it_may_say_more() -> None:
    assert bound("a: type[A] = B\nb: int = 1\n") == [
        ("a", "type[A]", "type"),
        ("a", "B", "value"),
        ("b", "int", "type"),
    ]


def test_private_names_are_not_exported() -> None:
    facts = facts_of("def _hidden(): ...\ndef __call__(): ...\ndef seen(): ...")

    assert [each.exported for each in facts.definitions] == [False, True, True]


def test_this_file_reads_as_python_itself_reads_it() -> None:
    with open(__file__, "rb") as file:  # noqa: PTH123
        source = file.read()
    known = [
        (each.name, each.lineno, each.end_lineno)
        for each in ast.walk(ast.parse(source))
        if isinstance(each, ast.FunctionDef)
    ]

    facts = extract(source, "test.py", "python")

    assert [(each.name, each.line, each.end_line) for each in facts.definitions] == known


def test_calls_are_found_that_the_grammar_takes_for_something_else() -> None:
    facts = facts_of(
        """
        [*one(1)]
        for each in *a.two(2), 3: pass
        type(three(3)).name = four(4)
        type Alias = int
        """
    )

    assert [(each.receiver, each.name) for each in facts.calls] == [
        ("", "one"),
        ("a", "two"),
        ("", "type"),
        ("", "three"),
        ("", "four"),
    ]
