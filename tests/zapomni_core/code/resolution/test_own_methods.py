"""Methods of the own class are called without anything in front."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls, facts_of, repository

RUBY = """class Calc < Unknown::Base
  def run(given)
    prepare
    x = total(1)
    given
    finish if valid?
    each { |total| total }
    x
  end

  def prepare; end
  def total(n); n; end
  def valid?; true; end
  def given; end
  def finish; end
  def x; end
  def self.build; new(1).prepare; end
  def initialize(n); end
  total 2
end
"""
HEADER = """namespace ns {
class Base { public: virtual void draw(); void api() { draw(); } };
class Derived : public Base { public: void draw() override; void go(); private: int h_(); };
template <typename T> T tmax(T a, T b) { return a > b ? a : b; }
}
"""
BODY = """#include "a.hpp"
namespace ns {
void Base::draw() {}
void Derived::draw() { Base::draw(); this->h_(); }
void Derived::go() { h_(); }
int Derived::h_() { return tmax(1, 2); }
}
"""


def test_a_bare_name_of_ruby_is_a_method_unless_it_is_a_variable() -> None:
    assert calls({"a.rb": RUBY}, "a.rb") == {
        ("a.rb::Calc.prepare", "self"),
        ("a.rb::Calc.prepare", "typed"),
        ("a.rb::Calc.total", "self"),
        ("a.rb::Calc.valid?", "self"),
        ("a.rb::Calc.finish", "self"),
        ("a.rb::Calc.initialize", "local"),
    }


def test_a_ruby_class_does_not_see_the_methods_around_it() -> None:
    files = {
        "a.rb": """class Outer
  def help; end
  class Inner
    def run
      help
      Other.stat
    end
  end
  class Other
    def self.stat; end
  end
end
""",
    }

    assert calls(files, "a.rb") == {("a.rb::Outer.Other.stat", "local")}


def test_groovy_and_solidity_see_own_and_inherited_methods() -> None:
    files = {
        "A.groovy": "class A { def run() { helper() } def helper() {} }\n",
        "a.sol": """contract Base { function b() internal {} }
contract C is Base { function run() public { helper(); b(); } function helper() private {} }
""",
    }

    assert calls(files, "A.groovy") == {("A.groovy::A.helper", "self")}
    assert calls(files, "a.sol") == {("a.sol::C.helper", "self"), ("a.sol::Base.b", "self")}


def test_a_cpp_method_outside_of_its_class_sees_the_others() -> None:
    files = {"inc/a.hpp": HEADER, "inc/a.cpp": BODY}

    assert calls(files, "inc/a.cpp") == {
        ("inc/a.cpp::ns.Base.draw", "local"),
        ("inc/a.cpp::ns.Derived.h_", "self"),
        ("inc/a.hpp::ns.tmax", "import"),
    }
    assert calls(files, "inc/a.hpp") == {
        ("inc/a.cpp::ns.Base.draw", "self"),
        ("inc/a.cpp::ns.Derived.draw", "dispatch"),
    }


def test_a_cpp_namespace_is_called_by_its_name_from_other_files() -> None:
    files = {
        "a.hpp": HEADER,
        "a.cpp": BODY,
        "main.cpp": """#include "a.hpp"
void use(ns::Derived & d) { d.go(); }
int main() { return ns::tmax<int>(1, 2); }
""",
        "b.cpp": "using namespace ns;\nvoid Derived::more() { h_(); }\n",
    }

    assert calls(files, "main.cpp") == {
        ("a.cpp::ns.Derived.go", "typed"),
        ("a.hpp::ns.tmax", "import"),
    }
    assert calls(files, "b.cpp") == {("a.cpp::ns.Derived.h_", "self")}


def test_a_name_that_two_cpp_files_define_is_bound_to_neither() -> None:
    files = {
        "a.cpp": "namespace ns { int f() { return 1; } }\n",
        "b.cpp": "namespace ns { int f() { return 2; } }\n",
        "c.cpp": "namespace ns { int g() { return f(); } }\n",
    }

    assert calls(files, "c.cpp") == set()


def test_an_include_leads_to_the_file_that_it_names() -> None:
    files = {
        "src/a.c": '#include "b.h"\n#include <stdio.h>\nint f() { return BIG(1); }\n',
        "src/b.h": "#define BIG(a) (a)\n",
        "old/b.h": "#define BIG(a) (1)\n",
    }

    assert calls(files, "src/a.c") == {("src/b.h::BIG", "import")}


def test_a_header_of_objective_c_declares_what_another_file_defines() -> None:
    files = {
        "A.h": "@interface A : NSObject\n- (void)run;\n- (void)keep:(int)x with:(int)y;\n@end\n",
        "A.m": """#import "A.h"
