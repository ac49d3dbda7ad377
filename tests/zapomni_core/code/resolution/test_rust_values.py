"""What names of Rust stand for."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls

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
