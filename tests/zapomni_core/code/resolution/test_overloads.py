"""Calls of a name that is defined several times reach those that may be meant."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls, repository

KINDS = (
    *("int", "long", "char", "double", "String", "Base"),
    *("boolean", "int[]", "long[]", "Class<?>", "Object"),
)
JAVA = {
    "A.java": """package x;
class A {
    void helper(int a) {}
    void helper(String s) {}
    K made(int a) { return new K(); }
    V made(String s) { return new V(); }
    void run() { helper(unknown()); }
    void typed() { made(2).touch(); }
}
class K { void touch() {} }
class V { void touch() {} }
""",
}


def test_a_call_of_an_overloaded_method_reaches_all_of_its_name() -> None:
    edges = repository(JAVA).edges_of("A.java").calls

    assert {edge for edge in edges if edge.line == 7} == {
        (5, "A.java::A.helper", 7, "self", 0.7, False),
        (5, "A.java::A.helper#2", 7, "self", 0.7, False),
    }


def test_what_overloads_return_is_one_of_their_types() -> None:
    assert calls(JAVA, "A.java") >= {("A.java::K.touch", "typed"), ("A.java::V.touch", "typed")}


def test_all_constructors_of_a_class_are_reached() -> None:
    files = {"A.java": "class A { A(int a) {} A(String s) {} }\nclass B { A a = new A(b()); }\n"}

    assert calls(files, "A.java") == {("A.java::A.A", "local"), ("A.java::A.A#2", "local")}


def test_the_last_definition_of_a_python_function_replaces_the_others() -> None:
    files = {"a.py": "def f(): pass\ndef f(a): pass\nf()\n"}

    assert calls(files, "a.py") == {("a.py::f#2", "local")}


def test_a_static_method_is_not_one_of_an_object() -> None:
    files = {
        "a.ts": """class Mine { static fetchAll() {} fetchAll() {} }
export function own() { Mine.fetchAll(); }
""",
        "b.ts": """export class Mine { fetchAll() {} static fetchAll() {} }
export function own() { new Mine().fetchAll(); }
""",
    }

    assert calls(files, "a.ts") == {("a.ts::Mine.fetchAll", "local")}
    assert ("b.ts::Mine.fetchAll", "typed") in calls(files, "b.ts")


def test_a_scala_class_is_made_and_not_its_companion() -> None:
    files = {
        "A.scala": """class App { def run(): Unit = () }
object App { def make(): App = new App() }
object Main { def main(): Unit = App.make().run() }
""",
        "B.scala": "object Tool { def make(): Tool = new Tool() }\nclass Tool\n",
    }

    assert calls(files, "A.scala") == {
        ("A.scala::App", "local"),
        ("A.scala::App.make", "local"),
        ("A.scala::App.run", "typed"),
    }
    assert calls(files, "B.scala") == {("B.scala::Tool#2", "local")}


def test_a_swift_extension_adds_to_its_type() -> None:
    files = {
        "A.swift": """class Shape {
    init(x: Int) {}
    func draw() {}
}
extension Shape { func extra() { draw() } }
func free() { Shape(x: 1).extra() }
""",
    }

    assert calls(files, "A.swift") == {
        ("A.swift::Shape.init", "local"),
        ("A.swift::Shape.draw", "self"),
        ("A.swift::Shape.extra", "typed"),
    }


def test_a_constructor_does_not_hide_its_class() -> None:
    files = {
        "A.java": """class A {
    A(int x) {}
    static A of() { return new A(1); }
    void run() { A.of().go(); }
    void go() {}
}
""",
    }

    assert calls(files, "A.java") == {
        ("A.java::A.A", "local"),
        ("A.java::A.of", "local"),
        ("A.java::A.go", "typed"),
    }


def test_the_number_of_arguments_chooses_between_overloads() -> None:
    files = {
        "A.java": """class A {
    void f(int a) {}
    void f(int a, int b) {}
    void f(int a, int b, String... more) {}
    void f(String a) {}
    A() {}
    A(int a) {}
    void two() { f(1, /* and */ 2); }
    void many() { f(1, 2, "a", "b"); }
    void one() { new A(1); }
}
""",
        "a.cpp": """int f(int a) { return a; }
