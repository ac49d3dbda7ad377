"""Rust: modules are files below the root of a crate; a path starts at the crate, here or above."""

from __future__ import annotations

import re
from collections.abc import Iterable
from posixpath import basename, dirname, join
from typing import Final

from zapomni_core.code.resolution.modules.layout import Layout
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import UNBOUND, External, Namespace, Unbound, Value

__all__ = ["RustModules"]

# Folders of a package in which every file is a crate of its own.
_APART: Final = re.compile(r"(?:benches|examples|src/bin|tests)(?=/)")


class RustModules:
    """The files of a repository by crate and module path."""

    def __init__(self, sources: Iterable[Source], layout: Layout) -> None:
        self._crates = layout.crates
        self._by_name: dict[tuple[str, ...], Source] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._strays: dict[tuple[str, str], list[Symbol]] | None = None
        # The files at which crates begin, by the folder in which these look for their modules.
        self._beginnings: dict[str, list[Source]] = {}
        self._crate: dict[Source, Source | None] = {}
        known = list(sources)
        # A folder that is a module itself.
        self._modules = {dirname(each.path) for each in known if basename(each.path) == "mod.rs"}
        for source in known:
            name = self._name_of(source.path)
            self._names[source.path] = name
            self._by_name.setdefault(name, source)
            if len(name) == 1 or self._begins(source):
                self._beginnings.setdefault(name[0], []).append(source)

    def locate(self, at: Symbol, module: str) -> Value:
        """Return the module, or the type in a module, that a path names."""
        here, crate = _module_around(at), self._crate_of(at.source)
        parts = [part for part in module.replace("::", ".").split(".") if part]
        head, rest = (parts[0], parts[1:]) if parts else ("self", [])
        if head == "crate":
            return self._follow(crate, rest) or External(module)
        if head in {"self", "super"}:
            start = here if head == "self" else self._above(here)
            while rest and rest[0] == "super" and start is not None:
                start, rest = self._above(start), rest[1:]
            return self._below(start, rest)
        if head in self._crates.values():
            folder = next(each for each, name in self._crates.items() if name == head)
            return self._follow(self._by_name.get((folder,)), rest)
        found = self._below(here, parts) or self._follow(at.source, parts)
        return found or self._follow(crate, parts) or External(module)

    def within(self, holder: Symbol | Namespace, name: str) -> Value | Unbound:
        """Return a module in a file of its own, or the one above."""
        if isinstance(holder, Namespace):
            return UNBOUND
        if name == "super" and holder.is_module:
            return self._above(holder)
        if holder.parent is not None:
            return UNBOUND
        found = self._inside(holder.source, name)
        return found.module if found is not None else UNBOUND

    def beside(self, at: Symbol, name: str) -> Value | Unbound:
        """Return the crate, this module, the one above, or another crate of the repository."""
        if name == "crate":
            return self._follow(self._crate_of(at.source), [])
        if name == "self":
            return _module_around(at)
        if name == "super":
            return self._above(_module_around(at))
        below = self._inside(at.source, name)
        if below is not None:
            return below.module
        if name in self._crates.values():
            return self.locate(at, name)
        return UNBOUND

    def strays(self, owner: Symbol) -> list[Symbol]:
        """Return methods of `impl` blocks elsewhere in the package, a type's own ones first."""
        if self._strays is None:
            self._strays = {}
            for source in self._by_name.values():
                package = self._root_of(source.path)
                for symbol in source.symbols:
                    if symbol.definition.kind == "method" and symbol.owner is None:
                        name = symbol.definition.qname.rpartition(".")[0].rpartition(".")[2]
                        self._strays.setdefault((package, name), []).append(symbol)
            for each in self._strays.values():
                each.sort(key=lambda method: method.is_of_trait)
        return self._strays.get((self._root_of(owner.source.path), owner.definition.name), [])

    def files(self, package: Namespace) -> list[str]:
        """There are no packages of several files."""
        del package
        return []

    def _follow(self, found: Source | None, rest: list[str]) -> Value:
        for index, name in enumerate(rest):
            below = self._inside(found, name) if found is not None else None
            if below is None:
                return _members(found.module, rest[index:]) if found is not None else None
            found = below
        return found.module if found is not None else None

    def _inside(self, source: Source, name: str) -> Source | None:
        """Return the module of a name that has a file of its own."""
        own = self._names[source.path]
        found = self._by_name.get((*own, name))
        if found is not None or not self._begins(source):
            return found
        beside = self._by_name.get((own[0], name))
        return beside if beside is not None and _announces(source, name) else None

    def _above(self, module: Symbol) -> Symbol | None:
        """Return the module around one, which may be in the same file."""
        if module.parent is not None:
            return _module_around(module.parent)
        name = self._names[module.source.path]
        found = self._by_name.get(name[:-1]) if name[2:] else self._crate_of(module.source)
        return found.module if found is not None and found is not module.source else None

    def _below(self, module: Symbol | None, names: list[str]) -> Value:
        if module is None or module.parent is not None:
            return _members(module, names)
        return self._follow(module.source, names)

    def _crate_of(self, source: Source) -> Source | None:
        """Return the file at which the crate of a file begins, if that is one."""
        if source not in self._crate:
            self._crate[source] = self._beginning_of(source)
        return self._crate[source]

    def _beginning_of(self, source: Source) -> Source | None:
        name = self._names[source.path]
        if len(name) == 1:
            return source
        beginnings = self._beginnings.get(name[0], [])
        above = [each for each in beginnings if each is not source and _announces(each, name[1])]
        if not self._apart(source.path):
            return next(iter(above or beginnings), None)
        if above:
            # What several crates bring in is of each of them.
            return above[0] if len(above) == 1 else None
        return self._by_name.get(name[:2], source)

    def _name_of(self, path: str) -> tuple[str, ...]:
        apart, root = self._apart(path), self._root_of(path)
        parts = path[len(apart or root) :].strip("/").removesuffix(".rs").split("/")
        if parts[:1] == ["src"] and not apart:
            parts = parts[1:]
        if parts[-1:] in (["lib"], ["main"], ["mod"]):
            parts = parts[:-1]
        return (apart or root, *parts)

    def _begins(self, source: Source) -> bool:
        """Tell whether a file may be a crate of its own, with modules beside it."""
        return dirname(source.path) == self._apart(source.path) != ""

    def _apart(self, path: str) -> str:
        """Return the folder above a file in which every file is a crate, if there is one."""
        root = self._root_of(path)
        found = _APART.match(path[len(root) :].lstrip("/"))
        folder = join(root, found.group()) if found else ""
        return "" if folder in self._modules else folder

    def _root_of(self, path: str) -> str:
        folder = dirname(path)
        while folder and folder not in self._crates:
            folder = dirname(folder)
        if not folder and "" not in self._crates and "/src/" in path:
            return path.partition("/src/")[0]
        return folder


def _module_around(at: Symbol) -> Symbol:
    return next(each for each in at.around() if each.is_module)


def _announces(source: Source, name: str) -> bool:
    """Tell whether a file says `mod name;`."""
    listed = source.facts.definitions
    return any(each.name == name and each.kind == "module" and each.scope < 0 for each in listed)


def _members(symbol: Symbol | None, names: list[str]) -> Value:
    for name in names:
        symbol = symbol.members.get(name) if symbol is not None else None
    return symbol
