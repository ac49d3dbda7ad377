"""C and C++: a file includes others, and everybody adds to namespaces and defines methods."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from posixpath import basename, dirname, join, normpath
from typing import Final

from zapomni_core.code.resolution.tables import CLASS_KINDS, Source, Symbol
from zapomni_core.code.resolution.values import UNBOUND, External, Namespace, Unbound, Value

__all__ = ["CModules"]

_NUMBER: Final = re.compile(r"#\d+")

type _Place = tuple[Source, int]


class CModules:
    """The files of a repository by name, and its namespaces and classes by what is in them."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._files: dict[str, list[Source]] = {}
        # What stands in a namespace or class by its whole name, classes by their last one too.
        self._inside: dict[str, list[_Place]] = {}
        self._classes: dict[str, list[_Place]] = {}
        self._apart: dict[str, list[_Place]] = {}
        self._strays: dict[Symbol, list[Symbol]] = {}
        for source in sources:
            self._files.setdefault(basename(source.path), []).append(source)
            self._enter(source)

    def locate(self, at: Symbol, module: str) -> Value:
        """Return the file that is included, or what is outside."""
        files = self._files.get(basename(module), ())
        beside = normpath(join(dirname(at.source.path), module))
        whole = f"/{normpath(module).lstrip('./')}"
        near = [each for each in files if each.path == beside]
        found = near or [each for each in files if f"/{each.path}".endswith(whole)]
        return found[0].module if len(found) == 1 else External(module)

    def within(self, holder: Symbol | Namespace, name: str) -> Value | Unbound:
        """Return what another file adds to a namespace."""
        if isinstance(holder, Namespace) or holder.parent is None:
            return UNBOUND
        return _only(self._inside.get(f"{_plain(holder)}.{name}", ()))

    def beside(self, at: Symbol, name: str) -> Value | Unbound:
        """Return what other files add to the namespaces around, or the only class of a name."""
        for around in _namespaces(at):
            found = _only(self._inside.get(f"{around}.{name}", ()))
            if not isinstance(found, Unbound):
                return found
        classes = self._classes.get(name.rpartition(".")[2], ())
        return _only([each for each in classes if _is_part(name, _name_at(each))])

    def strays(self, owner: Symbol) -> list[Symbol]:
        """Return the methods of a class that are defined outside of it."""
        known = self._strays.get(owner)
        if known is None:
            name = _plain(owner)
            places = self._apart.get(owner.definition.name, ())
            found = [source.symbols[index] for source, index in places]
            known = [each for each in found if _is_part(_plain(each).rpartition(".")[0], name)]
            self._strays[owner] = known
        return known

    def files(self, package: Namespace) -> list[str]:
        """There are no packages of several files."""
        del package
        return []

    def _enter(self, source: Source) -> None:
        definitions = source.facts.definitions
        for index, each in enumerate(definitions):
            around = definitions[each.scope] if each.scope >= 0 else None
            if around is not None and around.kind != "module":
                continue
            front, _, name = _NUMBER.sub("", each.qname).rpartition(".")
            place = (source, index)
            if front and each.kind != "module":
                self._inside.setdefault(f"{front}.{name}", []).append(place)
            if each.kind in CLASS_KINDS:
                self._classes.setdefault(name, []).append(place)
            elif each.kind == "method":
                self._apart.setdefault(front.rpartition(".")[2], []).append(place)


def _only(places: Iterable[_Place]) -> Symbol | Unbound:
    """Return what is at places, if they are all of one name in one file."""
    found = {source.path: (source, index) for source, index in reversed([*places])}
    if len(found) != 1:
        return UNBOUND
    source, index = next(iter(found.values()))
    return source.symbols[index]


def _name_at(place: _Place) -> str:
    source, index = place
    return _NUMBER.sub("", source.facts.definitions[index].qname)


def _plain(symbol: Symbol) -> str:
    return _NUMBER.sub("", symbol.definition.qname)


def _is_part(name: str, whole: str) -> bool:
    """Tell whether one name is the other, or its end: `B` is that of `a.B` after a `using`."""
    return f".{whole}".endswith(f".{name}")


def _namespaces(at: Symbol) -> Iterator[str]:
    for each in at.around():
        if each.is_module and each.parent is not None:
            yield _plain(each)