@implementation A
- (void)run { [self keep:1 with:2]; }
- (void)keep:(int)x with:(int)y {}
@end
""",
        "main.m": "void go(id a) { [a keep:1 with:2]; [a keep:3]; }\n",
    }

    declared = [each.qname for each in facts_of("A.h", files["A.h"]).definitions]

    assert declared == ["A", "A.run", "A.keep:with:"]
    assert calls(files, "A.m") == {("A.m::A.keep:with:", "self")}
    assert calls(files, "main.m") == {("A.m::A.keep:with:", "unique")}


def test_a_class_of_ruby_that_is_made_in_place_has_what_stands_in_it() -> None:
    made = "  Base = Struct.new(:node) do\n    def self.define(name); end\n  end\n"
    text = f"module App\n{made}  class If < Base\n    define :clause\n  end\nend\n"

    assert calls({"a.rb": text, "b.rb": "class Base\nend\n"}, "a.rb") == {
        ("a.rb::App.define", "local")
    }


TRAITS = """<?php
namespace App\\Tools;
trait Logs { use Deep; function log() { $this->name(); } abstract function name(); }
trait Deep { function deep() {} }
"""
WITH_TRAITS = """<?php
namespace App;
use App\\Tools\\Logs;
class Top {{ function log() {{}} function __construct() {{}} }}
class A extends Top {{ {} function run() {{ {} }} }}
"""


@pytest.mark.parametrize(
    ("used", "body", "expected"),
    [
        ("use Logs;", "$this->log();", {("t.php::Logs.log", "self")}),
        ("use Logs;", "$this->deep();", {("t.php::Deep.deep", "self")}),
        ("use \\App\\Tools\\Logs;", "$this->log();", {("t.php::Logs.log", "self")}),
        ("use Logs;", "parent::log();", {("a.php::Top.log", "self")}),
        ("use Logs;", "new parent();", {("a.php::Top.__construct", "self")}),
        (
            "use Logs { log as private up; } function log() {}",
            "$this->up(); $this->log();",
            {("t.php::Logs.log", "self"), ("a.php::A.log", "self")},
        ),
        (
            "use \\App\\Tools\\Deep, Logs { Logs::log as up; }",
            "$this->up();",
            {("t.php::Logs.log", "self")},
        ),
    ],
)
def test_a_class_of_php_has_the_methods_of_its_traits(
    used: str, body: str, expected: set[tuple[str, str]]
) -> None:
    files = {"t.php": TRAITS, "a.php": WITH_TRAITS.format(used, body)}

    assert calls(files, "a.php") == expected


def test_a_trait_that_is_chosen_for_a_method_comes_before_the_others() -> None:
    traits = "trait X { function go() {} }\ntrait Y { function go() {} }\n"
    used = "class A { use X, Y { Y::go insteadof X; } function run() { $this->go(); } }\n"

    assert calls({"a.php": f"<?php\n{traits}{used}"}, "a.php") == {("a.php::Y.go", "self")}


def test_a_trait_of_php_calls_what_the_classes_have_that_use_it() -> None:
    files = {
        "t.php": TRAITS,
        "a.php": "<?php\nuse App\\Tools\\Logs;\nenum A { use Logs; function name() {} }\n",
    }

    assert calls(files, "t.php") == {("t.php::Logs.name", "self"), ("a.php::A.name", "dispatch")}
    assert [
        (each.target, each.order) for each in repository(files).edges_of("a.php").inherits
    ] == [("t.php::Logs", 0)]
    assert [each.target for each in repository(files).edges_of("a.php").imports] == ["t.php"]


MIXED = """module Loud
  def shout; helper; end
  def helper; end
  def self.make; end
  module Inner
    include Deep
    def inner
      deep
    end
  end
