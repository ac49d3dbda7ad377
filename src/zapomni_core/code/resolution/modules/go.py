"""Go: a package is a folder; its import path is that of the module and the folder in it."""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import dirname

from zapomni_core.code.resolution.modules.layout import Layout
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import UNBOUND, External, Held, Namespace, Unbound, Value

__all__ = ["GoModules"]


class GoModules:
    """The packages of a repository by folder."""

    def __init__(self, sources: Iterable[Source], layout: Layout) -> None:
        self._packages: dict[str, list[Source]] = {}
        for source in sources:
            self._packages.setdefault(dirname(source.path), []).append(source)
        self._layout = layout
        self._strays: dict[str, dict[str, list[Symbol]]] = {}

    def locate(self, at: Symbol, module: str) -> Value:
        """Return the package of an import path."""
        del at
        for folder, name in self._layout.go_modules.items():
            if module == name or module.startswith(f"{name}/"):
                inside = f"{folder}/{module[len(name) + 1 :]}".strip("/")
                if inside in self._packages:
                    return Namespace("go", inside)
        return External(module.replace("/", "."))

    def within(self, holder: Symbol | Namespace, name: str) -> Value | Unbound | Held:
        """Return what any file of a package defines."""
        if isinstance(holder, Symbol):
            return UNBOUND
        return self._in_package(holder.dotted, name, None)

    def beside(self, at: Symbol, name: str) -> Value | Unbound | Held:
        """Return what another file of the same folder defines."""
        return self._in_package(dirname(at.source.path), name, at.source)

    def strays(self, owner: Symbol) -> list[Symbol]:
        """Return the methods of a type that stand in other files of its package."""
        folder = dirname(owner.source.path)
        known = self._strays.get(folder)
        if known is None:
            known = self._strays[folder] = {}
            for source in self._packages.get(folder, ()):
                for symbol in source.symbols:
                    if symbol.definition.kind == "method" and symbol.owner is None:
                        name = symbol.definition.qname.rpartition(".")[0]
                        known.setdefault(name, []).append(symbol)
        return known.get(owner.definition.name, [])

    def files(self, package: Namespace) -> list[str]:
        """Return the files of a folder that others can import."""
        sources = self._packages.get(package.dotted, ())
        return sorted(each.path for each in sources if not each.path.endswith("_test.go"))

    def _in_package(self, folder: str, name: str, asking: Source | None) -> Value | Unbound | Held:
        package = asking.facts.package if asking is not None else ""
        for source in self._packages.get(folder, ()):
            is_test = source.path.endswith("_test.go") and asking is None
            if source is asking or is_test or (package and source.facts.package != package):
                continue
            found = source.module.members.get(name)
            if found is not None:
                return found
            if name in source.module.bindings:
                return Held(source.module, name)
        return UNBOUND
