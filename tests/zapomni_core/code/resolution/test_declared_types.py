"""Calls follow the types that declarations name in C#, Kotlin, PHP, C++, Swift and Scala."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls

CSHARP = """namespace N {{
class Repo {{ public void Save() {{}} }}
class Other {{ public void Save() {{}} }}
class A {{ private readonly Repo _repo; Repo[] _many; Repo Make() {{ return null; }}
  void F(Repo p) {{ {} }} }} }}
"""
KOTLIN = """class Repo {{ fun save() {{}} }}
class Other {{ fun save() {{}} }}
class A(private val repo: Repo) {{
  val own: Repo? = null
  fun f(p: Repo) {{
    {}
  }}
}}
"""
PHP = """<?php
class Repo {{ function save() {{}} }}
class Other {{ function save() {{}} }}
class A {{
  private ?Repo $repo;
  function __construct(private Repo $own) {{}}
  function f(Repo $p) {{ {} }}
}}
"""
CPP = """class Repo {{ public: void save() {{}} }};
class Other {{ public: void save() {{}} }};
class A {{
  Repo repo; Repo* link; std::unique_ptr<Repo> owned;
  Repo* make();
  void f(Repo& p) {{ {} }}
}};
"""
SWIFT = """class Repo {{ func save() {{}} }}
class Other {{ func save() {{}} }}
class A {{
  let repo: Repo
  var own = Repo()
  init(repo: Repo) {{ self.repo = repo }}
  func f(p: Repo) {{
    {}
  }}
}}
"""
SCALA = """class Repo {{ def save() = {{}} }}
class Other {{ def save() = {{}} }}
class A(repo: Repo) {{
  val own: Repo = null
  def f(p: Repo) = {{
    {}
  }}
}}
"""


@pytest.mark.parametrize(
    ("path", "source", "body"),
    [
        *(
            ("a.swift", SWIFT, body)
            for body in (
                "repo.save()",
                "self.repo.save()",
                "own.save()",
                "p.save()",
                "let x = Repo()\n    x.save()",
                "let x: Repo? = nil\n    x?.save()",
            )
        ),
        *(
            ("a.scala", SCALA, body)
            for body in (
                "repo.save()",
                "own.save()",
                "p.save()",
                "val x = new Repo()\n    x.save()",
            )
        ),
        *(
            ("a.cs", CSHARP, body)
            for body in (
                "_repo.Save();",
                "this._repo.Save();",
                "p.Save();",
                "var x = new Repo(); x.Save();",
                "Repo y = Make(); y.Save();",
                "foreach (Repo z in _many) z.Save();",
                "foreach (var z in _many) z.Save();",
            )
        ),
        *(
            ("a.kt", KOTLIN, body)
            for body in (
                "repo.save()",
                "this.repo.save()",
                "p.save()",
                "own.save()",
                "val x = Repo()\n    x.save()",
                "val x: Repo = make()\n    x.save()",
            )
        ),
        *(
            ("a.php", PHP, body)
            for body in (
                "$this->repo->save();",
                "$this->own->save();",
                "$p->save();",
                "$x = new Repo(); $x->save();",
            )
        ),
        *(
            ("a.cpp", CPP, body)
            for body in (
                "repo.save();",
                "link->save();",
                "this->link->save();",
                "owned->save();",
                "p.save();",
                "Repo x; x.save();",
                "auto y = new Repo(); y->save();",
                "Repo* z = make(); z->save();",
            )
        ),
    ],
)
def test_declarations_tell_what_is_called(path: str, source: str, body: str) -> None:
    found = calls({path: source.format(body)}, path)
    saved = {(target.lower(), how) for target, how in found if target.lower().endswith(".save")}

    assert {target.rpartition("::")[2].removeprefix("n.") for target, _ in saved} == {"repo.save"}
    assert {how for _, how in saved} == {"typed"}


@pytest.mark.parametrize(
    ("path", "source", "body"),
    [
        ("a.cs", CSHARP, "Unknown x = null; x.Save();"),
        ("a.kt", KOTLIN, "val repo = unknown()\n    repo.save()"),
        ("a.cpp", CPP, "Unknown x; x.save();"),
    ],
)
def test_what_is_of_another_type_is_not_bound(path: str, source: str, body: str) -> None:
    found = calls({path: source.format(body)}, path)

    assert not [target for target, _ in found if target.lower().endswith("repo.save")]


EXTENDED = """package a
open class Price { fun own() {} }
class Low : Price()
class Other { fun own() {} }
fun Price.twice(): Price = this
fun Other.twice() {}
fun <T> List<T>.each() {}
fun Outer.Client.more() {}
"""


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ("package a", "fun go(p: Price) = p.twice()", {("A.kt::twice", "typed")}),
        ("package a", "fun go(p: Price?) = p?.twice()", {("A.kt::twice", "typed")}),
        ("package a", "fun go(p: Low) = p.twice()", {("A.kt::twice", "typed")}),
        ("package a", "fun go(p: Other) = p.twice()", {("A.kt::twice#2", "typed")}),
        ("package b\nimport a.*", "fun go(p: Low) = p.twice()", {("A.kt::twice", "typed")}),
        (
            "package b\nimport a.Price\nimport a.twice",
            "fun go(p: Price) = p.twice()",
            {("A.kt::twice", "typed")},
        ),
        ("package b\nimport a.Price", "fun go(p: Price) = p.twice()", set()),
        ("package a", "fun go(p: Unknown) = p.each()", {("A.kt::each", "unique")}),
        ("package b", "fun go(p: Unknown) = p.each()", set()),
        ("package a", "fun Price.go() = this.own()", {("A.kt::Price.own", "self")}),
        ("package a", "fun Low.go() = own()", {("A.kt::Price.own", "self")}),
        (
            "package a",
            "class In { fun Price.inner() {}\n fun go(p: Price) = p.inner() }",
            {("B.kt::In.inner", "typed")},
        ),
        (
            "package a",
            "class In { fun twice() {}\n fun go() = this.twice() }",
            {("B.kt::In.twice", "self")},
        ),
    ],
)
def test_a_function_of_kotlin_is_called_on_what_it_extends(
    head: str, body: str, expected: set[tuple[str, str]]
) -> None:
    assert calls({"A.kt": EXTENDED, "B.kt": f"{head}\n{body}\n"}, "B.kt") == expected


def test_an_extension_comes_before_a_method_that_a_type_from_outside_may_have() -> None:
    files = {
        "A.kt": "package a\nimport java.io.File\nfun File.lines() {}\n",
        "B.kt": "package a\nimport java.io.File\nfun go(f: File) { f.lines(); f.other() }\n",
    }

    assert calls(files, "B.kt") == {
        ("A.kt::lines", "typed"),
        ("kotlin:java.io.File.other", "import"),
    }


MAKER = """class Maker {
    static func unit() -> Maker { return Maker() }
    func same() -> Self { return self }
    func maybe() throws -> Maker? { return nil }
    func sure() -> Maker! { return nil }
    func some() -> some Making { return Maker() }
    func all() -> [Maker] { return [] }
    func later() -> (Maker) -> Int { }
    func double() {}
}
protocol Making { func make() -> any Making; func double() }
class Other { func double() {} }
func free() -> Maker { return Maker() }
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("let m = Maker.unit(); m.double()", {"Maker"}),
        ("Maker.unit().double()", {"Maker"}),
        ("Maker.unit().same().double()", {"Maker"}),
        ("try m.maybe()?.double()", {"Maker"}),
        ("m.sure().double()", {"Maker"}),
        ("m.some().double()", {"Making"}),
        ("m.some().make().double()", {"Making"}),
        ("free().double()", {"Maker"}),
        ("m.all().double()", set()),
        ("m.later().double()", set()),
    ],
)
def test_a_function_of_swift_says_what_it_returns(body: str, expected: set[str]) -> None:
    found = calls({"A.swift": f"{MAKER}func go(m: Maker) {{ {body} }}\n"}, "A.swift")

    assert {target for target, how in found if target.endswith("double") and how == "typed"} == {
        f"A.swift::{each}.double" for each in expected
    }
