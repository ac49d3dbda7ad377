"""Calls in Python are bound through what functions return, unpack, cast and decorate."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls, repository

MODELS = """
class Cat:
    def __init__(self): pass
    def meow(self): pass

class Dog:
    def bark(self): pass

class Puppy(Dog):
    def __init__(self, name): pass
"""


def found(text: str) -> set[tuple[str, str]]:
    return calls(
        {"models.py": MODELS, "a.py": "from models import Cat, Dog, Puppy\n" + text}, "a.py"
    )


def test_a_local_that_nobody_can_read_hides_a_function() -> None:
    text = "def f(): pass\n\ndef g():\n    f, rest = lambda: 1, None\n    f()\n"

    assert found(text) == set()


def test_what_a_function_returns_is_seen_without_a_type() -> None:
    text = "def make():\n    return Dog()\n\nmake().bark()\n"

    assert ("models.py::Dog.bark", "typed") in found(text)


def test_a_function_that_returns_its_inner_function_leads_to_it() -> None:
    text = (
        "def outer():\n    def inner(): pass\n    return inner\n\n"
        "run = outer()\nrun()\nouter()()\n"
    )

    assert ("a.py::outer.inner", "local") in found(text)
    assert ("a.py::outer.inner", "typed") in found(text)


def test_the_parts_of_a_tuple_have_types_of_their_own() -> None:
    text = (
        "def both() -> tuple[Cat, Dog]: ...\n\n"
        "cat, dog = both()\ncat.meow()\ndog.bark()\n"
        "def loop(named: dict[str, Cat]):\n    for name, each in named.items():\n"
        "        each.meow()\n"
    )

    assert {("models.py::Cat.meow", "typed"), ("models.py::Dog.bark", "typed")} <= found(text)


def test_either_of_two_types_is_called() -> None:
    text = "class Wolf:\n    def bark(self): pass\n\ndef f(it: 'Dog | Wolf'):\n    it.bark()\n"

    assert found(text) == {("models.py::Dog.bark", "typed"), ("a.py::Wolf.bark", "typed")}


def test_a_cast_and_the_bound_of_a_type_variable_are_believed() -> None:
    text = (
        "from typing import TypeVar, cast\nT = TypeVar('T', bound=Dog)\n\n"
        "def f(it: T, other):\n    it.bark()\n    cat = cast(Cat, other)\n    cat.meow()\n"
    )

    assert {("models.py::Dog.bark", "typed"), ("models.py::Cat.meow", "typed")} <= found(text)


def test_isinstance_says_what_has_no_type() -> None:
    text = (
        "class Owl:\n    def meow(self): pass\n\n"
        "def f(it):\n    if isinstance(it, Cat):\n        it.meow()\n"
    )

    assert ("models.py::Cat.meow", "typed") in found(text)


def test_a_class_in_a_variable_may_be_a_subclass() -> None:
    text = "def f(kind: type[Dog]):\n    kind()\n"

    assert found(text) == {
        ("models.py::Dog", "import"),
        ("models.py::Puppy.__init__", "dispatch"),
    }


def test_a_class_called_by_its_name_is_that_class() -> None:
    assert found("Dog()\n") == {("models.py::Dog", "import")}


def test_a_partial_function_is_the_function() -> None:
    text = "from functools import partial\ndef f(x): pass\ng = partial(f, 1)\ng()\n"

    assert ("a.py::f", "local") in found(text)


def test_a_generator_entered_by_with_gives_what_it_yields() -> None:
    text = (
        "from contextlib import contextmanager\n\n"
        "@contextmanager\ndef borrowed():\n    dog = Dog()\n    yield dog\n\n"
        "with borrowed() as it:\n    it.bark()\n"
    )

    assert ("models.py::Dog.bark", "typed") in found(text)


def test_a_decorator_that_makes_an_object_gives_its_methods_to_the_name() -> None:
    text = "def kept(function) -> Dog: ...\n\n@kept\ndef rex(): pass\n\nrex.bark()\n"

    assert ("models.py::Dog.bark", "typed") in found(text)


def test_a_method_that_returns_itself_keeps_the_subclass() -> None:
    text = (
        "class Chain:\n    def then(self):\n        return self\n\n"
        "class Longer(Chain):\n    def end(self): pass\n\nLonger().then().end()\n"
    )

    assert ("a.py::Longer.end", "typed") in found(text)


def test_an_attribute_named_parent_is_no_base_class() -> None:
    text = (
        "class Node(Dog):\n    def __init__(self, parent: 'Node'):\n"
        "        self.parent = parent\n    def up(self):\n        self.parent.find()\n"
        "    def find(self): pass\n"
    )

    assert ("a.py::Node.find", "typed") in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "x: " + "list[" * 3000 + "int" + "]" * 3000 + "\nx.f()\n",
        "".join(
            f"class A{n + 1}(A{n}, B{n}): pass\nclass B{n + 1}(A{n}): pass\n" for n in range(60)
        )
        + "A60().f()\n",
        "".join(f"@f{n}.again\ndef f{n + 1}(): pass\n" for n in range(3000)) + "f3000.f()\n",
        "".join(f"def f{n}():\n    return f{n + 1}()\n" for n in range(3000)) + "f0().f()\n",
        "x" + "[0].y()" * 3000 + ".f()\n",
    ],
    ids=["types", "diamonds", "decorators", "results", "chain"],
)
def test_what_goes_on_and_on_is_given_up_at_some_point(text: str) -> None:
    edges = repository({"a.py": text}).edges_of("a.py")

    assert "f" in {each.name for each in edges.unresolved}


def test_methods_are_looked_for_in_the_order_of_python() -> None:
    files = {
        "a.py": "class A:\n    def f(self): pass\n    def g(self): pass\n"
        "class B(A):\n    def f(self): pass\nclass C(A):\n    def f(self): pass\n"
        "    def g(self): pass\nclass D(B, C): pass\nD().f()\nD().g()\n"
    }

    assert {target for target, _ in calls(files, "a.py")} == {"a.py::B.f", "a.py::C.g", "a.py::D"}


@pytest.mark.parametrize(
    "text",
    [
        "class Pack(Dog[int]):\n    def f(self):\n        self.bark()\n",
        "def f(*dogs: Dog):\n    dogs[0].bark()\n",
        "def f(**dogs: Dog):\n    dogs['a'].bark()\n",
        "def f(dogs: list[Dog]):\n    some = dogs[1:]\n    some[0].bark()\n",
        "dogs = [Dog(), Puppy('a')]\ndogs[0].bark()\n",
        "dogs = [Dog() for _ in range(3)]\nfor dog in dogs:\n    dog.bark()\n",
        "def f(dogs: list[Dog]):\n    more = list(dogs)\n    more[0].bark()\n",
        "def f(dogs: list[Dog]):\n    for dog in reversed(dogs):\n        dog.bark()\n",
        "dog = (\n    Dog()\n    if x\n    else None\n)\ndog.bark()\n",
        (
            "class Box:\n    @property\n    def dog(self) -> Dog: ...\n"
            "    @dog.setter\n    def dog(self, value): ...\n"
            "    def f(self):\n        self.dog.bark()\n"
        ),
    ],
)
def test_forms_in_which_dogs_come(text: str) -> None:
    assert {("models.py::Dog.bark", how) for how in ("typed", "self")} & found(text)


def test_a_class_method_gives_objects_of_the_class_it_is_called_on() -> None:
    text = (
        "class Base:\n    @classmethod\n    def make(cls: type[T]) -> T: ...\n"
        "class Derived(Base):\n    def only(self): ...\n"
        "Derived.make().only()\n"
    )

    assert ("a.py::Derived.only", "typed") in found(text)


def test_isinstance_holds_where_it_was_asked() -> None:
    text = (
        "class Kitten(Cat):\n    def meow(self): pass\n"
        "def f(it: object, cat: Cat):\n"
        "    if isinstance(it, Dog):\n        it.bark()\n"
        "    if isinstance(cat, Kitten):\n        cat.meow()\n"
        "    it.meow()\n"
        "def g(it: object):\n"
        "    if not isinstance(it, Dog):\n        return\n"
        "    it.bark()\n"
    )
    edges = repository({"models.py": MODELS, "a.py": f"from models import *\n{text}"})
    lines = {
        (edge.line, edge.target) for edge in edges.edges_of("a.py").calls if "::" in edge.target
    }

    assert lines == {
        (6, "models.py::Dog.bark"),
        (8, "a.py::Kitten.meow"),
        (13, "models.py::Dog.bark"),
    }


@pytest.mark.parametrize(
    "text",
    [
        "def f(it: Cat):\n    if not isinstance(it, Kitten):\n        return it.meow()\n",
        "def f(it: Cat):\n    if isinstance(it, Kitten):\n        it = Cat()\n        it.meow()\n",
        "def f(it: Cat):\n    it.meow() if not isinstance(it, Kitten) else 1\n",
        "def f(it: Cat):\n    if isinstance(it, Kitten) or x:\n        it.meow()\n",
    ],
)
def test_isinstance_says_nothing_where_it_may_not_hold(text: str) -> None:
    kitten = "class Kitten(Cat):\n    def meow(self): pass\n"

    assert ("models.py::Cat.meow", "typed") in found(kitten + text)


def test_isinstance_holds_behind_a_loop_until_it_does() -> None:
    text = "def f(it):\n    while not isinstance(it, Dog):\n        it = it.next\n    it.bark()\n"

    assert ("models.py::Dog.bark", "typed") in found(text)


def test_who_makes_an_object_calls_its_class_too_if_that_inherits_its_constructor() -> None:
    models = "class Base:\n    def __init__(self): pass\n\nclass Own(Base):\n    pass\n"

    bound = calls({"m.py": models, "a.py": "from m import Own\nOwn()\n"}, "a.py")

    assert bound == {("m.py::Base.__init__", "import"), ("m.py::Own", "import")}


@pytest.mark.parametrize(
    "text",
    [
        "def f(cats):\n    x = Dog()\n    sorted(cats, key=lambda x: x.bark())\n",
        "def bark(x): pass\ndef f(xs):\n    return filter(lambda bark: bark(1), xs)\n",
        "def bark(x): pass\ndef f(v):\n    match v:\n        case [bark]:\n            bark(1)\n",
        "def f(v):\n    z = Dog()\n    match v:\n        case [z, *_]:\n            z.bark()\n",
        "def bark(): 1\ndef f(v):\n    match v:\n        case Dog(r=bark):\n            bark()\n",
        "def bark(): 1\ndef f(v):\n    match v:\n        case 1 as bark:\n            bark()\n",
    ],
)
def test_names_of_a_lambda_or_a_case_hide_those_outside(text: str) -> None:
    bound = {target for target, how in found(text) if how != "unique"}
    assert not {target for target in bound if target.endswith("bark")}


def test_a_lambda_may_hand_on_what_its_parameter_hides() -> None:
    text = "def run(x): pass\n\ndef f(xs):\n    return map(lambda x, run=run: run(x), xs)\n"

    assert ("a.py::run", "local") in found(text)


def test_names_of_a_comprehension_hold_from_its_beginning_to_its_end() -> None:
    loop = "    [\n        d.meow()\n        for d in cats\n    ]\n"
    text = f"def f(cats: list[Cat]):\n    d = Dog()\n{loop}    d.bark()\n"

    assert {("models.py::Cat.meow", "typed"), ("models.py::Dog.bark", "typed")} <= found(text)


@pytest.mark.parametrize("base", ["Enum", "enum.IntEnum", "str, Enum"])
def test_what_stands_in_an_enum_is_one_of_its_objects(base: str) -> None:
    text = (
        "import enum\nfrom enum import Enum\n"
        f"class Color({base}):\n    RED = 1\n    def pretty(self): pass\n\n"
        "Color.RED.pretty()\n"
    )

    assert ("a.py::Color.pretty", "typed") in found(text)


@pytest.mark.parametrize(
    "text",
    [
        (
            "from enum import Enum\nclass Planet(Enum):\n    pet: Dog\n"
            "    def f(self): self.pet.bark()\n"
        ),
        (
            "from enum import Enum\nclass Mixin:\n    pet = Dog()\n\n"
            "class Color(Mixin, Enum):\n    def f(self): self.pet.bark()\n"
        ),
        (
            "class Flag: pass\n\nclass Own(Flag):\n    pet = Dog()\n"
            "    def f(self): self.pet.bark()\n"
        ),
    ],
)
def test_what_only_looks_like_an_object_of_an_enum_keeps_its_type(text: str) -> None:
    assert ("models.py::Dog.bark", "typed") in found(text)
