"""Calls in Python are bound by scopes, imports, classes and types."""

from __future__ import annotations

from tests.zapomni_core.code.resolution.repositories import calls, repository

MODELS = """
class Base:
    def save(self):
        return self.check()

    def check(self):
        pass


class User(Base):
    def __init__(self, name):
        self.name = name

    def check(self):
        super().check()

    def parent(self) -> "User":
        ...
"""


def test_a_function_of_the_same_file_is_local() -> None:
    files = {"a.py": "def f(): pass\n\ndef g():\n    f()\n"}

    assert calls(files, "a.py") == {("a.py::f", "local")}


def test_an_inner_function_hides_an_outer_one() -> None:
    files = {"a.py": "def f(): pass\n\ndef g():\n    def f(): pass\n    f()\n"}

    assert calls(files, "a.py") == {("a.py::g.f", "local")}


def test_a_parameter_hides_a_function() -> None:
    files = {"a.py": "def f(): pass\n\ndef g(f):\n    f()\n"}

    assert calls(files, "a.py") == set()


def test_methods_do_not_see_each_other_by_their_bare_names() -> None:
    files = {"a.py": "class A:\n    def f(self): pass\n    def g(self):\n        f()\n"}

    assert calls(files, "a.py") == set()


def test_an_import_is_followed_through_a_package_that_exports_it_again() -> None:
    files = {
        "src/pkg/__init__.py": "from .inner import *\nfrom .other import work as job\n",
        "src/pkg/inner.py": "def helper(): pass\n",
        "src/pkg/other.py": "def work(): pass\n",
        "tests/test_it.py": "from pkg import helper, job\nimport pkg.other\n"
        "helper()\njob()\npkg.other.work()\n",
    }

    assert calls(files, "tests/test_it.py") == {
        ("src/pkg/inner.py::helper", "import"),
        ("src/pkg/other.py::work", "import"),
    }


def test_what_is_imported_from_outside_is_never_bound_here() -> None:
    files = {
        "a.py": "import requests\nfrom json import loads\n"
        "requests.Session().send()\nloads('x')\nrequests.get('x').send()\n",
        "b.py": "class Client:\n    def send(self): pass\n\ndef loads(): pass\n",
    }

    assert {target for target, _ in calls(files, "a.py")} == {
        "python:requests.Session",
        "python:requests.Session.send",
        "python:json.loads",
        "python:requests.get",
    }


def test_self_and_super_follow_the_order_of_the_bases() -> None:
    found = calls({"models.py": MODELS}, "models.py")

    assert ("models.py::Base.check", "self") in found
    assert ("models.py::User.check", "dispatch") in found


def test_a_class_call_runs_the_constructor_or_the_class_without_one() -> None:
    files = {
        "models.py": MODELS,
        "a.py": "from models import Base, User\nUser('x')\nBase()\n",
    }

    assert calls(files, "a.py") == {
        ("models.py::User.__init__", "import"),
        ("models.py::Base", "import"),
    }


def test_receivers_are_typed_by_what_is_said_about_them() -> None:
    files = {
        "models.py": MODELS,
        "a.py": """
import models
from models import User

class Page:
    owner: User

    def __init__(self):
        self.editor = User('x')

    def show(self, users: list[User], other: "User | None"):
        self.owner.save()
        self.editor.parent().save()
        for user in users:
            user.save()
        other.save()
        made = models.User('y')
        made.save()
""",
    }
    edges = repository(files).edges_of("a.py").calls
    saved = [edge.line for edge in edges if edge.target == "models.py::Base.save"]

    assert saved == [12, 13, 15, 16, 18]


def test_a_method_that_only_one_class_has_is_a_guess() -> None:
    files = {
        "models.py": MODELS,
        "a.py": "def f(x):\n    x.parent()\n    x.append(1)\n",
    }
    found = repository(files).edges_of("a.py")

    assert [(edge.target, edge.how) for edge in found.calls] == [
        ("models.py::User.parent", "unique")
    ]
    assert [(each.name, each.candidates) for each in found.unresolved] == [("append", ())]


def test_between_several_methods_nothing_is_bound() -> None:
    found = repository({"models.py": MODELS, "a.py": "def f(x):\n    x.check()\n"}).edges_of(
        "a.py"
    )

    assert found.calls == ()
    assert found.unresolved[0].candidates == (
        "models.py::Base.check",
        "models.py::User.check",
    )


def test_classes_know_their_bases_and_what_they_override() -> None:
    found = repository({"models.py": MODELS}).edges_of("models.py")

    assert [edge.target for edge in found.inherits] == ["models.py::Base"]
    assert [edge.target for edge in found.overrides] == ["models.py::Base.check"]


def test_another_language_is_never_called() -> None:
    files = {"a.py": "def f(x):\n    x.launch()\n", "b.js": "class B { launch() {} }\n"}

    assert calls(files, "a.py") == set()


