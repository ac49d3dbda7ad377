"""Calls in JavaScript, TypeScript, Go, Java and Rust follow the rules of these languages."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls, repository

GO = {
    "go.mod": "module example.com/m\n",
    "store/store.go": """package store
type Store interface { Get(key string) string }
type Memory struct { box *Box }
func New() *Memory { return &Memory{} }
func (m *Memory) Get(key string) string { return m.box.Open(key) }
""",
    "store/box.go": """package store
type Box struct {}
func (b *Box) Open(key string) string { return clean(key) }
func clean(key string) string { return key }
func Use(s Store) string { return s.Get("x") }
""",
    "main.go": """package main
import (
    "fmt"
    "example.com/m/store"
)
func main() {
    memory := store.New()
    fmt.Println(memory.Get("x"))
}
""",
}
JAVA = {
    "src/p/A.java": """package p;
import q.B;
public class A extends Base {
    private B b = new B(1);
    void run() { b.go(); help(); Tool.twice(3); this.base(); }
    void help() {}
}
""",
    "src/p/Base.java": "package p;\nclass Base { void base() {} }\n",
    "src/p/Tool.java": "package p;\nclass Tool { static int twice(int x) { return x; } }\n",
    "src/q/B.java": "package q;\npublic class B { public B(int x) {} public void go() {} }\n",
}
TYPESCRIPT = {
    "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@app/*": ["src/*"]}}}',
    "package.json": '{"name": "shop", "main": "src/index.ts"}',
    "src/index.ts": "export * from './cart';\nexport { total as sum } from './math';\n",
    "src/math.ts": "export function total(): number { return 1; }\n",
    "src/cart.ts": """import { total } from '@app/math';
export class Cart {
    constructor(private name: string) {}
    pay(): number { return this.check() + total(); }
    check(): number { return 1; }
}
""",
    "test/cart.test.ts": """import { Cart, sum } from '../src';
const cart = new Cart('x');
cart.pay();
sum();
""",
}
RUST = {
    "Cargo.toml": '[package]\nname = "my-crate"\n',
    "src/lib.rs": "pub mod store;\npub mod tools;\n",
    "src/tools.rs": "pub fn clean(x: u32) -> u32 { x }\n",
    "src/store.rs": """use crate::tools::clean;
pub struct Store { size: u32 }
impl Store {
    pub fn create() -> Self { Store { size: 1 } }
    pub fn grow(&self) -> u32 { clean(self.size) }
}
pub fn run() -> u32 {
    let store = Store::create();
    store.grow()
}
""",
}


def test_go_packages_are_folders_and_methods_stand_beside_their_types() -> None:
    assert calls(GO, "store/store.go") == {("store/box.go::Box.Open", "typed")}
    assert calls(GO, "main.go") == {
        ("store/store.go::New", "import"),
        ("store/store.go::Memory.Get", "typed"),
        ("go:fmt.Println", "import"),
    }


def test_a_call_through_a_go_interface_may_reach_what_implements_it() -> None:
    assert calls(GO, "store/box.go") == {
        ("store/box.go::clean", "local"),
        ("store/store.go::Store.Get", "typed"),
        ("store/store.go::Memory.Get", "dispatch"),
    }


def test_a_go_import_leads_to_the_files_of_the_package() -> None:
    imports = repository(GO).edges_of("main.go").imports

    assert [edge.target for edge in imports] == ["go:fmt", "store/box.go", "store/store.go"]


def test_java_classes_are_found_by_package_and_members_without_this() -> None:
    assert calls(JAVA, "src/p/A.java") == {
        ("src/q/B.java::B.B", "import"),
        ("src/q/B.java::B.go", "typed"),
        ("src/p/A.java::A.help", "self"),
        ("src/p/Tool.java::Tool.twice", "import"),
        ("src/p/Base.java::Base.base", "self"),
    }


def test_typescript_follows_aliases_exports_and_fields() -> None:
    assert calls(TYPESCRIPT, "src/cart.ts") == {
        ("src/cart.ts::Cart.check", "self"),
        ("src/math.ts::total", "import"),
    }
    assert calls(TYPESCRIPT, "test/cart.test.ts") == {
        ("src/cart.ts::Cart.constructor", "import"),
        ("src/cart.ts::Cart.pay", "typed"),
        ("src/math.ts::total", "import"),
    }


def test_javascript_requires_are_imports() -> None:
    files = {
        "a.js": "const { go } = require('./b');\nconst b = require('./b');\ngo();\nb.stop();\n",
        "b.js": "function go() {}\nfunction stop() {}\nmodule.exports = { go, stop };\n",
    }

    assert calls(files, "a.js") >= {("b.js::go", "import"), ("b.js::stop", "import")}


def test_rust_paths_start_at_the_crate_and_methods_at_their_impl() -> None:
    assert calls(RUST, "src/store.rs") == {
        ("src/tools.rs::clean", "import"),
        ("src/store.rs::Store.create", "local"),
        ("src/store.rs::Store.grow", "typed"),
    }


def test_a_language_without_rules_is_matched_by_unique_names() -> None:
    files = {"a.lua": "start_engine()\n", "b.lua": "function start_engine() end\n"}

    assert calls(files, "a.lua") == {("b.lua::start_engine", "unique")}


def test_a_default_export_is_imported_under_any_name() -> None:
    files = {
        "a.ts": "export default function order() { return 1; }\n",
        "b.ts": "export default class Logger { log(text: string) {} }\n",
        "c.ts": "export default async function load() {}\n",
        "main.ts": """import renamed from './a';
