"""What classes have under a name, themselves or from the classes above them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from zapomni_core.code.model import STATIC
from zapomni_core.code.resolution.hierarchy import Hierarchy
from zapomni_core.code.resolution.modules import Modules
from zapomni_core.code.resolution.tables import Symbol

__all__ = ["Having", "Heritage", "Row"]

_METHODS_APART: Final = frozenset({"c", "cpp", "csharp", "go", "rust", "swift"})
# What Kotlin calls an object whose members are those of the class around it.
_COMPANION: Final = "Companion"

type _ByName = Mapping[str, Symbol]


class Row(NamedTuple):
    """What classes that come one after another have: members, and who binds names to values."""

    members: _ByName
    holders: _ByName


class Having(NamedTuple):
    """The members of a class, and what it inherits."""

    own: _ByName
    above: Row


class Heritage(dict[Symbol, Having]):
    """What each class has, to be found without going up from base to base for every name.

    Classes with the same bases share what they inherit: thousands of tests have one base.
    """

    def __init__(self, hierarchy: Hierarchy, modules: Mapping[str, Modules]) -> None:
        super().__init__()
        self._hierarchy = hierarchy
        self._modules = modules
        self._rows: dict[tuple[str, tuple[Symbol, ...]], Row] = {}

    def __missing__(self, of: Symbol) -> Having:
        language, above = of.source.language, self._hierarchy.order(of)[1:]
        row = self._rows.get((language, above))
        if row is None:
            row = self._rows[language, above] = self._together(language, above)
        known = self[of] = Having(self._own(of, language), row)
        return known

    def forget(self) -> None:
        """Forget everything: a class may bind names elsewhere now."""
        self.clear()
        self._rows.clear()

    def _together(self, language: str, above: tuple[Symbol, ...]) -> Row:
        members: dict[str, Symbol] = {}
        holders: dict[str, Symbol] = {}
        for each in reversed(above):
            members.update(_of_objects(each) if each.is_module else self._own(each, language))
            holders.update((name, each) for name, held in each.bindings.items() if held)
        return Row(members, holders)

    def _own(self, of: Symbol, language: str) -> _ByName:
        """Return the members of a class, with those that stand elsewhere behind its own."""
        members = of.members
        if language == "ruby":
            return {**self._extending(of), **members}
        strays = self._strays(of) if language in _METHODS_APART else {}
        companion = members.get(_COMPANION)
        if not strays and companion is None:
            return members
        return {**(companion.members if companion is not None else {}), **strays, **members}

    def _extending(self, of: Symbol) -> _ByName:
        """Return the methods that a class of Ruby itself has from modules."""
        extending = self._hierarchy.extending(of)
        return {
            f"{STATIC} {name}": member
            for module in extending
            for each in reversed(self._hierarchy.order(module))
            for name, member in _of_objects(each).items()
        }

    def _strays(self, of: Symbol) -> _ByName:
        modules = self._modules.get(of.source.language)
        strays = modules.strays(of) if modules is not None else []
        # The first of a name is the one that counts.
        return {each.definition.name: each for each in reversed(strays)}


def _of_objects(module: Symbol) -> _ByName:
    """Return what those have who include a module: not the methods of itself."""
    return {name: each for name, each in module.members.items() if not each.is_static}
