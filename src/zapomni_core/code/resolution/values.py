"""What an expression may stand for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from zapomni_core.code.resolution.tables import Symbol

__all__ = [
    "MOST_ALTERNATIVES",
    "OUTSIDE",
    "UNBOUND",
    "Bound",
    "Either",
    "External",
    "Giving",
    "Held",
    "Instance",
    "Made",
    "Namespace",
    "Super",
    "Unbound",
    "Value",
    "either",
    "element_of",
    "is_here",
    "shallow",
]


class External(NamedTuple):
    """Something that is not in the repository; without a name it came out of a call there."""

    dotted: str


class Instance(NamedTuple):
    """An object of a class, with the types in its brackets (`list[Flask]`)."""

    of: Symbol | External
    arguments: tuple[Value, ...] = ()


class Bound(NamedTuple):
    """A method, with the class of the object that it was taken from."""

    method: Symbol
    owner: Symbol


class Either(NamedTuple):
    """One of a few things, and nobody knows which."""

    values: tuple[Value, ...]


class Giving(NamedTuple):
    """A method of a container that is known by what it returns."""

    value: Value


class Made(NamedTuple):
    """An object that is written out in the body of a function."""

    by: Symbol


class Super(NamedTuple):
    """What `super()` gives inside of a class."""

    of: Symbol


class Namespace(NamedTuple):
    """A folder of modules that is no module itself, or a package made of several files."""

    language: str
    dotted: str


class Held(NamedTuple):
    """A variable of a package; what it holds is to be looked up in its file."""

    module: Symbol
    name: str


class Unbound(NamedTuple):
    """The answer for a name that nothing defines; None is: defined, but nobody knows as what."""


type Value = (
    Symbol | Instance | Bound | Either | External | Giving | Made | Namespace | Super | None
)

UNBOUND: Final = Unbound()
OUTSIDE: Final = External("")

_HERE: Final = (Symbol, Bound, Either, Made)
# Something that may be more than this is taken for unknown.
MOST_ALTERNATIVES: Final = 4


def either(values: Iterable[Value | Unbound]) -> Value:
    """Return what values have in common: those of the repository, if any is known."""
    known: dict[Value, None] = {}
    for each in values:
        if isinstance(each, Either):
            known.update(dict.fromkeys(each.values))
        elif each is not None and not isinstance(each, Unbound):
            known[each] = None
    if len(known) <= 1:
        return next(iter(known), None)
    here = tuple(each for each in known if is_here(each))
    if not 0 < len(here) <= MOST_ALTERNATIVES:
        return None
    return here[0] if len(here) == 1 else Either(here)


def element_of(container: External, arguments: tuple[Value, ...]) -> Value:
    """Return what a container gives: values, not the keys or the error in front or behind."""
    return arguments[0] if container.dotted.endswith("Result") else arguments[-1]


def is_here(value: Value | Unbound) -> bool:
    """Tell whether something is defined in the repository, or an object of such a class."""
    if isinstance(value, Instance):
        return isinstance(value.of, Symbol)
    return isinstance(value, _HERE)


def shallow(value: Value, depth: int = 2) -> Value:
    """Leave out types in brackets in brackets: types made of types made of types grow for ever."""
    if not isinstance(value, Instance) or not value.arguments:
        return value
    inside = value.arguments if depth else ()
    return Instance(value.of, tuple(shallow(each, depth - 1) for each in inside))
