"""What names of Rust stand for."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls, facts_of, repository

LAMP = """
pub struct Lamp { pub inner: Bulb, glow: Bulb }
#[derive(Clone)]
pub struct Bulb(pub Wire, u8);
pub struct Wire;
impl Wire { pub fn cut(&self) {} }
impl Bulb { pub fn off(&self) {} pub fn glow(&self) -> u8 { 1 } }
pub enum Light { Bright(Bulb), Dim { bulb: Bulb }, None }
pub type Spare = Bulb;
pub trait Counted { fn count_up(self) -> u32; }
impl Counted for u32 { fn count_up(self) -> u32 { self } }
"""
CARGO = '[package]\nname = "home"\n'


def bound(body: str, parameters: str = "") -> set[str]:
    """Return what a function in another file of the crate calls."""
    files = {
        "Cargo.toml": CARGO,
        "src/lib.rs": "mod lamp;\nmod main_;\n",
        "src/lamp.rs": LAMP,
        "src/main_.rs": f"use crate::lamp::*;\nfn run({parameters}) {{\n{body}\n}}\n",
    }
    found = {target for target, how in calls(files, "src/main_.rs") if how != "unique"}
    return {target.rpartition("::")[2] for target in found if "::" in target}


@pytest.mark.parametrize(
    ("parameters", "body"),
    [
        ("b: &'a mut Bulb", "b.off();"),
        ("b: Bulb", "b.clone().off();"),
        ("b: Spare", "b.off();"),
        ("bs: Vec<Bulb>", "bs.iter().for_each(|b| b.off());"),
        ("bs: Vec<Bulb>", "bs.iter().map(|b: &Bulb| b.off());"),
        ("b: Option<Bulb>", "if let Some(ref x) = b { x.off(); }"),
        ("b: Option<Bulb>", "b.as_ref().unwrap().off();"),
        ("b: Option<Bulb>", "let x = match b {\n Some(x) => x,\n None => return,\n};\nx.off();"),
        ("b: RefCell<Bulb>", "b.borrow_mut().off();"),
        ("l: Light", "match l { Light::Bright(ref b) => b.off(), _ => {} }"),
        ("l: Light", "match l { Light::Dim { bulb } => bulb.off(), _ => {} }"),
        ("l: Light", "if let Light::Dim { bulb: b } = l { b.off(); }"),
        ("l: Lamp", "let Lamp { inner, .. } = l; inner.off();"),
        ("b: Bulb", "assert!(b.off());"),
    ],
)
def test_receivers_are_known_by_how_they_came_about(parameters: str, body: str) -> None:
    assert "Bulb.off" in bound(body, parameters)


def test_fields_that_have_only_a_place() -> None:
    assert bound("b.0.cut();", "b: Bulb") == {"Wire.cut"}


def test_a_field_and_a_method_may_have_one_name() -> None:
    assert bound("l.glow.off(); l.glow.glow();", "l: Lamp") == {"Bulb.off", "Bulb.glow"}


def test_a_name_of_one_arm_is_not_that_of_another() -> None:
    body = "match l {\nLight::Bright(x) => x.off(),\nLight::Dim { .. } => {}\n_ => x.cut()\n}"

    assert bound(body, "l: Light, x: Wire") == {"Bulb.off", "Wire.cut"}


def test_a_trait_gives_methods_to_numbers() -> None:
    assert bound("n.count_up();", "n: u32") == {"u32.count_up"}


def test_what_a_module_uses_for_itself_is_not_handed_on() -> None:
    files = {
        "Cargo.toml": CARGO,
        "src/lib.rs": "mod a;\nmod b;\npub use self::a::*;\npub use self::b::*;\nmod c;\n",
        "src/a.rs": "use crate::Bulb;\npub fn light(b: Bulb) { b.off(); }\n",
        "src/b.rs": "pub struct Bulb;\nimpl Bulb { pub fn off(&self) {} }\n",
        "src/c.rs": "use crate::Bulb;\nfn dim(b: Bulb) { b.off(); }\n",
    }

    assert ("src/b.rs::Bulb.off", "typed") in calls(files, "src/a.rs")
    assert ("src/b.rs::Bulb.off", "typed") in calls(files, "src/c.rs")


def test_methods_beside_a_type_in_another_file_have_its_self() -> None:
    more = "use crate::Bulb;\nimpl Bulb { fn twice(&self) { self.off(); Self::off(self); } }\n"
    files = {
        "Cargo.toml": CARGO,
        "src/lib.rs": "mod more;\npub struct Bulb;\nimpl Bulb { pub fn off(&self) {} }\n",
        "src/more.rs": more,
    }

    assert {target for target, _ in calls(files, "src/more.rs")} == {"src/lib.rs::Bulb.off"}


def test_a_closure_on_one_line_may_call_its_parameter_like_what_it_is_handed_to() -> None:
    assert "Bulb.off" in bound("b.iter().for_each(|b| b.off());", "b: Vec<Bulb>")
    assert "Wire.cut" in bound("w.cut().map(|w: Bulb| w.off());", "w: Wire")


def test_a_closure_hides_a_function() -> None:
    source = "fn helper() {}\nfn run() {\n    let helper = || {};\n    helper();\n}\n"

    assert calls({"src/lib.rs": source}, "src/lib.rs") == set()


@pytest.mark.parametrize(
    "body",
    [
        "    helper();\n    let helper = || {};\n",
        "    {\n        let helper = || {};\n    }\n    helper();\n",
    ],
)
def test_a_closure_hides_a_function_from_where_it_stands_to_the_end_of_its_block(
    body: str,
) -> None:
    source = f"fn helper() {{}}\nfn run() {{\n{body}}}\n"

    assert calls({"src/lib.rs": source}, "src/lib.rs") == {("src/lib.rs::helper", "local")}


OWN_AND_OF_TRAITS = """pub struct Own;
pub struct After;
pub trait Named { fn path(&self); }
pub trait Placed { fn path(&self); }
impl Own { pub fn path(&self) {} }
impl Named for Own { fn path(&self) {} }
impl Placed for Own { fn path(&self) {} }
impl Named for After { fn path(&self) {} }
impl After { pub fn path(&self) {} }
"""


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("x: Own", {("Own.path", "typed")}),
        ("x: After", {("After.path#2", "typed")}),
        (
            "x: &dyn Named",
            {
                ("Named.path", "typed"),
                ("Own.path#2", "dispatch"),
                ("Own.path#3", "dispatch"),
                ("After.path", "dispatch"),
            },
        ),
    ],
)
def test_a_method_of_the_type_itself_comes_before_that_of_a_trait(
    parameters: str, expected: set[tuple[str, str]]
) -> None:
    source = f"{OWN_AND_OF_TRAITS}fn run({parameters}) {{ x.path(); }}\n"
    found = calls({"a.rs": source}, "a.rs")

    assert {(target.removeprefix("a.rs::"), how) for target, how in found} == expected


def test_methods_in_another_file_are_those_of_the_type_first() -> None:
    more = "use crate::Bulb;\nimpl crate::Dim for Bulb { fn off(&self) {} }\n"
    files = {
        "Cargo.toml": CARGO,
        "src/lib.rs": "mod more;\npub struct Bulb;\npub trait Dim { fn off(&self); }\n",
        "src/more.rs": f"{more}impl Bulb {{ pub fn off(&self) {{}} }}\n",
        "src/run.rs": "use crate::Bulb;\nfn run(b: Bulb) { b.off(); }\n",
    }

    assert calls(files, "src/run.rs") == {("src/more.rs::Bulb.off#2", "typed")}


def test_only_a_method_of_a_trait_overrides_that_of_the_trait() -> None:
    edges = repository({"a.rs": OWN_AND_OF_TRAITS}).edges_of("a.rs").overrides
    names = [each.qname for each in facts_of("a.rs", OWN_AND_OF_TRAITS).definitions]

    assert {names[each.source] for each in edges} == {"Own.path#2", "Own.path#3", "After.path"}


def test_what_is_defined_for_each_system_is_all_called() -> None:
    source = """#[cfg(unix)]
fn open() -> Unix { Unix }
#[cfg(windows)]
fn open() -> Windows { Windows }
struct Unix;
impl Unix { fn close(&self) {} }
struct Windows;
impl Windows { fn close(&self) {} }
#[cfg(unix)]
mod system {}
#[cfg(windows)]
mod system { pub fn name() {} }
fn run() { open().close(); system::name(); }
"""

    assert calls({"a.rs": source}, "a.rs") == {
        ("a.rs::open", "local"),
        ("a.rs::open#2", "local"),
        ("a.rs::Unix.close", "typed"),
        ("a.rs::Windows.close", "typed"),
        ("a.rs::system#2.name", "local"),
    }


def test_a_macro_is_no_function_of_its_name() -> None:
    source = "macro_rules! log { () => {} }\npub fn log() {}\nfn run() { log(); }\n"

    assert calls({"a.rs": source}, "a.rs") == {("a.rs::log#2", "local")}
