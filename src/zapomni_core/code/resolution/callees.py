"""What runs when something is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zapomni_core.code.model import Call
from zapomni_core.code.resolution.builtin_names import PRIMITIVES, is_builtin_method
from zapomni_core.code.resolution.directory import Directory
from zapomni_core.code.resolution.evaluation import Evaluation
from zapomni_core.code.resolution.extensions import Extensions
from zapomni_core.code.resolution.modules import family_of
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import Bound, External, Instance, Value

__all__ = ["Callees", "few"]

# A method with more overrides than this is called by everybody on everything.
_MOST_OVERRIDES: Final = 40
_ABOVE: Final = frozenset({"super()", "super"})
# How methods of numbers begin, which come before those of traits.
_OF_NUMBERS: Final = ("checked_", "overflowing_", "saturating_", "wrapping_")
_CONSTRUCTORS: Final = {
    "python": "__init__",
    "javascript": "constructor",
    "php": "__construct",
    "ruby": "initialize",
    "swift": "init",
}


def few(symbols: Sequence[Symbol]) -> Sequence[Symbol]:
    """Return overrides, unless they are so many that they say nothing."""
    return symbols if len(symbols) <= _MOST_OVERRIDES else ()


class Callees:
    """Find what the calls of one file run."""

    def __init__(self, source: Source, evaluation: Evaluation, directory: Directory) -> None:
        self._source = source
        self._language = source.language
        self._evaluation = evaluation
        self._directory = directory
        self.extensions = Extensions(source, evaluation, directory)
        self._methods: dict[str, list[Symbol]] = {}

    def of(self, found: Value) -> Symbol | External | None:
        """Return the function that a call of something runs."""
        match found:
            case Symbol() if found.is_class:
                return self._constructor(found)
            case Symbol():
                return self._exported(found) if found.is_module else found
            case Bound(method, _):
                return method
            case Instance(Symbol() as of, _):
                return self._evaluation.find(of, "__call__")
            case External():
                return found
            case _:
                return None

    def methods(self, name: str, most: int) -> list[Symbol]:
        """Return the methods that a call on something unknown may mean, unless they are many."""
        known = self._methods.get(name)
        if known is None:
            is_outside = is_builtin_method(self._language, name)
            found = self._directory.methods(self._language, name, most)
            are_many = not found and self._directory.has_methods(self._language, name)
            if self._language == "kotlin" and not are_many:
                found = [*found, *self.extensions.named(name, found)]
            known = self._methods[name] = [] if is_outside else found
        return known

    def of_primitive(self, call: Call, receiver: Value) -> Symbol | None:
        """Return the method that a trait of the repository gives to a type of Rust itself."""
        of = receiver.of if isinstance(receiver, Instance) else receiver
        if self._language != "rust" or call.name.startswith(_OF_NUMBERS):
            return None
        if not isinstance(of, External) or of.dotted not in PRIMITIVES:
            return None
        for each in self._directory.methods(self._language, call.name):
            owner = each.definition.qname.rpartition(".")[0].rpartition(".")[2]
            if each.owner is None and owner == of.dotted:
                return each
        return None

    def _constructor(self, of: Symbol) -> Symbol:
        name = _CONSTRUCTORS.get(family_of(self._language), of.definition.name)
        found = self._evaluation.find(of, name)
        return found if found is not None and not found.is_class else of

    def _exported(self, module: Symbol) -> Symbol | External | None:
        """Return what is called as a whole file of JavaScript (`require("./a")()`)."""
        return self.of(self._evaluation.whole(module))

    def _is_held(self, call: Call, kind: Symbol) -> bool:
        """Tell whether a class is called by a name that may hold another class as well."""
        if call.name == kind.definition.name or kind.source.language != "python":
            return False
        scope = self._source.scope(call.scope)
        return all(call.name not in each.imports for each in scope.around())

    def _names_class(self, call: Call, owner: Symbol) -> bool:
        """Tell whether a class is written in front, as in `Base::draw()`: it alone is meant."""
        # In Python it may be a method of the class, which calls those of subclasses.
        return (
            self._language != "python"
            and call.receiver.rpartition(".")[2] == owner.definition.name
        )

    def _is_renamed(self, call: Call, target: Symbol) -> bool:
        """Tell whether a method of a trait is called as `use A {b as c;}` says: no other is."""
        return self._language == "php" and call.name != target.definition.name

    def instead(self, call: Call, found: Value, target: Symbol) -> Sequence[Symbol]:
        """Return what may be reached instead, if the object is one of a subclass."""
        if isinstance(found, Bound):
            name = target.definition.name
            if self._names_class(call, found.owner) or self._is_renamed(call, target):
                return ()
            has_others = self._directory.has_methods(self._language, name, least=2)
            if call.receiver in _ABOVE or not has_others:
                return ()
            return few(self._evaluation.overriding(found.owner, name))
        if isinstance(found, Symbol) and found.is_class and self._is_held(call, found):
            below = few(self._evaluation.hierarchy.below(found))
            return list(dict.fromkeys(self._constructor(each) for each in below))
        return ()
