"""What names of Java stand for."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls


def bound(members: str, rest: str = "") -> set[str]:
    """Return what a class with a lamp calls of what is here."""
    source = f"""package home;
import java.util.*;
import static home.Tools.*;
class Main extends Base {{
{members}
}}
class Base {{ Base(int size) {{}} Lamp spare() {{ return null; }} }}
class Lamp {{ Lamp() {{}} void off() {{}} Lamp off(int times) {{ return this; }} }}
{rest}
"""
    tools = "package home;\nclass Tools implements Cloneable { static void help() {} }\n"
    found = calls({"Main.java": source, "Tools.java": tools}, "Main.java")
    return {
        target.rpartition("::")[2] for target, how in found if "::" in target and how != "unique"
    }


@pytest.mark.parametrize(
    "members",
    [
        "Lamp lamp; Object lamp() { return null; } void f() { lamp.off(); }",
        "void f() { Lamp spare = spare(); spare.off(); }",
        "void f(Lamp spare) { spare().off(); }",
        "Lamp lamp; class In { void f() { Main.this.lamp.off(); } }",
        "void f(Lamp... lamps) { lamps[0].off(); }",
        "void f(List<Lamp> lamps) { for (Lamp each : lamps) { each.off(); } }",
    ],
)
def test_methods_and_variables_may_have_one_name(members: str) -> None:
    assert "Lamp.off" in bound(members)


@pytest.mark.parametrize(
    "members",
    [
        "void f(List<Lamp> lamps) { lamps.forEach(each -> each.off()); }",
        "void f(List<Lamp> lamps) { lamps.stream().filter(l -> true).anyMatch(l -> l.off(1)); }",
        "void each(Consumer<Lamp> use) {} void f() { each(lamp -> { lamp.off(); }); }",
        "void f() { g((Lamp lamp) -> lamp.off()); }",
    ],
)
def test_parameters_of_lambdas(members: str) -> None:
    assert {"Lamp.off", "Lamp.off#2"} & bound(members)


def test_a_constant_of_an_enum_is_one_of_its_objects() -> None:
    rest = "enum Size { SMALL, LARGE; void grow() {} }"

    assert bound("void f() { Size.SMALL.grow(); }", rest) == {"Size.grow"}


def test_a_call_is_not_of_the_variable_that_holds_its_result() -> None:
    assert bound("void f(int hash) { hash = hash(hash); } int hash(int x) { return x; }") == {
        "Main.hash"
    }


def test_constructors_call_each_other() -> None:
    assert bound("Main(int a) { super(a); } Main() { this(1); }") == {"Base.Base", "Main.Main"}


def test_constants_of_an_enum_are_constructed() -> None:
    assert bound("", "enum Size { SMALL(1), LARGE(2); Size(int n) {} }") == {"Size.Size"}


def test_methods_that_are_referred_to() -> None:
    members = "void f(List<Lamp> ls) { ls.forEach(Lamp::off); ls.forEach(this::g); h(Lamp::new); }"

    assert bound(members + " void g(Lamp l) {} void h(Object o) {}") == {
        "Lamp.off",
        "Lamp.off#2",
        "Main.g",
        "Main.h",
        "Lamp.Lamp",
    }


def test_a_base_is_found_behind_an_import_of_everything() -> None:
    assert bound("void f() { spare(); help(); }") == {"Base.spare", "Tools.help"}


def test_what_belongs_to_every_object_is_not_guessed() -> None:
    members = "void f(Other o) { o.getClass().getName(); String.class.getName(); }"

    assert bound(members, "class Other { String name() { return null; } }") == set()