def test_types_that_lead_in_a_circle_are_unknown() -> None:
    files = {
        "a.py": "class A:\n    def f(self):\n        self.x = self.y\n        self.y = self.x\n"
        "        self.x.go()\n",
    }

    assert calls(files, "a.py") == set()


SHAPES = """
class Shape:
    def area(self):
        raise NotImplementedError

    def told(self):
        return "shape"


class Round(Shape):
    def area(self):
        return 3

    def told(self):
        return "round"


class Flat(Shape):
    def area(self):
        return 4

    def told(self):
        return "flat"


class Half(Flat):
    pass
"""


def test_what_is_left_to_subclasses_is_called_there() -> None:
    files = {
        "shapes.py": SHAPES,
        "a.py": "from shapes import Shape\n\ndef f(s: Shape):\n    s.area()\n",
    }

    assert calls(files, "a.py") == {
        ("shapes.py::Shape.area", "dispatch"),
        ("shapes.py::Round.area", "typed"),
        ("shapes.py::Flat.area", "typed"),
    }


def test_nothing_is_an_object_of_an_abstract_class_itself() -> None:
    files = {
        "shapes.py": SHAPES,
        "a.py": "from shapes import Shape\n\ndef f(s: Shape):\n    s.told()\n",
    }

    assert calls(files, "a.py") == {
        ("shapes.py::Shape.told", "dispatch"),
        ("shapes.py::Round.told", "typed"),
        ("shapes.py::Flat.told", "typed"),
    }


def test_a_method_that_sometimes_refuses_is_not_abstract() -> None:
    files = {
        "a.py": "class A:\n    def f(self, x):\n        if x:\n"
        "            raise NotImplementedError\n\n\n"
        "class B(A):\n    def f(self, x): pass\n\n\ndef g(a: A):\n    a.f(1)\n"
    }

    assert calls(files, "a.py") == {("a.py::A.f", "typed"), ("a.py::B.f", "dispatch")}


def test_the_class_of_an_object_is_called_by_asking_for_it() -> None:
    files = {
        "a.py": "class A:\n    def __init__(self): pass\n    def copy(self):\n"
        "        return type(self)()\n\n    @classmethod\n    def make(cls): pass\n\n"
        "    def other(self):\n        type(self).make()\n"
    }

    assert calls(files, "a.py") == {
        ("a.py::A.__init__", "typed"),
        ("a.py::A.make", "local"),
        ("python:type", "import"),
    }


def test_a_decorator_with_arguments_gives_a_function_though_it_may_give_an_object() -> None:
    files = {
        "a.py": "from typing import Callable\n\nclass Command:\n    def __call__(self): pass\n\n"
        "def command(f=None) -> Callable[[object], Command] | Command:\n"
        "    def decorator(f):\n        return Command()\n\n"
        "    if f is not None:\n        return decorator(f)\n    return decorator\n",
        "b.py": "from a import command\n\ncommand()(print)\n",
    }

    assert calls(files, "b.py") == {
        ("a.py::command", "import"),
        ("a.py::command.decorator", "typed"),
    }


def test_a_repository_may_be_a_package_itself() -> None:
    files = {
        "__init__.py": "",
        "store.py": "def save(): pass\n",
        "app.py": "from .store import save\n\n\ndef run():\n    save()\n",
    }

    assert calls(files, "app.py") == {("store.py::save", "import")}


def test_a_decorator_calls_a_function_of_the_repository_though_no_call_is_written() -> None:
    files = {
        "guards.py": "def login_required(view):\n    return view\n",
        "views.py": "from guards import login_required\nimport guards\n\n\n"
        "@login_required\ndef index(): pass\n\n\n"
        "class Page:\n    @property\n    @guards.login_required\n    def text(self): pass\n",
    }
    edges = repository(files).edges_of("views.py")

    assert [(each.source, each.target, each.line, each.how) for each in edges.calls] == [
        (-1, "guards.py::login_required", 6, "import"),
        (1, "guards.py::login_required", 12, "import"),
    ]
    assert edges.unresolved == ()


def test_a_class_that_decorates_is_made_an_object_of() -> None:
    files = {
        "a.py": "class cached:\n    def __init__(self, f): pass\n\n\n@cached\ndef f(): pass\n"
    }

    assert calls(files, "a.py") == {("a.py::cached.__init__", "local")}


def test_a_function_that_is_decorated_by_itself_is_no_way_without_end() -> None:
    files = {
        "a.py": "@f.register\ndef f(x): pass\n\n\nf.cache_clear()\n\n\n"
        "class A:\n    @property\n    def x(self): pass\n\n"
        "    @x.setter\n    def x(self, value): pass\n\n    x.getter(1)\n"
    }

    assert calls(files, "a.py") == set()
