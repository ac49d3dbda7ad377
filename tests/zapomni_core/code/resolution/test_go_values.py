"""What names of Go stand for, and how far they reach."""

from __future__ import annotations

import pytest

from tests.zapomni_core.code.resolution.repositories import calls

LAMP = """package home
type Lamp struct{}
func (l *Lamp) On() *Lamp { return l }
func (l *Lamp) Off() {}
func NewLamp() (*Lamp, error) { return nil, nil }
type Lamps []*Lamp
type Light = Lamp
type Switch interface { Off() }
var Spare = &Lamp{}
func With(use func(l *Lamp)) {}
"""
GO_MOD = "module example.com/home/v2\n"


def bound(body: str, parameters: str = "") -> set[str]:
    """Return what a function of another file of the package calls, as far as it is here."""
    main = f'package home\n\nimport "os"\n\nfunc run({parameters}) {{\n{body}\n}}\n'
    found = calls({"lamp.go": LAMP, "main.go": main, "go.mod": GO_MOD}, "main.go")
    return {
        target for target, how in found if "::" in target and how not in {"unique", "dispatch"}
    }


@pytest.mark.parametrize(
    "body",
    [
        "With(func(l *Lamp) {\n l.Off()\n})",
        "f := func(ls ...*Lamp) {\n for _, l := range ls { l.Off() }\n}\nf()",
        "new(Lamp).Off()",
        "(&Lamp{}).Off()",
        "Lamp{}.Off()",
        "Spare.Off()",
        "var all Lamps\nall[0].Off()",
        "var all Lamps\nfor _, l := range all { l.Off() }",
        "light := &Light{}\nlight.Off()",
        "var any interface{}\nlamp := any.(*Lamp)\nlamp.Off()",
        "var c <-chan *Lamp\nselect {\ncase l := <-c:\n l.Off()\n}",
        "var c chan *Lamp\nfor l := range c { l.Off() }",
        "Lamp := Lamp{}\nvar other Lamp2\nother = 1\nLamp.Off()",
    ],
)
def test_receivers_are_known_by_how_they_came_about(body: str) -> None:
    assert "lamp.go::Lamp.Off" in bound(body)


def test_results_may_have_names() -> None:
    main = "package home\n\nfunc open() (l *Lamp, err error) {\n l.Off()\n return\n}\n"

    assert calls({"lamp.go": LAMP, "main.go": main}, "main.go") == {("lamp.go::Lamp.Off", "typed")}


def test_a_name_ends_with_its_block() -> None:
    body = "{\n d := Spare\n d.Off()\n}\nfunc(d int) {\n}(1)\nd.Off()\n"

    assert bound(body, "d Switch") == {"lamp.go::Lamp.Off", "lamp.go::Switch.Off"}


def test_what_a_function_is_handed_to_is_not_one_of_its_parameters() -> None:
    body = "d.Each(func(d int) {\n d.Off()\n})\n"
    room = "package home\ntype Room struct{}\nfunc (r *Room) Each(f func(int)) {}\n"
    main = f"package home\n\nfunc run(d *Room) {{\n{body}}}\n"

    found = calls({"lamp.go": LAMP, "room.go": room, "main.go": main}, "main.go")
    assert found == {("room.go::Room.Each", "typed"), ("go:int.Off", "import")}


def test_a_package_is_not_called_by_the_version_behind_its_path() -> None:
    main = (
        'package main\n\nimport "example.com/home/v2"\n\n'
        "func main() {\n home.With(nil)\n home.Spare.Off()\n}\n"
    )

    found = calls({"lamp.go": LAMP, "go.mod": GO_MOD, "cmd/main.go": main}, "cmd/main.go")
    assert found == {("lamp.go::With", "import"), ("lamp.go::Lamp.Off", "typed")}


def test_what_the_standard_library_returns_is_not_guessed_by_name() -> None:
    assert bound('info, err := os.Stat("x")\ninfo.Off()\n_ = err') == set()


def test_the_first_version_is_the_name_of_a_package() -> None:
    files = {
        "go.mod": GO_MOD,
        "api/v1/o.go": "package v1\nfunc New() {}\n",
        "main.go": 'package home\nimport "example.com/home/v2/api/v1"\nfunc f() { v1.New() }\n',
    }

    assert calls(files, "main.go") == {("api/v1/o.go::New", "import")}


@pytest.mark.parametrize("items", ["[]Lamp", "[]list", "list", "other"])
def test_a_type_may_be_called_like_what_holds_others(items: str) -> None:
    main = f"""package home
type list {items}
type other list
func run(all list) {{
    all[0].Off()
    for _, one := range all {{ one.Off() }}
    With(nil)
}}
"""
    found = {target for target, _ in calls({"lamp.go": LAMP, "main.go": main}, "main.go")}

    assert "lamp.go::With" in found
    assert ("lamp.go::Lamp.Off" in found) is (items == "[]Lamp")


def test_a_function_that_a_name_holds_hides_the_one_of_the_package() -> None:
    assert bound("NewLamp := func() {}\nNewLamp()") == set()
    assert bound("if true {\nNewLamp := func() {}\n_ = NewLamp\n}\nNewLamp()") == {
        "lamp.go::NewLamp"
    }
