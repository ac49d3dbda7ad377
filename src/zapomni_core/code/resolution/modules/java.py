"""Java: a class is found by its package, whatever folder its file is in."""

from __future__ import annotations

from collections.abc import Iterable

from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import UNBOUND, External, Namespace, Unbound, Value

__all__ = ["JavaModules"]


class JavaModules:
    """The classes of a repository by package."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._packages: dict[str, list[Source]] = {}
        for source in sources:
            self._packages.setdefault(source.facts.package, []).append(source)

    def locate(self, at: Symbol, module: str) -> Value:
        """Return a package, or the class if the last part names one."""
        del at
        if module in self._packages:
            return Namespace("java", module)
        front, _, name = module.rpartition(".")
        found = self._in_package(front, name)
        if isinstance(found, Unbound):
            outer, _, middle = front.rpartition(".")
            around = self._in_package(outer, middle)
            found = around.members.get(name, UNBOUND) if isinstance(around, Symbol) else UNBOUND
        return External(module) if isinstance(found, Unbound) else found

    def within(self, holder: Symbol | Namespace, name: str) -> Value | Unbound:
        """Return a class of a package."""
        return UNBOUND if isinstance(holder, Symbol) else self._in_package(holder.dotted, name)

    def beside(self, at: Symbol, name: str) -> Value | Unbound:
        """Return a class of the same package."""
        return self._in_package(at.source.facts.package, name)

    def strays(self, owner: Symbol) -> list[Symbol]:
        """Methods stand in their classes."""
        del owner
        return []

    def files(self, package: Namespace) -> list[str]:
        """Return the files of a package."""
        return sorted(each.path for each in self._packages.get(package.dotted, ()))

    def _in_package(self, package: str, name: str) -> Symbol | Unbound:
        for source in self._packages.get(package, ()):
            found = source.module.members.get(name)
            if found is not None:
                return found
        return UNBOUND
