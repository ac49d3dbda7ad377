"""After a change it is enough to resolve the files again that it affects."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.zapomni_core.code.resolution.repositories import facts_of, repository
from zapomni_core.code.model import FileEdges
from zapomni_core.code.resolution import Repository, changed_names

BODY = "def f(x: int) -> str:\n    return g(x)\n"
TEXTS = [
    "",
    "class A:\n    def go(self): pass\n    def make(self) -> 'A': ...\n",
    "class A:\n    def __init__(self): pass\n    def stop(self): pass\n",
    "from a import A\nclass B(A):\n    def go(self):\n        super().go()\n",
    "from b import *\nclass C(B):\n    def stop(self):\n        self.go()\n",
    "from a import A\n\ndef make() -> A: ...\n\ndef go(): make().go()\n",
    "import c\n\ndef run():\n    item = c.make()\n    item.go()\n    item.stop()\n",
    (
        "from b import B as Other\n\nclass D(Other):\n"
        "    def __init__(self):\n        x = Other()\n        self.it = x\n"
        "    def run(self):\n        self.it.go()\n        self.it.make().go()\n"
    ),
    "from d import D\n\ndef use(d: D):\n    d.it.go()\n    d.run()\n    stop()\n",
    "def use(x):\n    x.stop()\n    x.make()\n",
    (
        "from a import A\nimport b\n\ndef make():\n    x, y = A(), b.B()\n    return x or y\n\n"
        "def outer():\n    kind = A\n    def inner():\n        return kind()\n    return inner\n"
    ),
    (
        "from a import A\nimport b\n\ndef make():\n    x = A()\n    x = b.B()\n    return x\n\n"
        "def outer():\n    kind = b.B\n    def inner():\n        return kind()\n    return inner\n"
    ),
    (
        "import c\n\ndef run(it):\n    c.outer()().go()\n    c.make().stop()\n"
        "    if isinstance(it, c.A):\n        it.stop()\n"
    ),
    "from z import Z\nclass A(Z):\n    def make(self) -> 'A':\n        self.go()\n",
    "class A:\n    def go(self):\n        raise NotImplementedError()\n    def stop(self): pass\n",
    "\n\n# moved\nclass A:\n    def go(self): pass\n    def make(self) -> 'A':\n        go()\n",
]
OTHERS = {
    "kt": [
        "package a\n\nclass Repo {\n    fun save() {}\n}\n\nfun top() {}\n",
        "package b\n\nclass Repo {\n    fun save() {}\n    fun save(x: Int) {}\n}\n",
        "package b\nimport a.Repo\nimport a.top\nfun run() {\n    Repo().save()\n    top()\n}\n",
        "package a\n\nfun use() {\n    top()\n    Repo().save()\n    Repo.save()\n}\n",
        "package a\n\nimport b.*\n\nfun all() {\n    Repo()\n    run()\n}\n",
        "package a\n\nfun Repo.twice() {\n    save()\n    this.save()\n}\nfun Any.top() {}\n",
        "package b\n\nclass Low : Repo()\nfun Low.twice() {}\nfun Repo.twice(x: Int) {}\n",
        (
            "package b\nimport a.*\nfun go(r: Repo, l: Low, q: Other) {\n"
            "    r.twice()\n    l.twice()\n    q.twice()\n    l.top()\n}\n"
        ),
    ],
    "rb": [
        "module App\n  class Store\n    def self.open; end\n    def save; end\n  end\nend\n",
        "module App\n  class Runner\n    def run\n      Store.open\n    end\n  end\nend\n",
        "class Store\n  def save\n    help\n  end\n  def help; end\nend\nStore.new.save\n",
        "module Other\n  class Store\n    def save; end\n  end\nend\nOther::Store.new.save\n",
        "module App\n  Kept = Other::Store\n  LIMIT = 1\nend\nHeld = App::Kept\n",
        (
            "class Runner\n  Store = App::Store\n  def run\n    Store.open\n"
            "    App::Kept.new.save\n    Held.new.save\n  end\nend\n"
        ),
        "module Loud\n  def shout\n    save\n  end\n  def save; end\nend\n",
        "module Loud\n  include App\n  def self.shout; end\n  def open; end\nend\n",
        (
            "class Store < Base\n  include Loud\n  extend Loud\n  open\n"
            "  def save\n    super\n    shout\n  end\n  def self.open\n    shout\n  end\nend\n"
            "class Low < Store\n  def save; super; end\n  def go; shout; end\nend\nLow.shout\n"
        ),
        "class Base\n  include Loud\n  def save; end\n  def self.open; end\nend\n",
        "Held = Store\nmodule App\n  Kept = Store\n  Kept.new.save\nend\n",
    ],
    "cpp": [
        "namespace ns { class A { void f(); int g_(); }; int t() { return 1; } }\n",
        "namespace ns { class Base { void f(); }; class A : Base { void h(); }; }\n",
        '#include "a.cpp"\nnamespace ns { void A::f() { g_(); t(); } int A::g_() {} }\n',
        "using namespace ns;\nvoid A::h() { f(); ns::t(); }\n",
        "namespace ns { void Base::f() {} int t(int x) { return x; } int t() { return 2; } }\n",
    ],
    "swift": [
        "class Shape { func draw() {} }\nfunc free() { Shape().extra() }\n",
        "extension Shape { func extra() { draw() } }\n",
        "class Shape { init() {}\n func extra() {} }\n",
        "class Round: Shape { func turn() { draw(); extra(); Shape.make() } }\n",
        "class Maker { static func unit() -> Shape { }\n func own() -> Self { } }\n",
        "class Maker { static func unit() -> Round? { }\n func own() -> Shape { } }\n",
        "func use(m: Maker) { let s = Maker.unit(); s.draw(); m.own().extra(); m.own().own() }\n",
    ],
    "cs": [
        "namespace N;\npartial class App { void Run() { Help(); Tool.Do(); } }\n",
        "namespace N;\npartial class App { void Help() {} }\n",
        "namespace N.M;\nstatic class Tool { public static void Do() {} }\nclass App { }\n",
        "using N.M;\nnamespace N;\nclass B { void Run() { Tool.Do(); new App().Help(); } }\n",
    ],
    "ts": [
        "export class A { go() { return this; } stop() {} }\nexport type Use = (a: A) => void;\n",
        "export class A { stop() {} }\nexport interface A { go(): A }\n",
        (
            "import { A, Use } from './a';\nexport function with_(use: Use) {}\n"
            "export const make = () => new A();\n"
        ),
        (
            "import { A } from './a';\nexport function with_(use: (x: number, a: A) => void) {}\n"
            "export function make() { const a = new A(); return { a, run() { a.go(); } }; }\n"
        ),
        (
            "import { with_, make } from './b';\nwith_((a, b) => { a.go(); b.stop(); });\n"
            "make().go();\nconst { a, run } = make();\na.stop();\nrun();\n"
        ),
        (
            "import { A } from './a';\nexport type B = A;\nexport interface Made { go(): B }\n"
            "export const Made: B = make();\nfunction go() {}\nexport { go as stop };\n"
        ),
        (
            "import { B, Made, stop } from './c';\nimport * as all from './c';\n"
            "function f(bs: B[], m: Made) { bs.forEach(b => b.go()); m.go(); Made.stop(); }\n"
            "stop();\nall.stop();\n"
        ),
    ],
    "js": [
        "module.exports = class A { go() {} static of() { return new A(); } };\n",
        "class A { go() {} }\nmodule.exports = { A, make() { return new A(); }, stop() {} };\n",
        "const A = require('./a');\nA.of().go();\nnew A().go();\nA.make().go();\nA.stop();\n",
        (
            "const A = require('./a');\n/** @param {A} a */\nfunction f(a) { a.go(); }\n"
            "module.exports = function () { return A.of(); };\n"
        ),
        "const b = require('./b');\nb().go();\nclass C extends b {}\nnew C().go();\nstop();\n",
    ],
    "go": [
        "package a\ntype L struct{}\nfunc (l *L) On() {}\nfunc With(f func(l *L)) {}\n",
        "package a\nvar One = &L{}\ntype Ls []L\ntype M = L\nfunc get() (*L, error) { }\n",
        "package a\nvar One = get()\nfunc get() *M { return nil }\ntype M struct{ L }\n",
        (
            "package a\nfunc run(ls Ls) {\n\tOne.On()\n\tls[0].On()\n\tnew(M).On()\n"
            "\tWith(func(l *L) {\n\t\tl.On()\n\t})\n\tx, _ := get()\n\tx.On()\n}\n"
        ),
    ],
    "rs": [
        "pub struct A(pub B);\npub struct B { a: u8 }\nimpl B { pub fn go(&self) {} }\n",
        (
            "use crate::a::*;\npub enum E { V(A), W { b: B } }\npub type C = B;\n"
            "impl C { fn on(&self) {} }\n"
        ),
        (
            "pub struct B;\nimpl B { pub fn go(&self) {} pub fn on(&self) {} }\n"
            "pub use crate::b::*;\n"
        ),
        (
            "use crate::a::A;\nuse crate::b::{C, E};\nfn f(e: E, cs: Vec<C>) {\n"
            "    match e { E::V(a) => a.0.go(), E::W { b } => b.on() }\n"
            "    cs.iter().for_each(|c| c.go());\n}\n"
        ),
        (
            "use crate::c::*;\nfn g(b: &'a B, e: E) {\n    b.clone().go();\n"
            "    if let E::V(ref x) = e { x.0.on(); }\n}\n"
        ),
    ],
    "java": [
        "package a; class A { void f(int x) {} void f(String s) {} static A of() {} }\n",
        "package a; class A extends B { A(int x) { super(x); } void f() {} A it; A it() {} }\n",
        "package a; class B { B(int x) {} void f(Object o) {} void f(B b) {} enum E { X, Y } }\n",
        (
            "package a; import java.util.*; class C extends A { C() { super(1); } A it;\n"
            'void run(List<A> as, B b) { as.forEach(a -> a.f(1)); f(b); f("x"); it.f();\n'
            "it().f(); A.of().f(it); new A(1).it.f(); Runnable r = b::f; B.E.X.name(); } }\n"
        ),
    ],
    "php": [
        "<?php\nnamespace A;\ntrait Logs { function log() { $this->name(); } }\n",
        "<?php\nnamespace A;\ntrait Logs { function note() {} function log() {} }\n",
        "<?php\nnamespace B;\nclass Logs {}\ntrait More { function log() {} }\n",
        (
            "<?php\nnamespace A;\nuse B\\More;\nclass Top { function name() {} }\n"
            "class User extends Top { use Logs, More { log as kept; } function name() {}\n"
            "function run() { $this->log(); $this->kept(); parent::name(); } }\n"
        ),
        (
            "<?php\nnamespace C;\nuse A\\User;\nclass Low extends User { function log() {}\n"
            "function go(User $u) { $u->kept(); $u->log(); parent::log(); $u->note(); } }\n"
        ),
    ],
    "lua": [
        "local b = require('b')\nlocal M = {}\nfunction M.run() b.save() M.other() end\n",
        "local B = {}\nfunction B.save() end\nfunction B:go() self:save() end\nreturn B\n",
        "local c = require('c')\nc.run()\nc.save()\n",
    ],
}
PATHS = ["a.py", "b.py", "c.py", "d.py", "e.py", "a/__init__.py"]


def test_a_changed_body_changes_no_name() -> None:
    before, after = facts_of("a.py", BODY), facts_of("a.py", BODY + "    return h(x)\n")

    assert changed_names("a.py", before, after) == set()


def test_a_changed_signature_changes_the_name() -> None:
    before = facts_of("a.py", BODY)
    after = facts_of("a.py", BODY.replace("-> str", "-> int"))

    assert changed_names("a.py", before, after) == {"f"}


def test_a_new_file_changes_the_name_of_its_module() -> None:
    assert {"tools", "f"} <= changed_names("src/tools.py", None, facts_of("src/tools.py", BODY))


def test_only_files_that_mention_a_name_are_affected() -> None:
    made = repository({"a.py": BODY, "b.py": "from a import f\nf(1)\n", "c.py": "h()\n"})

    assert made.affected_by({"f"}) == {"a.py", "b.py"}


def test_what_rests_on_a_changed_name_is_affected_too() -> None:
    made = repository({"a.py": TEXTS[1], "c.py": TEXTS[5], "d.py": TEXTS[6], "e.py": "h()\n"})

    assert made.affected_by({"A"}) == {"a.py", "c.py", "d.py"}


def test_configuration_says_whether_it_changes_anything() -> None:
    made = Repository()

    assert made.configure("go.mod", "module example.com/m\n")
    assert not made.configure("go.mod", "module example.com/m\n")
    assert not made.configure("README.md", "module x\n")


def test_a_method_that_becomes_abstract_means_something_else() -> None:
    before = facts_of("a.py", "class A:\n    def f(self): pass\n")
    after = facts_of("a.py", "class A:\n    def f(self): raise NotImplementedError()\n")

    assert "f" in changed_names("a.py", before, after)


def test_the_order_in_which_a_result_is_bound_matters() -> None:
    before = facts_of("a.py", "def f():\n    x = A()\n    x = B()\n    return x\n")
    after = facts_of("a.py", "def f():\n    x = B()\n    x = A()\n    return x\n")

    assert changed_names("a.py", before, after) == {"f"}


def test_moved_lines_are_followed_without_a_changed_name() -> None:
    made = repository({"a.py": BODY, "b.py": "from a import f\nf(1)\n"})
    first = made.edges_of("a.py"), made.edges_of("b.py")
    made.put("a.py", facts_of("a.py", f"# one line more\n{BODY}    g(2)\n"))
    moved = made.edges_of("a.py")

    assert [each.line for each in moved.unresolved] == [3, 4]
    assert [each.line for each in first[0].unresolved] == [2]
    assert made.edges_of("b.py") == first[1]


def test_a_base_under_another_name_is_one_more_subclass() -> None:
    held = "import b\ndef outer():\n    kind = b.B\n    return kind()\n"
    below = "from b import B as Other\nclass D(Other):\n    def __init__(self): ...\n"
    made = repository({"a.py": held, "b.py": "class B: ...\n"})
    made.put("c.py", facts_of("c.py", below))

    assert "a.py" in made.affected_by(changed_names("c.py", None, facts_of("c.py", below)))


def test_a_file_under_a_name_of_its_package_affects_those_who_import_it() -> None:
    whole = "module.exports = function one() {};\n"
    before, after = facts_of("src/u.js", whole), facts_of("src/u.js", whole.replace("one", "two"))
    made = repository(
        {
            "package.json": '{"imports": {"#text": "./src/u.js"}}',
            "src/u.js": whole,
            "a.js": "const made = require('#text');\nmade();\n",
        }
    )

    assert made.affected_by(changed_names("src/u.js", before, after)) == {"a.js", "src/u.js"}


def test_who_brings_in_a_module_of_rust_says_which_crate_it_is_of() -> None:
    files = {
        "tests/a.rs": "mod common;\npub fn local() {}\n",
        "tests/common/mod.rs": "pub fn setup() { crate::local(); }\n",
    }
    other = "mod common;\npub fn local() {}\n"
    made = repository(files)
    before = made.edges_of("tests/common/mod.rs").calls
    made.put("tests/b.rs", facts_of("tests/b.rs", other))
    names = changed_names("tests/b.rs", None, facts_of("tests/b.rs", other))

    assert [each.target for each in before] == ["tests/a.rs::local"]
    assert "tests/common/mod.rs" in made.affected_by(names - {"local"})
    assert made.edges_of("tests/common/mod.rs").calls == ()


def test_a_class_may_write_a_name_twice_among_its_bases() -> None:
    made = repository({"a.py": "import m\nclass A(B, m.B): ...\n", "b.py": "class B: ...\n"})
    made.remove("a.py")

    assert made.edges_of("b.py").calls == ()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(PATHS), st.sampled_from([None, *TEXTS])), max_size=12),
)
def test_resolving_what_is_affected_is_the_same_as_resolving_all(
    edits: list[tuple[str, str | None]],
) -> None:
    assert_same_as_anew(edits)


@pytest.mark.parametrize("ending", OTHERS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_what_is_affected_in_other_languages_is_all_that_changes(
    ending: str, data: st.DataObject
) -> None:
    paths = st.sampled_from([f"{name}.{ending}" for name in "abcd"])
    texts = st.sampled_from([None, *OTHERS[ending]])

    assert_same_as_anew(data.draw(st.lists(st.tuples(paths, texts), max_size=10)))


def assert_same_as_anew(edits: list[tuple[str, str | None]]) -> None:
    made = Repository()
    texts: dict[str, str] = {}
    edges: dict[str, FileEdges] = {}
    for path, text in edits:
        before = facts_of(path, texts[path]) if path in texts else None
        after = facts_of(path, text) if text is not None else None
        names = changed_names(path, before, after)
        if text is None or after is None:
            made.remove(path)
            texts.pop(path, None)
            edges.pop(path, None)
        else:
            made.put(path, after)
            texts[path] = text
        again = made.affected_by(names) | {path}
        edges.update({each: made.edges_of(each) for each in sorted(again & set(texts))})

    anew = repository(texts)
    assert edges == {path: anew.edges_of(path) for path in texts}
