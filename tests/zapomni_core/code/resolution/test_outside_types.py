"""What has the name of a type from outside is not called on something of the repository."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls, repository


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("A.cs", "class A { void Run() { Console.WriteLine(1); Console.Out.WriteLine(2); } }\n"),
        ("A.java", "class A { void run() { Logger.writeLine(1); new Logger().writeLine(2); } }\n"),
        ("A.kt", "fun run() {\n    Logger.writeLine(1)\n    Logger().writeLine(2)\n}\n"),
        ("A.swift", "func run() { Logger.writeLine(1) }\n"),
        ("A.scala", "object A { def run(): Unit = Logger.writeLine(1) }\n"),
        ("A.php", "<?php\nfunction run() { Logger::writeLine(1); }\n"),
        ("a.rb", "Logger.writeLine(1)\n"),
    ],
)
def test_a_type_from_outside_does_not_have_methods_of_the_repository(path: str, text: str) -> None:
    ending = path.rpartition(".")[2]
    own = {
        "cs": "class Own { public void WriteLine(int x) {} }\n",
        "java": "class Own { void writeLine(int x) {} }\n",
        "kt": "class Own {\n    fun writeLine(x: Int) {}\n}\n",
        "swift": "class Own { func writeLine(x: Int) {} }\n",
        "scala": "class Own { def writeLine(x: Int): Unit = () }\n",
        "php": "<?php\nclass Own { function writeLine($x) {} }\n",
        "rb": "class Own\n  def writeLine(x); end\nend\n",
    }[ending]

    assert calls({path: text, f"Own.{ending}": own}, path) == set()


def test_the_only_type_of_a_name_is_guessed_to_be_meant() -> None:
    files = {
        "A.swift": "class A: Outer { func run() { Shape.make() } }\n",
        "B.swift": "class Shape { static func make() {} }\nclass B { func make() {} }\n",
    }

    assert "B.swift::Shape.make" in {target for target, _ in calls(files, "A.swift")}


@pytest.mark.parametrize(
    ("ending", "task", "real", "use"),
    [
        (
            "java",
            "package a; import outer.Callable; interface Task extends Callable<String> {}\n",
            "package a; class Real implements Task { public String call() { return null; } }\n",
            "package a; class Use { Task task; void go() { task.call(); } }\n",
        ),
        (
            "py",
            "from outer import Callable\nclass Task(Callable): ...\n",
            "from task import Task\nclass Real(Task):\n    def call(self): ...\n",
            "from task import Task\ndef go(task: Task):\n    task.call()\n",
        ),
        (
            "ts",
            "import { Callable } from 'outer';\nexport interface Task extends Callable {}\n",
            "import { Task } from './task';\nexport class Real implements Task { call() {} }\n",
            "import { Task } from './task';\nfunction go(task: Task) { task.call(); }\n",
        ),
        (
            "php",
            "<?php\nnamespace A;\nuse Outer\\Callable;\ninterface Task extends Callable {}\n",
            "<?php\nnamespace A;\nclass Real implements Task { function call() {} }\n",
            "<?php\nnamespace A;\nfunction go(Task $task) { $task->call(); }\n",
        ),
        (
            "kt",
            "package a\nimport outer.Callable\ninterface Task : Callable {}\n",
            "package a\nclass Real : Task { override fun call() {} }\n",
            "package a\nfun go(task: Task) { task.call() }\n",
        ),
    ],
)
def test_a_method_from_outside_may_be_that_of_a_subclass(
    ending: str, task: str, real: str, use: str
) -> None:
    files = {f"task.{ending}": task, f"real.{ending}": real, f"use.{ending}": use}
    found = {target.rpartition(":")[2]: how for target, how in calls(files, f"use.{ending}")}

    assert found == {
        next(each for each in found if each[0] in "oO"): "import",
        "Real.call": "dispatch",
    }


def test_a_method_from_outside_is_that_of_no_other_class() -> None:
    text = """from outer import Base
class Task(Base):
    def own(self): self.call()
class Real(Task):
    def call(self): super().call()
class Other:
    def call(self): ...
"""

    assert calls({"a.py": text}, "a.py") == {
        ("python:outer.Base.call", "import"),
        ("python:super", "import"),
        ("a.py::Real.call", "dispatch"),
    }


def test_a_bare_call_of_a_method_from_outside_may_be_that_of_a_subclass() -> None:
    text = """package a;
import outer.View;
abstract class Page extends View { void show() { render(); } }
class Start extends Page { void render() {} }
abstract class Part extends View { void show() { render(); } }
class Menu extends Part { void render() {} }
"""
    edges = repository({"A.java": text}).edges_of("A.java").calls

    assert {(edge.line, edge.target, edge.how) for edge in edges} == {
        (3, "java:outer.View.render", "import"),
        (3, "A.java::Start.render", "dispatch"),
        (5, "java:outer.View.render", "import"),
        (5, "A.java::Menu.render", "dispatch"),
    }
