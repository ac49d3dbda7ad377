"""Languages whose modules go by names: those of packages, of files, or of modules in files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from posixpath import dirname, join, normpath, splitext
from typing import Final

from zapomni_core.code.model import MODULE, PARTIAL
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import UNBOUND, External, Held, Namespace, Unbound, Value

__all__ = ["NAMED_LANGUAGES", "NamedModules"]

# Where everything in the same package is seen, and where in the packages around it as well.
_PACKAGED: Final = frozenset({"csharp", "groovy", "kotlin", "php", "ruby", "scala", "swift"})
_NESTED: Final = frozenset({"csharp"})
# Where functions of other files are not told from those of libraries.
_TYPES_ONLY: Final = frozenset({"swift"})
# Where a module may be named without an import. All of them begin with a capital letter.
_SEEN: Final = frozenset({"csharp", "elixir", "ocaml", "perl", "php"})
# Where a file is a module with the name of the file, or is imported by its path.
_BY_STEM: Final = frozenset({"ocaml"})
_BY_PATH: Final = frozenset({"dart", "lua", "ruby", "zig"})
# Where the members of a table or package are called on self.
_SELVES: Final = frozenset({"lua", "perl"})
NAMED_LANGUAGES: Final = _PACKAGED | _SEEN | _BY_PATH | {"haskell"}

_NUMBER: Final = re.compile(r"#\d+")
_PACKAGE: Final = re.compile(r"package:([^/]*)/")
# Where a file is imported by its path with the ending, and a library without one.
_WITH_ENDING: Final = frozenset({"dart", "zig"})
# Folders below which paths begin that are not those of files beside.
_ROOTS: Final = {"lua": ("", "lua/", "src/", "lib/"), "ruby": ("lib/", "app/")}

type _Place = tuple[Source, int]


class NamedModules:
    """What may be imported in the files of one language, by name."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._files: dict[str, list[Source]] = {}
        self._holders: dict[str, list[_Place]] = {}
        # Everything in front of a dot in the name of some module.
        self._fronts: set[str] = set()
        # What packages hold, once somebody has asked for it.
        self._members: dict[str, dict[str, list[Symbol]]] = {}
        # Where constants of Ruby are given that other files see, likewise.
        self._constants: dict[str, dict[str, list[Symbol]]] = {}
        self._added: dict[Symbol, list[Symbol]] = {}
        for source in sources:
            self._files.setdefault(_stem(source.path), []).append(source)
            for name, index in _modules_in(source):
                self._holders.setdefault(name, []).append((source, index))
                while "." in name:
                    name = name.rpartition(".")[0]  # noqa: PLW2901 - what is around it
                    self._fronts.add(name)

    def locate(self, at: Symbol, module: str) -> Value:
        """Return a package, a file or a class in a package; or what is outside."""
        language = at.source.language
        if module in self._holders:
            return Namespace(language, module)
        if language in _BY_PATH:
            file = self._file(at.source, module)
            return External(module.replace("/", ".")) if file is None else file.module
        front, _, name = module.rpartition(".")
        found = self._in_package(front, name)
        return External(module) if isinstance(found, Unbound) else found

    def within(self, holder: Symbol | Namespace, name: str) -> Value | Unbound | Held:
        """Return what a package holds in some file, or what a file gives out in a table."""
        if isinstance(holder, Symbol):
            if holder.parent is not None:
                return self._held_in(_plain(holder), name)
            is_table = holder.source.language == "lua"
            return _in_tables(holder.source, name) if is_table else UNBOUND
        path, _, table = holder.dotted.partition(":")
        if table:
            source = next(each for each in self._files[_stem(path)] if each.path == path)
            return _one(each for each in source.strays(table) if each.definition.name == name)
        found = self._held_in(holder.dotted, name)
        if isinstance(found, Unbound):
            return self._module(holder.language, f"{holder.dotted}.{name}")
        return found

    def beside(self, at: Symbol, name: str) -> Value | Unbound | Held:
        """Return what is seen without an import: the same package, a table, other modules."""
        source = at.source
        if source.language == "lua":
            return _table(at, name)
        if name == "self" and source.language in _SELVES:
            return self._module(source.language, source.facts.package)
        for package in _packages_around(at, name):
            found = self._held_in(package, name)
            if isinstance(found, Held) or (
                isinstance(found, Symbol)
                and (found.is_class or source.language not in _TYPES_ONLY)
            ):
                return found
        is_seen = source.language in _SEEN and name[:1].isupper()
        return self._module(source.language, name) if is_seen else UNBOUND

    def strays(self, owner: Symbol) -> list[Symbol]:
        """Return the members that other files add to a class."""
        known = self._added.get(owner)
        if known is None:
            parts = self._parts(_package_of(owner), owner.definition.name)
            whole = _whole(parts)
            known = self._added[owner] = [
                member
                for part in parts
                if (part.is_addition or part is whole) and part.members is not owner.members
                for member in (part.members.values() if owner in parts else ())
            ]
        return known

    def files(self, package: Namespace) -> list[str]:
        """Return the files of a package."""
        return sorted({source.path for source, _ in self._holders.get(package.dotted, ())})

    def _module(self, language: str, name: str) -> Value | Unbound:
        is_known = name in self._holders or name in self._fronts
        return Namespace(language, name) if is_known else UNBOUND

    def _held_in(self, package: str, name: str) -> Symbol | Unbound | Held:
        """Return what a package holds, which may be a constant that is given in one place."""
        found = self._in_package(package, name)
        if isinstance(found, Symbol) or not name[:1].isupper():
            return found
        known = self._constants.get(package)
        if known is None:
            known = self._constants[package] = _constants(self._holders.get(package, ()))
        places = known.get(name, ())
        return Held(places[0], name) if len(places) == 1 else UNBOUND

    def _in_package(self, package: str, name: str) -> Symbol | Unbound:
        """Return what is called so in a package, if that is one thing."""
        return _whole(self._parts(package, name))

    def _parts(self, package: str, name: str) -> list[Symbol]:
        known = self._members.get(package)
        if known is None:
            known = self._members[package] = {}
            for source, index in self._holders.get(package, ()):
                for member_name, member in source.scope(index).members.items():
                    known.setdefault(member_name, []).append(member)
        return known.get(name, [])

    def _file(self, source: Source, module: str) -> Source | None:
        """Return the file at a path beside the one that imports it, or below a usual root."""
        if source.language in _WITH_ENDING and not module.endswith(f".{source.language}"):
            return None
        path = module.replace(".", "/") if source.language == "lua" else module
        package = _PACKAGE.match(path)
        whole = _without_ending(normpath(path[package.end() :] if package else path))
        beside = normpath(join(dirname(source.path), whole))
        roots = (
            [f"{package.group(1)}/lib/", "lib/"] if package else _ROOTS.get(source.language, ())
        )
        paths = {_without_ending(each.path): each for each in self._files.get(_stem(path), ())}
        if beside in paths and not package:
            return paths[beside]
        below = [
            paths[each]
            for each in paths
            if any(
                f"/{each}" == f"/{root}{whole}" or each.endswith(f"/{root}{whole}")
                for root in roots
            )
        ]
        return below[0] if len(below) == 1 else None


