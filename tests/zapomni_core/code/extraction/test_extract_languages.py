"""What is read out of the other languages."""

from __future__ import annotations

import pytest

from zapomni_core.code.languages import CODE_LANGUAGES
from zapomni_core.code.parsing.components import COMPONENTS
from zapomni_core.code.parsing.extraction import extract

# language, source, qualified name -> kind, calls (receiver, name), imports (module, name, alias)
CASES = [
    (
        "go",
        (
            'package p\nimport j "encoding/json"\ntype S struct { Base }\n'
            "func (s *S) Run(a int) error { return j.Load(s.Base.next()) }\n"
        ),
        {"S": "struct", "S.Run": "method"},
        {("j", "Load"), ("s.Base", "next")},
        {("encoding/json", "", "j")},
    ),
    (
        "java",
        (
            "package a.b;\nimport java.util.List;\n"
            "class A extends B { A() { new C(); } int m() { return this.x.run(); } }\n"
        ),
        {"A": "class", "A.A": "method", "A.m": "method"},
        {("", "C"), ("this.x", "run")},
        {("java.util", "List", "List")},
    ),
    (
        "rust",
        "use a::{b, c as d};\nstruct S;\nimpl T for S { fn m(&self) { S::new(self.x.go()?); } }\n",
        {"S": "struct", "S.m": "method"},
        {("S", "new"), ("self.x", "go")},
        {("a", "b", "b"), ("a", "c", "d")},
    ),
    (
        "c",
        '#include "a.h"\nstruct s { int x; };\nstatic int *f(struct s *p) { return g(p->x); }\n',
        {"s": "struct", "f": "function"},
        {("", "g")},
        {("a.h", "*", "")},
    ),
    (
        "cpp",
        "namespace n { class A : public B { void f(); }; }\nvoid n::A::f() { p->go(n::h()); }\n",
        {"n": "module", "n.A": "class", "n.A.f": "method"},
        {("p", "go"), ("n", "h")},
        set(),
    ),
    (
        "ruby",
        "require 'a/b'\nclass A < B\n  def m(x)\n    Foo.new(x).go\n  end\nend\n",
        {"A": "class", "A.m": "method"},
        {("", "require"), ("Foo", "new"), ("Foo.new()", "go")},
        {("a/b", "", "")},
    ),
    (
        "php",
        "<?php\nuse A\\B as C;\nclass D { function m() { $this->x->go(); C::make(); } }\n",
        {"D": "class", "D.m": "method"},
        {("this.x", "go"), ("C", "make")},
        {("A", "B", "C")},
    ),
    (
        "csharp",
        "using X = A.B;\nclass D : E { void M() { this.x.Go<int>(); new X(); } }\n",
        {"D": "class", "D.M": "method"},
        {("this.x", "Go"), ("", "X")},
        {("A", "B", "X")},
    ),
    (
        "bash",
        "source ./a.sh\ngreet() {\n  shout hi\n}\n",
        {"greet": "function"},
        {("", "source"), ("", "shout")},
        {("./a.sh", "", "")},
    ),
    (
        "kotlin",
        "import a.B as C\nclass D : E() {\n  fun m() {\n    x.go(C())\n  }\n}\n",
        {"D": "class", "D.m": "method"},
        {("x", "go"), ("", "C")},
        {("a", "B", "C")},
    ),
    (
        "swift",
        "import Foundation\nstruct A {\n  func m() { self.x.go() }\n}\n",
        {"A": "struct", "A.m": "method"},
        {("self.x", "go")},
        {("Foundation", "", "Foundation")},
    ),
    (
        "scala",
        "import a.{B => C}\nclass D { def m = x.go(new C()) }\n",
        {"D": "class", "D.m": "method"},
        {("x", "go"), ("", "C")},
        {("a", "B", "C")},
    ),
    (
        "lua",
        'local a = require("a.b")\nfunction M.f(x) a:go(x) end\n',
        {"M.f": "function"},
        {("", "require"), ("a", "go")},
        {("a.b", "", "a")},
    ),
    (
        "elixir",
        "defmodule A.B do\n  alias X.{Y, Z}\n  def f(a), do: Y.go(a)\nend\n",
        {"A.B": "module", "A.B.f": "function"},
        {("Y", "go")},
        {("X.Y", "", "Y"), ("X.Z", "", "Z")},
    ),
    (
        "zig",
        'const std = @import("std");\nconst S = struct { pub fn m() void { std.go(); } };\n',
        {"S": "struct", "S.m": "method"},
        {("std", "go")},
        {("std", "", "std")},
    ),
    (
        "haskell",
        "import qualified Data.Map as M\nf 0 = 1\nf n = g (n - 1)\n",
        {"f": "function"},
        {("", "g")},
        {("Data.Map", "", "M")},
    ),
    (
        "dart",
        "import 'a.dart' as a;\nclass B { int m() { return go(1); } }\n",
        {"B": "class", "B.m": "method"},
        {("", "go")},
        {("a.dart", "", "a")},
    ),
    (
        "sql",
        "CREATE TABLE shop (x int);\nCREATE VIEW open AS SELECT 1;\n",
        {"shop": "table", "open": "view"},
        set(),
        set(),
    ),
    (
        "r",
        "library(dplyr)\nf <- function(a) {\n  dplyr::filter(a)\n}\n",
        {"f": "function"},
        {("", "library"), ("dplyr", "filter")},
        {("dplyr", "", "")},
    ),
    (
        "julia",
        "struct S end\nfunction f(a::Int)\n  A.go(a)\nend\nk(x) = f(x)\n",
        {"S": "struct", "f": "function", "k": "function"},
        {("A", "go"), ("", "f")},
        set(),
    ),
]


