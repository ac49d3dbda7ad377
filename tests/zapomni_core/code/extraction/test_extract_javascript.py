"""What is read out of JavaScript and TypeScript files."""

from __future__ import annotations

import textwrap

import pytest

from zapomni_core.code.model import ELEMENT, FileFacts
from zapomni_core.code.parsing.extraction import extract


def facts_of(source: str, language: str = "typescript") -> FileFacts:
    return extract(textwrap.dedent(source).encode(), "module", language)


def test_functions_are_found_however_they_are_written() -> None:
    facts = facts_of(
        """
        function declared() {}
        const arrow = async () => {};
        app.use = function () {};
        Shop.prototype.open = function () {};
        exports.given = () => {};
        const api = { get: () => {}, put() {} };
        export default function () {}
        """,
        "javascript",
    )

    assert [each.qname for each in facts.definitions] == [
        "declared",
        "arrow",
        "app.use",
        "Shop.open",
        "given",
        "api.get",
        "api.put",
        "default",
    ]


def test_types_are_found() -> None:
    facts = facts_of(
        """
        interface A extends B, c.D<E> { m(x: number): string }
        type T = A | null;
        enum E { X }
        namespace N { export function f(): void {} }
        abstract class K<T> extends Base<T> implements A { abstract g(): T; }
        """
    )

    assert [(each.qname, each.kind, each.bases) for each in facts.definitions] == [
        ("A", "interface", ("B", "c.D")),
        ("A.m", "method", ()),
        ("T", "type", ()),
        ("E", "enum", ()),
        ("N", "module", ()),
        ("N.f", "function", ()),
        ("K", "class", ("Base", "A")),
        ("K.g", "method", ()),
    ]


def test_only_what_is_exported_counts_as_exported() -> None:
    facts = facts_of("export const a = () => 1; const b = () => 2; export { c }; function c() {}")

    assert {each.name: each.exported for each in facts.definitions} == {
        "a": True,
        "b": False,
        "c": True,
    }


def test_a_decorated_method_starts_at_its_decorator() -> None:
    facts = facts_of(
        """
        class A {
          @Get("/x")
          list(): Item[] { return this.service.all(); }
        }
        """
    )

    listing = facts.definitions[1]
    assert (listing.decorators, listing.line, listing.returns) == (("Get()",), 4, "Item[]")
    assert [(each.name, each.receiver, each.scope) for each in facts.calls] == [
        ("Get", "", 0),
        ("all", "this.service", 1),
    ]


def test_calls_keep_dollars_and_see_through_assertions() -> None:
    facts = facts_of("$make(); new a.B(); found!.go(); (x as any).run(); maybe?.call(); f!(1);")

    assert [(each.name, each.receiver) for each in facts.calls] == [
        ("$make", ""),
        ("B", "a"),
        ("go", "found"),
        ("run", "x"),
        ("call", "maybe"),
        ("f", ""),
    ]


def test_imports_of_every_form() -> None:
    facts = facts_of(
        """
        import fallback, { a as b, type C } from "./x";
        import * as all from "y";
        import "effects";
        export { p as q } from "./r";
        export * from "./s";
        const { join } = require("path"), os = require("os");
        await import("./lazy");
        """
    )

    rows = [(each.module, each.name, each.alias, each.is_export) for each in facts.imports]
    assert rows == [
        ("./x", "default", "fallback", False),
        ("./x", "a", "b", False),
        ("./x", "C", "C", False),
        ("y", "", "all", False),
        ("effects", "", "", False),
        ("./r", "p", "q", True),
        ("./s", "*", "", True),
        ("path", "join", "join", False),
        ("os", "", "os", False),
        ("./lazy", "", "", False),
    ]


def test_bindings_tell_what_names_hold() -> None:
    facts = facts_of(
        """
        class A {
          private store: Store = new MemoryStore();
          constructor(private readonly log: Logger) { this.queue = new Queue(); }
        }
        const found = given ?? new Foo();
        for (const item of list.items) {}
        """
    )

    assert {(each.target, each.value, each.how) for each in facts.bindings} == {
        ("this.store", "Store", "type"),
        ("this.log", "Logger", "type"),
        ("this.queue", "Queue()", "value"),
        ("found", "given", "value"),
        ("found", "Foo()", "value"),
        ("item", "list.items", "item"),
    }


