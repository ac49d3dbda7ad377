"""What is imported, or seen without an import, by the names of packages, modules and files."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls, repository

KOTLIN = {
    "A.kt": """package a

import b.Repo
import b.topLevel
import org.outside.Client

fun run() {
    Repo()
    topLevel()
    beside()
    Client.fetch()
    Held.make()
}
""",
    "B.kt": """package b

class Repo {
    fun store() {}
}

fun topLevel() {}
""",
    "C.kt": """package a

fun beside() {}

class Held {
    companion object {
        fun make() {}
    }
}

class Other {
    fun fetch() {}
}
""",
}
PHP = {
    "src/App.php": """<?php
namespace Acme;
use Acme\\Svc\\Mailer;
class App {
    public function run(Mailer $given) {
        (new Mailer())->send();
        Mailer::make();
        $given->send();
        beside();
        static::stat();
        \\Acme\\Svc\\Mailer::make();
    }
    public static function stat() {}
}
""",
    "src/Mailer.php": """<?php
namespace Acme\\Svc;
class Mailer { public static function make() {} public function send() {} }
""",
    "src/functions.php": "<?php\nnamespace Acme;\nfunction beside() {}\n",
    "src/Old.php": "<?php\nnamespace Old;\nclass Mailer { public function send() {} }\n",
}
ELIXIR = {
    "a.ex": """defmodule App.Main do
  alias App.Store
  def run(x) do
    Store.save(x)
    App.Store.load(x)
    Enum.map(x, x)
  end
end
""",
    "b.ex": """defmodule App.Store do
  def save(x), do: x
  def load(x), do: x
end
defmodule App.Enumerated do
  def map(x), do: x
end
""",
}
LUA = {
    "a.lua": """local b = require("b")
local M = {}
function M.run() b.save() M.other() end
function M.other() end
function M:first() self:second() end
function M:second() end
return M
""",
    "b.lua": "local B = {}\nfunction B.save() end\nfunction B.other() end\nreturn B\n",
    "c.lua": "local C = {}\nfunction C.save() end\nfunction C:second() end\nreturn C\n",
}
PERL = {
    "a.pl": "use B;\nsub run { B::stat(); B->new; C::stat(); }\n",
    "B.pm": "package B;\nsub new { $self->flush; }\nsub flush {}\nsub stat {}\n1;\n",
    "D.pm": "package D;\nsub flush {}\nsub stat {}\n1;\n",
}
RUBY = {
    "lib/app.rb": """require_relative "store"
module App
  class Runner
    def run
      Store.open
      Store.new.save
      Other::Store.open
      User.find_all
    end
  end
end
""",
    "lib/store.rb": """module App
  class Store
    def self.open; end
    def save; end
  end
end
""",
    "lib/user.rb": "class User\n  def self.find_all; end\nend\n",
    "lib/other.rb": "module Other\n  class Store\n    def save; end\n  end\nend\n",
}


def test_kotlin_finds_what_is_imported_and_what_is_in_the_same_package() -> None:
    assert calls(KOTLIN, "A.kt") == {
        ("B.kt::Repo", "import"),
        ("B.kt::topLevel", "import"),
        ("C.kt::beside", "import"),
        ("C.kt::Held.Companion.make", "import"),
        ("kotlin:org.outside.Client.fetch", "import"),
    }


def test_php_finds_classes_by_their_namespace() -> None:
    assert calls(PHP, "src/App.php") == {
        ("src/Mailer.php::Mailer", "import"),
        ("src/Mailer.php::Mailer.send", "typed"),
        ("src/Mailer.php::Mailer.make", "import"),
        ("src/functions.php::beside", "import"),
        ("src/App.php::App.stat", "self"),
    }


def test_dart_calls_have_what_stands_in_front_of_them() -> None:
    files = {
        "lib/a.dart": """import 'b.dart';