@pytest.mark.parametrize(
    ("language", "source", "definitions", "calls", "imports"), CASES, ids=[c[0] for c in CASES]
)
def test_definitions_calls_and_imports_are_read(
    language: str,
    source: str,
    definitions: dict[str, str],
    calls: set[tuple[str, str]],
    imports: set[tuple[str, str, str]],
) -> None:
    facts = extract(source.encode(), "file", language)

    assert {each.qname: each.kind for each in facts.definitions} == definitions
    assert {(each.receiver, each.name) for each in facts.calls} == calls
    assert {(each.module, each.name, each.alias) for each in facts.imports} == imports
    assert facts.errors == 0


@pytest.mark.parametrize(
    ("language", "source", "bindings"),
    [
        (
            "go",
            "package p\nfunc f() {a := &Foo{}; b, e := New(); var c d.T; for _, x := range xs {}}",
            {("a", "Foo", "type"), ("b", "New()[0]", "value"),
             ("e", "New()[1]", "value"), ("c", "d.T", "type"), ("x", "xs[]", "value")},
        ),
        (
            "java",
            "class A { List<B> bs; void m() { var c = new C(); for (B b : x) {} this.d = e(); } }",
            {("bs", "List<B>", "type"), ("c", "C()", "value"), ("b", "B", "type"),
             ("this.d", "e()", "value")},
        ),
        (
            "rust",
            "fn f() { let a: B = c(); let d = E::new(); let g = H { x: 1 }; for i in js {} }",
            {("a", "B", "type"), ("d", "E.new()", "value"), ("g", "H", "type"),
             ("i", "js", "item")},
        ),
    ],
)  # fmt: skip
def test_bindings_tell_what_names_hold(
    language: str, source: str, bindings: set[tuple[str, str, str]]
) -> None:
    facts = extract(source.encode(), "file", language)

    assert {(each.target, each.value, each.how) for each in facts.bindings} == bindings


def test_the_package_of_a_file_is_read() -> None:
    assert extract(b"package a.b;\nclass C {}", "C.java", "java").package == "a.b"
    assert extract(b"<?php\nnamespace A\\B;\n", "c.php", "php").package == "A.B"


def test_a_csharp_namespace_without_braces_holds_the_rest_of_its_file() -> None:
    source = (
        "using A;\nnamespace Shop.Web;\nclass Cart { int Total() { return 1; } }\nenum E { A }\n"
    )

    facts = extract(source.encode(), "a.cs", "csharp")

    assert [each.qname for each in facts.definitions] == [
        "Shop.Web",
        "Shop.Web.Cart",
        "Shop.Web.Cart.Total",
        "Shop.Web.E",
    ]
    assert facts.definitions[0].end_line == 4


def test_a_trait_that_is_implemented_is_a_base() -> None:
    facts = extract(b"struct S;\nimpl fmt::Display for S {}\n", "s.rs", "rust")

    assert facts.definitions[0].bases == ("fmt.Display",)