import Logger from './b';
import { default as load } from './c';
export function main() { renamed(); load(); const l = new Logger(); l.log('x'); }
""",
    }

    assert calls(files, "main.ts") == {
        ("a.ts::order", "import"),
        ("b.ts::Logger", "import"),
        ("b.ts::Logger.log", "typed"),
        ("c.ts::load", "import"),
    }


RUST_MODULES = {
    "Cargo.toml": '[package]\nname = "shop"\n',
    "src/lib.rs": """pub mod util;
pub fn log() {}
pub fn by_crate() { crate::util::log(); }
pub fn by_name() { util::only_here(); }
pub fn by_self() { self::util::log(); }
#[cfg(test)]
mod tests {
    fn of_lib() { super::log(); }
    mod deeper { fn of_lib() { super::super::by_name(); } }
}
""",
    "src/util.rs": """pub fn log() {}
pub fn only_here() {}
#[cfg(test)]
mod tests {
    use super::log;
    use super::super::log as above;
    fn imported() { log(); }
    fn written() { super::only_here(); }
    fn of_lib() { above(); }
}
""",
}


def test_rust_modules_in_files_of_their_own_are_called_by_path() -> None:
    assert calls(RUST_MODULES, "src/lib.rs") == {
        ("src/util.rs::log", "import"),
        ("src/util.rs::only_here", "import"),
        ("src/lib.rs::log", "local"),
        ("src/lib.rs::by_name", "local"),
    }


def test_super_in_a_rust_module_is_the_module_around_it() -> None:
    assert calls(RUST_MODULES, "src/util.rs") == {
        ("src/util.rs::log", "local"),
        ("src/util.rs::only_here", "local"),
        ("src/lib.rs::log", "import"),
    }


RUST_CRATES = {
    "Cargo.toml": '[package]\nname = "home"\n',
    "src/lib.rs": "mod common;\npub fn go() {}\n",
    "src/common.rs": "pub fn setup() {}\n",
    "src/main.rs": "mod flags;\nfn main() { flags::read(); home::go(); }\nfn help() {}\n",
    "src/flags.rs": "pub fn read() { crate::help(); super::help(); }\n",
    "src/bin/tool.rs": "mod extra;\nfn main() { extra::run(); crate::help(); }\nfn help() {}\n",
    "src/bin/extra.rs": "pub fn run() {}\n",
    "tests/a.rs": """mod common;