import 'package:flutter/material.dart';
class App {
  App(int x);
  App.named();
  void run() { repo.save(); helper(); top(); this.helper(); repo?.load(); }
  void save() {}
  void helper() {}
}
void main() { App(1).run(); App.named().run(); runApp(); }
""",
        "lib/b.dart": "class Repo { void save() {} void load() {} }\nvoid top() {}\n",
        "tools/material.dart": "void runApp() {}\n",
        "tools/other.dart": "void runApp() {}\n",
    }

    assert calls(files, "lib/a.dart") == {
        ("lib/a.dart::App.helper", "self"),
        ("lib/b.dart::top", "import"),
        ("lib/b.dart::Repo.load", "unique"),
        ("lib/a.dart::App.App", "local"),
        ("lib/a.dart::App.named", "local"),
        ("lib/a.dart::App.run", "typed"),
    }


def test_elixir_follows_an_alias_to_the_module() -> None:
    assert calls(ELIXIR, "a.ex") == {
        ("b.ex::App.Store.save", "import"),
        ("b.ex::App.Store.load", "import"),
    }


def test_lua_finds_the_functions_of_tables() -> None:
    assert calls(LUA, "a.lua") == {
        ("b.lua::B.save", "import"),
        ("a.lua::M.other", "local"),
        ("a.lua::M.second", "self"),
    }


def test_perl_finds_functions_by_their_package() -> None:
    assert calls(PERL, "a.pl") == {("B.pm::stat", "import"), ("B.pm::new", "import")}
    assert calls(PERL, "B.pm") == {("B.pm::flush", "self")}


def test_ruby_constants_are_seen_from_the_modules_around() -> None:
    assert calls(RUBY, "lib/app.rb") == {
        ("lib/store.rb::App.Store.open", "import"),
        ("lib/store.rb::App.Store", "import"),
        ("lib/store.rb::App.Store.save", "typed"),
        ("lib/user.rb::User.find_all", "import"),
    }


RUBY_CONSTANTS = {
    "app.rb": """module App
  module Helpers
    class Stream
      def self.open; end
      def go; end
    end
  end
  Kept = Helpers::Stream
