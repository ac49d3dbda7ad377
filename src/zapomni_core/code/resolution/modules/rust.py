"""Rust: modules are files below the root of a crate; a path starts at the crate, here or above."""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import dirname

from zapomni_core.code.resolution.modules.layout import Layout
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import UNBOUND, External, Namespace, Unbound, Value

__all__ = ["RustModules"]


class RustModules:
    """The files of a repository by crate and module path."""

    def __init__(self, sources: Iterable[Source], layout: Layout) -> None:
        self._crates = layout.crates
        self._by_name: dict[tuple[str, ...], Source] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._strays: dict[tuple[str, str], list[Symbol]] | None = None
        for source in sources:
            name = self._name_of(source.path)
            self._names[source.path] = name
            self._by_name.setdefault(name, source)

    def locate(self, at: Symbol, module: str) -> Value:
        """Return the module, or the type in a module, that a path names."""
        here, own = _module_around(at), self._names[at.source.path]
        parts = [part for part in module.replace("::", ".").split(".") if part]
        head, rest = (parts[0], parts[1:]) if parts else ("self", [])
        if head == "crate":
            return self._follow(own[:1], rest) or External(module)
        if head in {"self", "super"}:
            start = here if head == "self" else self._above(here)
            while rest and rest[0] == "super" and start is not None:
                start, rest = self._above(start), rest[1:]
            return self._below(start, rest)
        if head in self._crates.values():
            folder = next(each for each, name in self._crates.items() if name == head)
            return self._follow((folder,), rest)
        found = self._below(here, parts) or self._follow(own, parts)
        return found or self._follow(own[:1], parts) or External(module)

    def within(self, holder: Symbol | Namespace, name: str) -> Value | Unbound:
        """Return a module in a file of its own, or the one above."""
        if isinstance(holder, Namespace):
            return UNBOUND
        if name == "super" and holder.is_module:
            return self._above(holder)
        if holder.parent is not None:
            return UNBOUND
        found = self._by_name.get((*self._names[holder.source.path], name))
        return found.module if found is not None else UNBOUND

    def beside(self, at: Symbol, name: str) -> Value | Unbound:
        """Return the crate, this module, the one above, or another crate of the repository."""
        own = self._names[at.source.path]
        if name == "crate":
            return self._follow(own[:1], [])
        if name == "self":
            return _module_around(at)
        if name == "super":
            return self._above(_module_around(at))
        below = self._by_name.get((*own, name))
        if below is not None:
            return below.module
        if name in self._crates.values():
            return self.locate(at, name)
        return UNBOUND

    def strays(self, owner: Symbol) -> list[Symbol]:
        """Return the methods of `impl` blocks in other files of the crate."""
        if self._strays is None:
            self._strays = {}
            for source in self._by_name.values():
                crate = self._names[source.path][0]
                for symbol in source.symbols:
                    if symbol.definition.kind == "method" and symbol.owner is None:
                        name = symbol.definition.qname.rpartition(".")[0].rpartition(".")[2]
                        self._strays.setdefault((crate, name), []).append(symbol)
        return self._strays.get((self._names[owner.source.path][0], owner.definition.name), [])

    def files(self, package: Namespace) -> list[str]:
        """There are no packages of several files."""
        del package
        return []

    def _follow(self, at: tuple[str, ...], rest: list[str]) -> Value:
        found = self._by_name.get(at)
        for index in range(len(rest)):
            below = self._by_name.get((*at, *rest[: index + 1]))
            if below is None:
                return _members(found.module, rest[index:]) if found is not None else None
            found = below
        return found.module if found is not None else None

    def _above(self, module: Symbol) -> Symbol | None:
        """Return the module around one, which may be in the same file."""
        if module.parent is not None:
            return _module_around(module.parent)
        found = self._by_name.get(self._names[module.source.path][:-1])
        return found.module if found is not None else None

    def _below(self, module: Symbol | None, names: list[str]) -> Value:
        if module is None or module.parent is not None:
            return _members(module, names)
        return self._follow(self._names[module.source.path], names)

    def _name_of(self, path: str) -> tuple[str, ...]:
        root = self._root_of(path)
        parts = path[len(root) :].strip("/").removesuffix(".rs").split("/")
        if parts[:1] == ["src"]:
            parts = parts[1:]
        if parts[-1:] in (["lib"], ["main"], ["mod"]):
            parts = parts[:-1]
        return (root, *parts)

    def _root_of(self, path: str) -> str:
        folder = dirname(path)
        while folder and folder not in self._crates:
            folder = dirname(folder)
        if not folder and "" not in self._crates and "/src/" in path:
            return path.partition("/src/")[0]
        return folder


def _module_around(at: Symbol) -> Symbol:
    return next(each for each in at.around() if each.is_module)


def _members(symbol: Symbol | None, names: list[str]) -> Value:
    for name in names:
        symbol = symbol.members.get(name) if symbol is not None else None
    return symbol
