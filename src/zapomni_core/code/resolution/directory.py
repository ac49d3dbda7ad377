"""Where the methods, functions and subclasses of a repository are, by name."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from zapomni_core.code.model import FileFacts
from zapomni_core.code.resolution.chains import names_in
from zapomni_core.code.resolution.modules import family_of
from zapomni_core.code.resolution.tables import CLASS_KINDS, Source, Symbol

__all__ = ["Directory"]

_CALLABLE: Final = frozenset({"function", "macro"})

type _Places = dict[tuple[str, str], set[tuple[str, int]]]


class Directory:
    """An index by name that follows every change of a file."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = sources
        self._methods: _Places = {}
        self._functions: _Places = {}
        self._derived: _Places = {}
        self._tables = {"m": self._methods, "f": self._functions, "d": self._derived}
        self._aliases: dict[tuple[str, str], dict[str, int]] = {}
        # What was asked for, until a file that has to do with it changes.
        self._known: dict[tuple[str, tuple[str, str]], list[Symbol]] = {}

    def add(self, path: str, facts: FileFacts) -> None:
        """Enter what a file defines."""
        for table, key, index in _entries(facts):
            self._tables[table].setdefault(key, set()).add((path, index))
            self._known.pop((table, key), None)
        for name, alias in _renamed(facts):
            counts = self._aliases.setdefault((family_of(facts.language), name), {})
            counts[alias] = counts.get(alias, 0) + 1

    def remove(self, path: str, facts: FileFacts) -> None:
        """Take out what a file defined."""
        # A class may write a name more than once among its bases.
        for table, key, index in set(_entries(facts)):
            places = self._tables[table]
            self._known.pop((table, key), None)
            places[key].discard((path, index))
            if not places[key]:
                del places[key]
        for name, alias in _renamed(facts):
            counts = self._aliases[family_of(facts.language), name]
            counts[alias] -= 1
            if not counts[alias]:
                del counts[alias]

    def methods(self, language: str, name: str, most: int = sys.maxsize) -> list[Symbol]:
        """Return the methods of a name, one for each class that has it, unless they are many."""
        return self._named("m", (family_of(language), name), most)

    def has_methods(self, language: str, name: str, least: int = 1) -> bool:
        """Tell whether at least so many classes have a method of a name."""
        return len(self._methods.get((family_of(language), name), ())) >= least

    def functions(self, language: str, name: str, most: int = sys.maxsize) -> list[Symbol]:
        """Return the functions and classes of a name, unless they are many."""
        return self._named("f", (family_of(language), name), most)

    def names_of(self, of: Symbol) -> list[str]:
        """Return the names under which a class is written in some file."""
        name = of.definition.name
        aliases = self._aliases.get((family_of(of.source.language), name), ())
        return list(dict.fromkeys((name, *sorted(aliases))))

    def maybe_derived(self, language: str, name: str) -> list[Symbol]:
        """Return the classes that write a name among their bases."""
        return self._named("d", (family_of(language), name), sys.maxsize)

    def _named(self, table: str, key: tuple[str, str], most: int) -> list[Symbol]:
        places = self._tables[table].get(key, ())
        if not 0 < len(places) <= most:
            return []
        known = self._known.get((table, key))
        if known is None:
            known = self._known[table, key] = self._at(places)
        return known

    def _at(self, places: Iterable[tuple[str, int]]) -> list[Symbol]:
        found: dict[str, Symbol] = {}
        for path, index in sorted(places):
            symbol = self._sources[path].symbols[index]
            key = symbol.id.partition("#")[0]
            if key not in found or not (symbol.is_static or symbol.is_of_trait):
                found[key] = symbol
        return _defined(list(found.values()))


def _defined(found: list[Symbol]) -> list[Symbol]:
    """Leave out what a header only declares, if there is the definition as well."""
    declared = {each for each in found if each.source.path.endswith(".h")}
    if not declared:
        return found
    elsewhere = {each.definition.qname for each in found if each not in declared}
    return [e for e in found if not (e in declared and e.definition.qname in elsewhere)]


def _entries(facts: FileFacts) -> Iterator[tuple[str, tuple[str, str], int]]:
    family = family_of(facts.language)
    for index, definition in enumerate(facts.definitions):
        kind = definition.kind
        if kind == "method":
            yield "m", (family, definition.name), index
        elif kind in _CALLABLE or kind in CLASS_KINDS:
            yield "f", (family, definition.name), index
        for base in definition.bases:
            for name in names_in(base):
                yield "d", (family, name), index


def _renamed(facts: FileFacts) -> Iterator[tuple[str, str]]:
    for imported in facts.imports:
        if imported.name and imported.alias and imported.alias != imported.name:
            yield imported.name, imported.alias