use crate::common::setup;
fn local() {}
fn written() { common::setup(); crate::local(); home::go(); }
fn imported() { setup(); }
""",
    "tests/common/mod.rs": "mod inner;\npub fn setup() { inner::start(); super::local(); }\n",
    "tests/common/inner.rs": "pub fn start() { super::setup(); crate::local(); }\n",
    "benches/b.rs": "mod common;\nfn run() { common::setup(); }\n",
    "benches/common.rs": "pub fn setup() { crate::run(); }\n",
    "benches/c.rs": "fn run() { common::setup(); }\n",
    "tests/ui/alone.rs": "fn main() { crate::help(); }\nfn help() {}\n",
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/main.rs", {"src/flags.rs::read", "src/lib.rs::go"}),
        ("src/flags.rs", {"src/main.rs::help"}),
        ("src/bin/tool.rs", {"src/bin/extra.rs::run", "src/bin/tool.rs::help"}),
        ("tests/a.rs", {"tests/common/mod.rs::setup", "tests/a.rs::local", "src/lib.rs::go"}),
        ("tests/common/mod.rs", {"tests/common/inner.rs::start", "tests/a.rs::local"}),
        ("tests/common/inner.rs", {"tests/common/mod.rs::setup", "tests/a.rs::local"}),
        ("benches/b.rs", {"benches/common.rs::setup"}),
        ("benches/common.rs", {"benches/b.rs::run"}),
        ("benches/c.rs", set()),
        ("tests/ui/alone.rs", {"tests/ui/alone.rs::help"}),
    ],
)
def test_every_file_of_tests_and_binaries_of_rust_is_a_crate(
    path: str, expected: set[str]
) -> None:
    assert {target for target, _ in calls(RUST_CRATES, path)} == expected


OBJECTS = {
    "api.js": """export const api = {
  get() { return this.other(); },
  other() {},
  again: () => api.get(),
};
class Other { get() {} other() {} }
""",
    "main.js": "import { api } from './api.js';\napi.get();\napi.missing();\n",
}


def test_functions_in_an_object_of_javascript_are_called_by_its_name_and_by_this() -> None:
    assert calls(OBJECTS, "api.js") == {
        ("api.js::api.other", "self"),
        ("api.js::api.get", "local"),
    }
    assert calls(OBJECTS, "main.js") == {("api.js::api.get", "import")}


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("b.mjs", "import main from './a.js';\nmain();\n"),
        ("b.js", "const main = require('./a');\nmain();\n"),
    ],
)
def test_a_file_of_javascript_may_be_what_it_exports(path: str, source: str) -> None:
    files = {"a.js": "function main() {}\nmodule.exports = main;\n", path: source}

    assert ("a.js::main", "import") in calls(files, path)


def test_php_makes_objects_of_the_class_around_and_of_the_one_above() -> None:
    base = "<?php\nclass Base { function __construct() {} }\n"
    own = (
        "<?php\nclass Own extends Base {\n"
        "  static function one() { return new static(); }\n"
        "  static function two() { return new parent(); }\n}\n"
        "class Bare { static function make() { return new self(); } }\n"
    )

    found = {target for target, _ in calls({"Base.php": base, "Own.php": own}, "Own.php")}

    assert found == {"Base.php::Base.__construct", "Own.php::Own", "Own.php::Bare"}


@pytest.mark.parametrize(
    ("used", "defined", "own"),
    [
        ("a.rb", "b.rb", "class Box\n  def {}\n    1\n  end\nend\n"),
        ("a.kt", "b.kt", "class Box {{\n    fun {}() = 1\n}}\n"),
        ("a.swift", "b.swift", "class Box {{\n    func {}() {{ }}\n}}\n"),
        ("a.scala", "b.scala", "class Box {{\n  def {}() = 1\n}}\n"),
        ("a.cs", "b.cs", "class Box {{ void {}() {{ }} }}\n"),
        ("a.php", "b.php", "<?php\nclass Box {{ function {}() {{ }} }}\n"),
    ],
)
def test_methods_of_the_library_are_no_guesses(used: str, defined: str, own: str) -> None:
    users = {
        "a.rb": "def go(x)\n  x.{}()\nend\n",
        "a.kt": "fun go(x: Any) {{\n    x.{}()\n}}\n",
        "a.swift": "func go(x: Any) {{ x.{}() }}\n",
        "a.scala": "object A {{ def go(x: Any) = x.{}() }}\n",
        "a.cs": "class A {{ void Go(object x) {{ x.{}(); }} }}\n",
        "a.php": "<?php\nfunction go($x) {{ $x->{}(); }}\n",
    }
    library = {
        "a.rb": ("empty?", "start_with?", "each_with_index", "gsub", "fetch", "times"),
        "a.kt": ("isEmpty", "toLong", "isNotBlank", "getOrPut", "coerceIn", "joinToString"),
        "a.swift": ("hasPrefix", "removeAll", "compactMap", "isMultiple"),
        "a.scala": ("nonEmpty", "getOrElse", "mkString", "zipWithIndex"),
        "a.cs": ("ToString", "ContainsKey", "FirstOrDefault", "TrimEnd"),
        "a.php": ("getMessage", "offsetGet", "fetchAll"),
    }

    for name in (*library[used], "weigh_it"):
        found = calls({used: users[used].format(name), defined: own.format(name)}, used)
        ours = {(f"{defined}::Box.{name}", "unique")}
        assert (name, found & ours) == (name, ours if name == "weigh_it" else set())
