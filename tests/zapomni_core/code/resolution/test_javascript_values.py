"""What names stand for in JavaScript and TypeScript, where no declaration says it."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls

LAMP = "export class Lamp { on() { return this; } off() {} static of() { return new Lamp(); } }\n"


def bound(source: str, *, language: str = "ts", **others: str) -> set[str]:
    """Return what a file that knows `Lamp` calls of other files and of its own."""
    files = {f"lamp.{language}": LAMP, **{f"{name}.{language}": o for name, o in others.items()}}
    head = "import { Lamp } from './lamp';\n"
    path = f"main.{language}"
    found = calls({**files, path: head + source}, path)
    return {
        target for target, how in found if "::" in target and how not in {"unique", "dispatch"}
    }


@pytest.mark.parametrize(
    "source",
    [
        "function f(lamps: Lamp[]) { lamps.forEach((lamp) => lamp.off()); }",
        "function f(lamps: Lamp[]) { lamps.filter(l => l.on()).map(lamp => { lamp.off(); }); }",
        "function f(lamps: Set<Lamp>) { lamps.forEach(function (lamp) { lamp.off(); }); }",
        "function f(lamps: Map<string, Lamp>) { lamps.forEach((lamp) => lamp.off()); }",
        "function f(later: Promise<Lamp>) { later.then((lamp) => lamp.off()); }",
        "function each(run: (at: number, lamp: Lamp) => void) {}\neach((at, lamp) => lamp.off());",
        "type Use = (lamp: Lamp) => void;\nfunction with_(use: Use) {}\nwith_((l) => l.off());",
        (
            "class Hall { constructor(init: (this: Hall, lamp: Lamp) => void) {} }\n"
            "new Hall((lamp) => lamp.off());"
        ),
        "const use = [1].map((lamp: Lamp) => lamp.off());",
    ],
)
def test_parameters_of_functions_that_are_handed_over(source: str) -> None:
    assert "lamp.ts::Lamp.off" in bound(source)


@pytest.mark.parametrize(
    "source",
    [
        "function make() { return new Lamp(); }\nmake().off();",
        "const make = () => new Lamp();\nmake().off();",
        (
            "function make() { const lamp = new Lamp(); if (!lamp) return null; return lamp; }\n"
            "make().off();"
        ),
        "Lamp.of().on().off();",
        (
            "class Hall { get lamp() { return new Lamp(); } use() { this.lamp.off(); } }"
            "new Hall().lamp().off();"
        ),
    ],
)
def test_what_functions_return_is_seen(source: str) -> None:
    assert "lamp.ts::Lamp.off" in bound(source)


def test_a_function_without_a_name_does_not_return_for_the_one_around_it() -> None:
    source = "function make(xs: number[]) { xs.map(() => { return new Lamp(); }); }\nmake().off();"

    assert "lamp.ts::Lamp.off" not in bound(source)


def test_functions_of_a_returned_object_are_found_and_are_not_in_scope() -> None:
    source = (
        "function make() {\n"
        "  const lamp = new Lamp();\n"
        "  function stop() {}\n"
        "  return { stop, lamp, start() { this.pause(); }, pause: () => {} };\n"
        "}\n"
        "const { stop, lamp: light } = make();\n"
        "const made = make();\n"
        "stop();\nlight.off();\nmade.start();\n"
        "function other() { start(); }\n"
    )

    assert bound(source) == {
        "lamp.ts::Lamp",
        "main.ts::make",
        "main.ts::make.stop",
        "lamp.ts::Lamp.off",
        "main.ts::make.start",
        "main.ts::make.pause",
    }


def test_what_is_only_exported_under_a_name_is_not_called_by_it() -> None:
    source = "function mine() {}\nexport { mine as Map };\nnew Map();\nmine();\n"

    assert bound(source) == {"main.ts::mine"}


@pytest.mark.parametrize(
    "kinds",
    [
        (
            "export interface Maker { init(): void }\nexport const A: Maker = make();\n"
            "export interface A { other(): void }\n"
        ),
        (
            "export interface Maker { init(): void }\nexport function Maker() {}\n"
            "export const A: Maker = make();\n"
        ),
        "interface Base { init(): void }\nexport type Maker = Base;\nexport const A: Maker = b();",
    ],
    ids=["type and constant", "type and function", "another name"],
)
def test_a_type_and_a_value_may_have_one_name(kinds: str) -> None:
    found = bound("import { A } from './kinds';\nA.init();\n", kinds=kinds)

    assert [target.rpartition(".")[2] for target in found] == ["init"]


@pytest.mark.parametrize(
    "source",
    [
        "function f(thing: unknown) { (thing as Lamp).off(); }",
        "function f(thing: unknown) { const lamp = thing as Lamp; lamp.off(); }",
        "function f(kind: unknown) { const Kind = kind as typeof Lamp; Kind.of().off(); }",
        "function f(Kind: typeof Lamp) { Kind.of().off(); }",
        "async function f() { const [lamp] = g(); } function g(): [Lamp] { g()[0].off(); }",
    ],
)
def test_types_are_taken_from_where_they_are_written(source: str) -> None:
    assert "lamp.ts::Lamp.off" in bound(source)


def test_a_call_with_types_may_be_awaited() -> None:
    source = "class A { async go<T>() { await this.load<T>(1); } async load<T>(n: T) {} }\n"

    assert bound(source) == {"main.ts::A.load"}


@pytest.mark.parametrize(
    "source",
    [
        "/**\n * @param {Lamp} lamp what to use\n */\nfunction f(lamp) { lamp.off(); }",
        "/** @param {?Lamp[]} [lamps] some */\nfunction f(lamps) { lamps.forEach(l => l.off()); }",
        "/** @returns {Lamp} one */\nfunction f(x) { return x; }\nf().off();",
        (
            "class A {\n constructor(x) {\n  /** @type {Lamp} */\n  this.lamp = x;\n }\n"
            " f() { this.lamp.off(); }\n}"
        ),
        "/** @type {Lamp} */\nlet lamp = x();\nlamp.off();",
    ],
)
def test_types_in_comments_of_javascript(source: str) -> None:
    assert "lamp.js::Lamp.off" in bound(source, language="js")


def test_a_class_that_a_file_is_as_a_whole() -> None:
    files = {
        "base.js": "module.exports = class Base { start() {} };\n",
        "car.js": "const Base = require('./base');\n"
        "module.exports = class Car extends Base { static of() { return new this(); } };\n",
        "main.js": "const Car = require('./car');\n"
        "/** @param {Car} car */\nfunction f(car) { car.start(); }\n"
        "Car.of();\nnew Car().start();\n",
    }

    found = {target for target, _ in calls(files, "main.js") if "::" in target}
    assert found == {"base.js::Base.start", "car.js::Car.of", "car.js::Car"}


def test_this_in_a_function_with_methods_of_its_own() -> None:
    source = "function View() { this.look(); }\nView.prototype.look = function look() {};\n"

    assert bound(source, language="js") == {"main.js::View.look"}


def test_constants_that_stand_for_each_other_lead_nowhere() -> None:
    source = (
        "interface A { a(): void }\nconst A = B;\ninterface B { b(): void }\nconst B = A;\n"
        "A.run();\nB.run();\n"
    )

    assert bound(source) == set()


def test_what_a_class_and_an_interface_of_one_name_have_adds_up() -> None:
    source = (
        "class Base { run() {} }\ninterface A extends Lamp { x(): void }\n"
        "class A extends Base { y() {} }\n"
        "function f(a: A) { a.run(); a.x(); a.y(); a.off(); }\nnew A();\n"
    )

    assert bound(source) == {
        "main.ts::Base.run",
        "main.ts::A.x",
        "main.ts::A#2.y",
        "lamp.ts::Lamp.off",
        "main.ts::A#2",
    }


def test_classes_of_one_name_in_two_callbacks_are_two() -> None:
    source = (
        "class Q { up() {} }\nit(() => { class T { go() {} } new T().go(); });\n"
        "it(() => { class T extends Q {} new T().up(); });\n"
    )

    assert "main.ts::Q.up" in bound(source)


def test_two_callbacks_on_one_line_have_parameters_of_their_own() -> None:
    source = (
        "class B { off() {} }\n"
        "function f(as: Lamp[], bs: B[]) { as.map(x => x.off()); bs.map(x => x.off()); }\n"
    )

    assert bound(source) == {"lamp.ts::Lamp.off", "main.ts::B.off"}


def test_a_place_of_a_list_may_be_left_out() -> None:
    assert bound("function f(t: [number, Lamp]) { const [, b] = t; b.off(); }") == {
        "lamp.ts::Lamp.off"
    }


def test_what_only_a_twin_holds_does_not_hide_other_names() -> None:
    source = """import { parse } from './text';