end
module Deep
  def deep; end
end
class Top
  def run(x); end
  def initialize(x); end
  def self.build; end
  def shout; end
end
"""


@pytest.mark.parametrize(
    ("mixed", "body", "expected"),
    [
        ("include Loud", "def go; shout; end", {("m.rb::Loud.shout", "self")}),
        ("prepend Loud", "def go; self.shout; end", {("m.rb::Loud.shout", "self")}),
        ("include(Deep, Loud)", "def go; shout; end", {("m.rb::Loud.shout", "self")}),
        ("include Loud::Inner", "def go; deep; end", {("m.rb::Deep.deep", "self")}),
        ("include Loud", "def shout; super; end", {("m.rb::Loud.shout", "self")}),
        ("include Loud", "def go; A.make; end", set()),
        (
            "include Own",
            "module Own\ndef own; end\nend\ndef go; own; end",
            {("a.rb::A.Own.own", "self")},
        ),
        ("include Unknown", "def go; shout; end", {("m.rb::Top.shout", "self")}),
        ("extend Loud", "shout", {("m.rb::Loud.shout", "self")}),
        ("extend Loud", "def self.go; helper; end", {("m.rb::Loud.helper", "self")}),
        ("extend Loud", "def go; helper; end", set()),
        ("extend Loud", "def self.shout; end\nshout", {("a.rb::A.shout", "self")}),
        (
            "extend Loud",
            "end\nclass B < A\ndef go; B.helper; end",
            {("m.rb::Loud.helper", "import")},
        ),
    ],
)
def test_a_class_of_ruby_has_the_methods_of_its_modules(
    mixed: str, body: str, expected: set[tuple[str, str]]
) -> None:
    text = f"class A < Top\n{mixed}\n{body}\nend\n"

    assert calls({"m.rb": MIXED, "a.rb": text}, "a.rb") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def run(x); super; end", {("m.rb::Top.run", "self")}),
        ("def run(x); super(x); end", {("m.rb::Top.run", "self")}),
        ("def run(x); x.each { super() }; end", {("m.rb::Top.run", "self")}),
        ("def run(x); super.unseen; end", {("m.rb::Top.run", "self")}),
        ("def initialize(x); super; end", {("m.rb::Top.initialize", "self")}),
        ("def self.build; super; end", {("m.rb::Top.build", "self")}),
        ("def other; super; end", set()),
        ("define_method(:run) { super }", set()),
    ],
)
def test_super_of_ruby_calls_the_method_of_the_same_name_above(
    body: str, expected: set[tuple[str, str]]
) -> None:
    below = "class B < A\n  def run(x); end\n  def initialize; end\nend\n"
    files = {"m.rb": MIXED, "a.rb": f"class A < Top\n{body}\nend\n{below}"}

    assert calls(files, "a.rb") == expected


def test_super_of_ruby_is_not_guessed_if_the_class_above_is_unknown() -> None:
    assert calls({"a.rb": "class A < Outer\n  def run; super; end\nend\n"}, "a.rb") == set()


def test_modules_of_ruby_are_bases_of_the_classes_that_take_them_in() -> None:
    text = "class A < Top\n  include Loud\n  extend Deep\n  def shout; end\nend\n"
    edges = repository({"m.rb": MIXED, "a.rb": text}).edges_of("a.rb")

    assert [each.target for each in edges.inherits] == ["m.rb::Top", "m.rb::Loud", "m.rb::Deep"]
    assert [each.target for each in edges.overrides] == ["m.rb::Loud.shout"]