def test_the_traits_of_a_type_are_in_the_order_of_the_text() -> None:
    traits = tuple(f"T{number}" for number in range(50))
    source = "struct S;\n" + "".join(f"impl {trait} for S {{}}\n" for trait in traits)
    facts = extract(source.encode(), "a.rs", "rust")

    assert facts.definitions[0].bases == traits


def test_calls_in_the_arguments_of_rust_macros_are_found() -> None:
    facts = extract(b"fn f() { assert_eq!(shop.open(1), 2); }", "s.rs", "rust")

    assert ("open", "shop") in {(each.name, each.receiver) for each in facts.calls}


def test_a_header_with_classes_is_read_as_cpp() -> None:
    facts = extract(b"class A {\n public:\n  int f() { return 1; }\n};\n", "a.h", "c")

    assert [each.qname for each in facts.definitions] == ["A", "A.f"]


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("kotlin", "fun c(x: Int) { if (!isOpen(x)) return -f(x)\n if (!g.ready()) g!!.go() }"),
        ("swift", "func c(x: Int) { if !isOpen(x) { return -f(x) }\n if !g.ready() { g!.go() } }"),
        ("zig", "fn c(x: i32) void { if (!isOpen(x)) f(x); if (!g.ready()) g.go(); }"),
        ("csharp", "class A { void C() { if (!isOpen(x)) f(x); if (!g.ready()) g!.go(); } }"),
        ("dart", "void c() { if (!isOpen(x)) return f(x); if (!g.ready()) g!.go(); }"),
    ],
)
def test_signs_beside_what_is_called_hide_no_call(language: str, source: str) -> None:
    facts = extract(source.encode(), "file", language)

    assert {(each.receiver, each.name) for each in facts.calls} == {
        ("", "isOpen"),
        ("", "f"),
        ("g", "ready"),
        ("g", "go"),
    }


def test_what_is_negated_in_solidity_is_known() -> None:
    facts = extract(b"contract A { function c() { if (!g.ready()) {} } }", "a.sol", "solidity")

    assert [(each.receiver, each.name) for each in facts.calls] == [("g", "ready")]


def test_a_member_of_a_type_that_swift_infers_is_no_variable() -> None:
    facts = extract(b"func c() { paint(.red.go(), .blue(1)) }", "a.swift", "swift")

    assert {(each.receiver, each.name) for each in facts.calls} == {("", "paint"), ("?", "go")}


@pytest.mark.parametrize(
    ("language", "source", "signatures"),
    [
        (
            "python",
            "class A:\n    # one\n    def f(x):\n        # two\n        g()\n",
            ["class A", "def f(x)"],
        ),
        (
            "ruby",
            "class A\n  # one\n  def f(x) # two\n    # three\n    g\n  end\nend\n",
            ["class A", "def f(x)"],
        ),
        ("lua", "function f(x)\n  -- one\n  return x\nend\n", ["function f(x)"]),
    ],
)
def test_comments_of_a_body_are_no_part_of_a_signature(
    language: str, source: str, signatures: list[str]
) -> None:
    facts = extract(source.encode(), "file", language)

    assert [each.signature for each in facts.definitions] == signatures


def test_text_has_no_facts() -> None:
    assert extract(b"# Title\n\nf(x)\n", "README.md", "markdown").calls == ()


def test_what_cannot_be_parsed_is_counted() -> None:
    assert extract(b"def f(:\n  ((\n", "m.py", "python").errors > 0


def test_every_language_of_code_can_be_read() -> None:
    for language in CODE_LANGUAGES:
        read_as = "typescript" if language in COMPONENTS else language
        assert extract(b"", "file", language).language == read_as


@pytest.mark.parametrize(
    ("source", "qname"),
    [
        ("template <> struct hash<a::B> {};", "hash"),
        ("template <> struct std::hash<a::B<c>> {};", "std.hash"),
        ("template <> void ns::swap<a::B>(int x) {}", "ns.swap"),
        ("template <class T> void Box<T, a::b>::fill() {}", "Box.fill"),
        ("template <class T> bool Box<T>::operator<(int x) { return true; }", "Box.operator<"),
    ],
)
def test_a_specialised_template_keeps_its_name(source: str, qname: str) -> None:
    (found,) = extract(source.encode(), "a.cpp", "cpp").definitions

    assert found.qname == qname