export class Page { parse() { return 1; } size = make(); }
export namespace Page { export function of() { return parse(); } }
export interface Page { make(): number }
function make() { return 2; }
"""

    assert bound(source, text="export function parse() {}\n") == {
        "main.ts::make",
        "text.ts::parse",
    }


@pytest.mark.parametrize(
    "source",
    [
        "function page({ on, at }: { on: any; at: number }) { on(at); }",
        "const page = ({ x: on = 1, ...rest }) => on(rest);",
        "function page([on]) { on(); }",
        "class Page { show({ on }) { on(); } }",
        "function page(things) { things.map(({ on }) => on()); }",
        "things.map(({ on }) => on());",
    ],
)
def test_what_parameters_are_unpacked_into_hides_functions(source: str) -> None:
    assert bound(f"function on() {{}}\n{source}") == set()


@pytest.mark.parametrize(
    "made",
    [
        "{ go: () => 1 }",
        "{ go() {} } as const",
        "{ go() {} } satisfies Going",
        "{ go() {} } as const satisfies Going",
        "Object.freeze({ go() {} })",
    ],
)
def test_functions_of_an_object_have_its_name_however_it_is_written(made: str) -> None:
    source = f"interface Going {{ go(): void }}\nconst api = {made};\napi.go();"

    assert bound(source) == {"main.ts::api.go"}


def test_an_object_that_a_file_exports_is_followed() -> None:
    single = "class Api { load() {} }\nexport default new Api();\n"

    assert bound("import api from './single';\napi.load();", single=single) == {
        "single.ts::Api.load"
    }


PACKAGE = """{"imports": {
    "#text": {"types": "./types/text.d.ts", "node": {"default": "./src/utils.js"}},
    "#compiler/*": "./src/compiler/*.js",
    "#compiler/inner": "./src/within.js",
    "#outside": "left-pad"
}}"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('import {slug} from "#text";\nslug();\n', "pkg/src/utils.js::slug"),
        ('import {walk} from "#compiler/deep/walk";\nwalk();\n', "deep/walk.ts::walk"),
        ('import {walk} from "#compiler/inner";\nwalk();\n', "pkg/src/within.js::walk"),
        ('import {walk} from "#outside";\nwalk();\n', "#outside.walk"),
    ],
    ids=["conditions", "pattern", "exact", "outside"],
)
def test_javascript_follows_the_imports_of_its_package(line: str, expected: str) -> None:
    files = {
        "pkg/package.json": PACKAGE,
        "pkg/lib/main.js": line,
        "pkg/src/utils.js": "export function slug() {}\n",
        "pkg/types/text.d.ts": "export declare function slug(): string;\n",
        "pkg/src/within.js": "export function walk() {}\n",
        "pkg/src/compiler/deep/walk.ts": "export function walk() {}\n",
        "pkg/src/compiler/inner.js": "export function walk() {}\n",
        "other/utils.js": "export function slug() {}\n",
    }

    assert [target for target, _ in calls(files, "pkg/lib/main.js") if target.endswith(expected)]


@pytest.mark.parametrize(
    ("parameter", "how"),
    [
        ("private it = new Store()", "typed"),
        ("readonly it = make()", "typed"),
        ("protected readonly it = given ?? new Store()", "typed"),
        ("public it: Store = other()", "typed"),
        ("it = new Store()", "unique"),
        ("private it = null", "unique"),
    ],
)
def test_a_parameter_that_is_a_property_has_what_it_is_given_by_default(
    parameter: str, how: str
) -> None:
    text = (
        "class Store { save() {} }\nfunction make() { return new Store(); }\n"
        f"class A {{ constructor({parameter}) {{}} run() {{ this.it.save(); }} }}\n"
    )

    assert ("a.ts::Store.save", how) in calls({"a.ts": text}, "a.ts")
