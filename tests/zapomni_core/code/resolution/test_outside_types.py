"""What has the name of a type from outside is not called on something of the repository."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls


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
