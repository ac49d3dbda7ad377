"""Calls follow types as Go, Java, Rust and TypeScript write them."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls, repository

GO = """package p
type V struct {}
type W struct {}
func (v *V) Touch() {}
func (w *W) Touch() {}
func New() (*V, error) { return &V{}, nil }
func Both() (w *W, v *V) { return nil, nil }
type Holder struct { *V; held map[*W]*V }
"""
RUST = """pub trait Tr { fn touch(&self); }
pub struct V {}
pub struct E {}
impl V { pub fn touch(&self) {} pub fn res() -> Result<V, E> { Ok(V {}) } }
impl E { pub fn touch(&self) {} }
pub type Res<T> = Result<T, E>;
pub fn aliased() -> Res<V> { Ok(V {}) }
"""
TYPESCRIPT = """export class V { touch() {} find() {} push() {} }
export class W { touch() {} find() {} push() {} }
"""
JAVA = """package p;
class B { void go() {} static void stat() {} Object clone() { return this; } }
class C { void go() {} }
"""


@pytest.mark.parametrize(
    ("body", "target"),
    [
        ("v, err := New(); v.Touch(); _ = err", "V.Touch"),
        ("_, v := Both(); v.Touch()", "V.Touch"),
        ("ws := make(map[*W]*V); ws[nil].Touch()", "V.Touch"),
        ("v := new(V); v.Touch()", "V.Touch"),
        ("var v V; v.Touch()", "V.Touch"),
        ("var h Holder; for _, v := range h.held { v.Touch() }", "V.Touch"),
        ("var h Holder; if v, ok := h.held[nil]; ok { v.Touch() }", "V.Touch"),
        ("var h Holder; h.V.Touch()", "V.Touch"),
        ("if v, ok := any(1).(*V); ok { v.Touch() }", "V.Touch"),
        ("ws := []*W{}; for _, w := range ws { w.Touch() }", "W.Touch"),
    ],
)
def test_go(body: str, target: str) -> None:
    found = calls({"a.go": f"{GO}func use() {{ {body} }}\n"}, "a.go")

    assert {one for one, _ in found if one.endswith(".Touch")} == {f"a.go::{target}"}


def test_each_case_of_a_switch_has_a_type_of_its_own() -> None:
    cases = "case *V:\nx.Touch()\ncase *W, error:\nx.Touch()\ndefault:\nx.Touch()\n"
    source = f"{GO}func use(y any) {{\nswitch x := y.(type) {{\n{cases}}}\n}}\n"
    edges = repository({"a.go": source}).edges_of("a.go").calls
    first = source[: source.index("case *V")].count("\n") + 2

    assert {(edge.target, edge.line - first) for edge in edges} == {
        ("a.go::V.Touch", 0),
        ("a.go::W.Touch", 2),
    }


@pytest.mark.parametrize(
    ("function", "target"),
    [
        ("fn f() -> Result<u8, E> { let v = V::res()?; v.touch(); Ok(1) }", "V.touch"),
        ("fn f() -> Result<u8, E> { V::res()?.touch(); Ok(1) }", "V.touch"),
        ("fn f() -> Res<u8> { aliased()?.touch(); Ok(1) }", "V.touch"),
        ("fn f() { V::res().unwrap().touch(); }", "V.touch"),
        ("fn f() { if let Ok(v) = V::res() { v.touch(); } }", "V.touch"),
        ("fn f() { match V::res() { Ok(v) => v.touch(), Err(_) => {} } }", "V.touch"),
        ("fn f<T: Tr>(t: &T) { t.touch(); }", "Tr.touch"),
        ("fn f<T>(t: &T) where T: Tr { t.touch(); }", "Tr.touch"),
    ],
)
def test_rust(function: str, target: str) -> None:
    found = calls({"a.rs": f"{RUST}{function}\n"}, "a.rs")

    assert {one for one, how in found if one.endswith(".touch") and how != "dispatch"} == {
        f"a.rs::{target}"
    }


@pytest.mark.parametrize(
    ("function", "target"),
    [
        ("function f(vs: V[]) { vs[0].touch(); }", "V.touch"),
        ("function f(vs: V[]) { for (const v of vs) v.touch(); }", "V.touch"),
        ("function f(vs: (V | null)[]) { vs[0].touch(); }", "V.touch"),
        ("function f(vs: V[][]) { vs[0][0].touch(); }", "V.touch"),
        ("function f(vs: Record<string, V>) { vs['a'].touch(); }", "V.touch"),
        ("function f<T extends V>(v: T) { v.touch(); }", "V.touch"),
        ("class K { constructor(readonly v: V) {} f() { this.v.touch(); } }", "V.touch"),
    ],
)
def test_typescript(function: str, target: str) -> None:
    found = calls({"a.ts": f"{TYPESCRIPT}{function}\n"}, "a.ts")

    assert {one for one, _ in found if one.endswith(".touch")} == {f"a.ts::{target}"}


def test_the_methods_of_a_list_are_not_those_of_what_it_holds() -> None:
    source = f"{TYPESCRIPT}function f(vs: V[]) {{ vs.find(v => true); vs.push(null); }}\n"
    found = calls({"a.ts": source}, "a.ts")

    assert {one for one, _ in found if one.startswith("a.ts")} == set()


@pytest.mark.parametrize(
    ("bases", "body", "target"),
    [
        ("implements Runnable", "void run() { b.go(); }", "B.go"),
        ("implements Runnable", "void run() { new B().go(); }", "B.go"),
        ("implements Runnable", "void run() { B c = new B(); c.go(); }", "B.go"),
        ("extends Exception", "void run() { for (B d : many) d.go(); }", "B.go"),
        ("extends Exception", "void run() { many[0].go(); }", "B.go"),
        ("extends Exception", "void go() {} void run() { this.go(); }", "A.go"),
        ("extends Unknown", "void go() {} void run() { go(); }", "A.go"),
        ("", "<T extends B> void run(T t) { t.go(); }", "B.go"),
    ],
)
def test_java_with_bases_outside(bases: str, body: str, target: str) -> None:
    source = f"class A {bases} {{ B b; B[] many; {body} }}\n"
    found = calls({"A.java": "package p;\n" + source, "B.java": JAVA}, "A.java")
    path = "A.java" if target.startswith("A.") else "B.java"

    assert {one for one, _ in found if one.endswith("go")} == {f"{path}::{target}"}


def test_what_nothing_here_has_comes_from_the_base_outside() -> None:
    source = "package p;\nclass A extends Thread { void run() { interrupt(); B.stat(); } }\n"
    found = calls({"A.java": source, "B.java": JAVA}, "A.java")

    assert found == {("java:Thread.interrupt", "import"), ("B.java::B.stat", "import")}