int f(int a, int b = 1, int c = 2) { return a; }
int g() { return f(1) + f(1, 2); }
""",
    }

    edges = repository(files).edges_of("A.java").calls

    assert [(edge.line, edge.target, edge.how, edge.confidence) for edge in edges] == [
        (8, "A.java::A.f#2", "self", 0.95),
        (9, "A.java::A.f#3", "self", 0.95),
        (10, "A.java::A.A#2", "local", 1.0),
    ]
    assert calls(files, "a.cpp") == {("a.cpp::f", "local"), ("a.cpp::f#2", "local")}


def test_what_is_defined_all_over_a_file_is_a_macro_and_has_no_callers() -> None:
    tests = "".join(f"TEST(a, b{n}) {{ f(); }}\n" for n in range(30))
    files = {"a.cpp": f"void f() {{}}\n{tests}void g() {{ TEST(a, b); }}\n"}

    assert calls(files, "a.cpp") == {("a.cpp::f", "local")}


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        ("1", 1),
        ("2L", 2),
        ("'c'", 3),
        ("1.5", 4),
        ('"text"', 5),
        ("new Base()", 6),
        ("new Derived()", 6),
        ("x > 1", 7),
        ("!done", 7),
        ("(int[]) any", 8),
        ("new long[] {1}", 9),
        ("A.class", 10),
        ("number", 1),
        ("many", 9),
        ("made", 6),
        ("new Other()", 11),
    ],
)
def test_types_of_arguments_choose_between_overloads(given: str, chosen: int) -> None:
    overloads = "".join(f"void f({kind} it) {{}}\n" for kind in KINDS)
    files = {
        "A.java": f"""class A {{
{overloads}void run(int number, long... many) {{ Derived made = null; f({given}); }}
}}
class Base {{}}
class Derived extends Base {{}}
class Other {{}}
""",
    }

    found = {target for target, _ in calls(files, "A.java") if "A.f" in target}
    assert found == {f"A.java::A.f#{chosen}" if chosen > 1 else "A.java::A.f"}


def test_what_takes_any_number_is_called_where_nothing_else_fits() -> None:
    files = {
        "A.java": """class A {
    void f(String a, Object... more) {}
    void f(String a, @Nullable Object b) {}
    void f(String a, Object b, Object @Nullable ... more) {}
    void one() { f("a", "b"); }
    void none() { f("a"); }
    void g(Base b) {}
    void g(String... more) {}
    void text() { g("a"); }
}
class Base {}
""",
    }

    edges = repository(files).edges_of("A.java").calls
    assert {(edge.line, edge.target) for edge in edges} == {
        (5, "A.java::A.f#2"),
        (6, "A.java::A.f"),
        (9, "A.java::A.g#2"),
    }


def test_a_method_that_takes_something_else_does_not_hide_the_one_above() -> None:
    files = {
        "A.java": """class A { void f() {} void f(int a) {} }
class B extends A { void f(int a, int b) {} void run(B other) { f(1); other.f(); f(1, 2); } }
""",
    }

    assert {target for target, _ in calls(files, "A.java")} == {
        "A.java::A.f",
        "A.java::A.f#2",
        "A.java::B.f",
    }


def test_what_may_be_meant_is_not_lost_to_what_takes_everything() -> None:
    files = {
        "A.java": """import java.util.*;
class A {
    void f(Object o) {}
    void f(Collection<?> c) {}
    void g(Object o) {}
    void g(Number n) {}
    void run(List<String> list) { f(list); g(1); }
}
""",
    }

    assert {target for target, _ in calls(files, "A.java")} == {"A.java::A.f#2", "A.java::A.g#2"}


@pytest.mark.parametrize(
    ("statement", "constructors"),
    [
        ("Token t(1);", {"Token"}),
        ("Token t(1, 2);", {"Token#2"}),
        ("Token t{1, 2};", {"Token#2"}),
        ("Token t = {1, 2};", {"Token#2"}),
        ("static const Token t(1), u(1, 2);", {"Token", "Token#2"}),
        ("int a = 1; Token t(a);", {"Token"}),
        ("Token t(int a);", set()),
        ("Token t(one, int a);", set()),
        ("Token t();", set()),
        ("Token t;", set()),
        ("Token *t{nullptr};", set()),
        ("std::Token t(1);", set()),
        ("DECLARE_TOKEN(t, 1);", set()),
    ],
)
def test_a_variable_of_cpp_calls_the_constructor_of_its_type(
    statement: str, constructors: set[str]
) -> None:
    token = "class Token { public: Token(int a) {} Token(int a, int b) {} };\n"
    files = {"a.cpp": f"{token}void f() {{ {statement} }}\n"}

    found = {target.removeprefix("a.cpp::Token.") for target, _ in calls(files, "a.cpp")}

    assert found == constructors


def test_variables_outside_of_functions_of_cpp_are_made_as_well() -> None:
    files = {
        "a.cpp": """namespace ns { class Token { public: Token(int a) {} }; }
ns::Token one(1);
class Box { ns::Token two{1}; ns::Token three(int a); };
ns::Token four(Other);
"""
    }

    assert {edge.line for edge in repository(files).edges_of("a.cpp").calls} == {2, 3}