end
""",
    "stream.rb": "class Stream\n  def self.open; end\n  def go; end\nend\n",
    "size.rb": "class Size\n  def self.open; end\nend\n",
    "top.rb": "Top = App::Helpers::Stream\nSame = ::Stream\n",
}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Stream.new(1).go", {"app.rb::App.Helpers.Stream", "app.rb::App.Helpers.Stream.go"}),
        ("Stream.open", {"app.rb::App.Helpers.Stream.open"}),
        ("UseTest::Stream.open", {"app.rb::App.Helpers.Stream.open"}),
        ("App::Kept.open", {"app.rb::App.Helpers.Stream.open"}),
        ("Top.open", {"app.rb::App.Helpers.Stream.open"}),
        ("Same.open", {"stream.rb::Stream.open"}),
        ("Size.open", set()),
    ],
)
def test_a_constant_of_ruby_may_be_another_name_of_a_class(body: str, expected: set[str]) -> None:
    own = "Stream = App::Helpers::Stream\n  Size = Class.new"
    text = f"class UseTest\n  {own}\n  def run\n    {body}\n  end\nend\n"
    found = calls({**RUBY_CONSTANTS, "use.rb": text}, "use.rb")

    assert {target for target, how in found if how != "unique"} == expected


@pytest.mark.parametrize(
    ("files", "path", "expected"),
    [
        (
            {
                "A.hs": "module A where\nimport B (save)\nimport qualified C as D\n"
                "run x = save (D.load x)\n",
                "B.hs": "module B where\nsave x = x\n",
                "C.hs": "module C where\nload x = x\nsave x = x\n",
            },
            "A.hs",
            {("B.hs::save", "import"), ("C.hs::load", "import")},
        ),
        (
            {
                "src/a.zig": 'const std = @import("std");\nconst b = @import("b.zig");\n'
                "pub fn main() void { b.save(); std.go(); }\n",
                "src/b.zig": "pub fn save() void {}\n",
                "src/std.zig": "pub fn go() void {}\n",
                "old/b.zig": "pub fn save() void {}\n",
            },
            "src/a.zig",
            {("src/b.zig::save", "import"), ("zig:std.go", "import")},
        ),
        (
            {
                "a.ml": "let run x = B.save (List.map x x)\n",
                "b.ml": "let save x = x\nlet map x = x\n",
                "c.ml": "let save x = x\n",
            },
            "a.ml",
            {("b.ml::save", "import")},
        ),
        (
            {
                "A.cs": "using Acme.Svc;\nnamespace Acme.Web;\n"
                "class App { void Run() { new Impl().Serve(); Tool.Do(); } }\n",
                "B.cs": "namespace Acme.Svc { class Impl { public void Serve() {} } }\n",
                "C.cs": "namespace Acme;\nstatic class Tool { public static void Do() {} }\n",
                "D.cs": "namespace Other;\nclass Impl { public void Serve() {} }\n",
            },
            "A.cs",
            {
                ("B.cs::Acme.Svc.Impl", "import"),
                ("B.cs::Acme.Svc.Impl.Serve", "typed"),
                ("C.cs::Acme.Tool.Do", "import"),
            },
        ),
        (
            {
                "A.swift": "class Shape { func draw() {} }\nfunc free() { Shape().extra() }\n",
                "B.swift": "extension Shape { func extra() { draw() } }\n",
                "C.swift": "class Other { func draw() {}\n func extra() {} }\n",
            },
            "B.swift",
            {("A.swift::Shape.draw", "self")},
        ),
    ],
    ids=["haskell", "zig", "ocaml", "csharp", "swift"],
)
def test_other_languages_find_modules_by_name(
    files: dict[str, str], path: str, expected: set[tuple[str, str]]
) -> None:
    assert calls(files, path) == expected


def test_a_swift_extension_in_another_file_is_called_on_the_type() -> None:
    files = {
        "A.swift": "class Shape {}\nfunc free() { Shape().extra() }\n",
        "B.swift": "extension Shape { func extra() {} }\n",
        "C.swift": "class Other { func extra() {} }\n",
    }

    assert calls(files, "A.swift") == {
        ("A.swift::Shape", "local"),
        ("B.swift::Shape.extra", "typed"),
    }


def test_the_parts_of_a_csharp_class_see_each_other() -> None:
    files = {
        "A.cs": "namespace N;\npartial class App { void Run() { Help(); } }\n",
        "B.cs": "namespace N;\npartial class App { void Help() {} }\n",
        "C.cs": "namespace M;\nclass App { void Help() {} }\n",
    }

    assert calls(files, "A.cs") == {("B.cs::N.App.Help", "self")}


def test_a_class_of_two_files_is_taken_for_neither() -> None:
    files = {
        "a.rb": "User.find_all\n",
        "one/user.rb": "class User\n  def self.find_all; end\nend\n",
        "two/user.rb": "class User\n  def self.find_all; end\nend\n",
    }

    assert calls(files, "a.rb") == set()


def test_an_import_leads_to_the_files_of_a_package() -> None:
    imports = repository(KOTLIN).edges_of("A.kt").imports

    assert [(edge.target, edge.name) for edge in imports] == [
        ("B.kt", "Repo"),
        ("B.kt", "topLevel"),
        ("kotlin:org.outside", "Client"),
    ]


def test_a_whole_package_of_many_files_is_no_import_of_each() -> None:
    files = {f"b/{n}.kt": f"package b\nfun f{n}() {{}}\n" for n in range(30)}
    files |= {"few/a.kt": "package few\nfun g() {}\n"}
    files["a.kt"] = "package a\nimport b.*\nimport b.missing\nimport few.*\nfun run() = f3()\n"

    edges = repository(files).edges_of("a.kt")

    assert [edge.target for edge in edges.imports] == ["few/a.kt"]
    assert [(edge.target, edge.how) for edge in edges.calls] == [("b/3.kt::f3", "import")]


def test_a_function_that_a_library_may_have_is_not_taken_for_known() -> None:
    files = {"A.swift": "func run() { check() }\n", "B.swift": "func check() {}\n"}

    assert calls(files, "A.swift") == {("B.swift::check", "unique")}
