"""What an expression may stand for."""

from __future__ import annotations

from typing import Final, NamedTuple

from zapomni_core.code.resolution.tables import Symbol

__all__ = [
    "OUTSIDE",
    "UNBOUND",
    "Bound",
    "External",
    "Giving",
    "Instance",
    "Namespace",
    "Super",
    "Unbound",
    "Value",
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


class Giving(NamedTuple):
    """A method of a container that is known by what it returns."""

    value: Value


class Super(NamedTuple):
    """What `super()` gives inside of a class."""

    of: Symbol


class Namespace(NamedTuple):
    """A folder of modules that is no module itself, or a package made of several files."""

    language: str
    dotted: str


class Unbound(NamedTuple):
    """The answer for a name that nothing defines; None is: defined, but nobody knows as what."""


type Value = Symbol | Instance | Bound | External | Giving | Namespace | Super | None

UNBOUND: Final = Unbound()
OUTSIDE: Final = External("")