def _modules_in(source: Source) -> Iterator[tuple[str, int]]:
    facts = source.facts
    if facts.package or source.language in _PACKAGED:
        yield facts.package, MODULE
    elif source.language in _BY_STEM:
        stem = _stem(source.path)
        yield stem[:1].upper() + stem[1:], MODULE
    for index, each in enumerate(facts.definitions):
        if each.kind == "module":
            yield _NUMBER.sub("", each.qname), index


def _constants(places: Iterable[_Place]) -> dict[str, list[Symbol]]:
    found: dict[str, list[Symbol]] = {}
    for source, index in places:
        holder = source.scope(index)
        for name in holder.bindings if source.language == "ruby" else ():
            found.setdefault(name, []).append(holder)
    return found


def _packages_around(at: Symbol, name: str) -> Iterator[str]:
    source = at.source
    if source.language not in _PACKAGED:
        return
    if source.language == "ruby":
        # Only constants are seen from elsewhere.
        around = [each for each in at.around() if each.is_module and name[:1].isupper()]
        yield from map(_plain, around)
        return
    package = source.facts.package
    yield package
    while package and source.language in _NESTED:
        package = package.rpartition(".")[0]
        yield package
    if package and source.language == "php":
        yield ""


def _package_of(symbol: Symbol) -> str:
    around = symbol.parent
    is_inside = around is not None and around.parent is not None
    return _plain(around) if around and is_inside else symbol.source.facts.package


def _plain(symbol: Symbol) -> str:
    return _NUMBER.sub("", symbol.definition.qname)


def _whole(parts: list[Symbol]) -> Symbol | Unbound:
    """Return the class to which the other parts add something, or the only thing there is."""
    apart = [each for each in parts if not each.is_addition]
    are_parts = bool(parts) and all(PARTIAL in each.definition.decorators for each in parts)
    return parts[0] if are_parts else _one(apart or parts)


def _one(found: Iterable[Symbol]) -> Symbol | Unbound:
    """Return what is found in one file; overloads are one thing there."""
    here = {each.source.path: each for each in found}
    return next(iter(here.values())) if len(here) == 1 else UNBOUND


def _table_of(function: Symbol) -> str:
    return function.definition.qname.rpartition(".")[0]


def _table(at: Symbol, name: str) -> Value | Unbound:
    """Return a table of Lua to which its file adds functions, or the one of this function."""
    if name == "self":
        name = _table_of(at)
    has_any = bool(name) and bool(at.source.strays(name))
    return Namespace("lua", f"{at.source.path}:{name}") if has_any else UNBOUND


def _in_tables(source: Source, name: str) -> Symbol | Unbound:
    named = [each for each in source.symbols if each.definition.name == name]
    apart = [each for each in named if each in source.strays(_table_of(each))]
    return apart[-1] if len({each.definition.qname for each in apart}) == 1 else UNBOUND


def _stem(path: str) -> str:
    return _without_ending(path.rpartition("/")[2])


def _without_ending(path: str) -> str:
    return splitext(path)[0]