def test_a_comment_above_an_export_documents_it() -> None:
    facts = facts_of("/**\n * Opens the shop.\n */\nexport function open() {}\n")

    assert facts.definitions[0].doc == "Opens the shop."


def test_a_name_that_looks_like_a_numbered_one_stays_apart() -> None:
    facts = facts_of("class A { 'f#2'() {} f() {} f() {} f() {} }", "javascript")

    names = [each.qname for each in facts.definitions]
    assert len(set(names)) == len(names) == 5


def test_what_module_exports_lists_is_exported() -> None:
    facts = facts_of(
        """
        function open() {}
        function close() {}
        function hidden() {}
        module.exports = { open, shut: close, text: "hidden" };
        """,
        "javascript",
    )

    assert [(each.name, each.alias) for each in facts.imports if each.is_export] == [
        ("open", "open"),
        ("close", "shut"),
    ]
    assert [each.exported for each in facts.definitions] == [True, True, False]


def test_a_negated_call_that_asserts_its_function_is_a_call() -> None:
    facts = facts_of("if (!check!(x)) {}\nif (!this.filter!(y)) {}")

    assert [(each.receiver, each.name) for each in facts.calls] == [
        ("", "check"),
        ("this", "filter"),
    ]


def test_elements_name_their_components_though_no_call_is_written() -> None:
    facts = facts_of("const page = () => <Form.Row><Label text='x'/><div/></Form.Row>;", "tsx")

    assert facts.calls == ()
    elements = [each.value for each in facts.bindings if each.target == ELEMENT]
    assert elements == ["Form.Row", "Label"]


def test_only_what_stands_in_the_body_of_a_class_is_a_method() -> None:
    facts = facts_of(
        """
        class Chart extends made({ size: () => 1 }) {
            static defaults = { color: (name) => name };
            static { const inner = () => 2; }
            draw() {}
            onClick = () => {};
        }
        const kinds = { Bar: class extends Chart {} };
        """
    )

    assert {each.name: each.kind for each in facts.definitions} == {
        "Chart": "class",
        "size": "function",
        "color": "function",
        "inner": "function",
        "draw": "method",
        "onClick": "method",
        "Bar": "class",
    }


def test_types_of_other_modules_are_no_imports() -> None:
    facts = facts_of(
        """
        type Parsed = import("./parser").Parsed;
        let fs: typeof import("fs");
        const loaded = await import("./late");
        import("./later").then(go);
        export { if_block as if } from "./blocks";
        """
    )

    assert [(each.module, each.alias) for each in facts.imports] == [
        ("./late", ""),
        ("./later", ""),
        ("./blocks", "if"),
    ]


@pytest.mark.parametrize(
    "head",
    [
        "export interface Cache<in Key, out Value extends object, in out Rest = never> {}",
        "export class Box<const in out T> {}",
        "interface Make {\n  (name: string): Thing\n  <T>(name: T): Thing\n}",
        "interface Make {\n  <T>(name: T): Box<T>\n  // the other\n  <T, U>(name: T): Box<U>\n}",
        "interface Make {\n  (): Thing // first\n  /** second */\n  (...all: Thing[]): Thing\n}",
        "export declare const flap: <A>(a: A) => <B>(f: import('./hkt').Kind<'x', B>) => B",
        "type Missing = `Give \\`Self\\` a type`",
    ],
)
def test_types_that_the_grammar_does_not_know_lose_nothing_below_them(head: str) -> None:
    facts = facts_of(f"{head}\n\nfunction below(): void {{\n  called();\n}}\n")

    below = [each for each in facts.definitions if each.name == "below"]
    line = head.count("\n") + 3
    assert [(each.line, each.end_line, each.signature) for each in below] == [
        (line, line + 2, "function below(): void")
    ]
    assert [(each.name, facts.definitions[each.scope].name) for each in facts.calls] == [
        ("called", "below")
    ]
    assert facts.errors == 0


def test_comparisons_and_calls_over_two_lines_stay_what_they_are() -> None:
    facts = facts_of(
        "interface Broken<out A> { a: A }\n"
        "const small = first\n  < second;\n"
        "const has = a in b, c = found\n  (value)\n"
    )

    assert [each.name for each in facts.calls] == ["found"]
