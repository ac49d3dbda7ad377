"""What a language has to say about its modules, and what the configuration says about paths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from posixpath import dirname
from typing import Protocol

from zapomni_core.code.resolution.tables import Symbol
from zapomni_core.code.resolution.values import Held, Namespace, Unbound, Value

__all__ = ["Aliases", "Layout", "Modules"]

# Patterns of imports, each with the path that it stands for; `*` is the same in both.
type Aliases = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Layout:
    """What the configuration files of the repository say about import paths.

    All keys are folders, empty for the root.
    """

    go_modules: dict[str, str] = field(default_factory=dict)
    node_packages: dict[str, str] = field(default_factory=dict)
    node_entries: dict[str, str] = field(default_factory=dict)
    node_imports: dict[str, Aliases] = field(default_factory=dict)
    path_aliases: dict[str, Aliases] = field(default_factory=dict)
    crates: dict[str, str] = field(default_factory=dict)

    def aliased(self, path: str, module: str) -> Iterator[str]:
        """Yield the paths that a module imported in a file may be another name for."""
        if not (self.node_imports or self.path_aliases):
            return
        folder = dirname(path)
        while True:
            for known in (self.node_imports, self.path_aliases):
                yield from _meant(known.get(folder, ()), module)
            if not folder:
                return
            folder = dirname(folder)


def _meant(aliases: Aliases, module: str) -> Iterator[str]:
    for pattern, target in aliases:
        front, star, back = pattern.partition("*")
        if module == pattern or (star and module.startswith(front) and module.endswith(back)):
            middle = module[len(front) : len(module) - len(back)] if star else ""
            yield target.replace("*", middle)


class Modules(Protocol):
    """How one language finds modules among the files of the repository."""

    def locate(self, at: Symbol, module: str) -> Value:
        """Return what a module written in an import of a scope stands for."""
        ...

    def within(self, holder: Symbol | Namespace, name: str) -> Value | Unbound | Held:
        """Return what a module or package holds in other files than its own."""
        ...

    def beside(self, at: Symbol, name: str) -> Value | Unbound | Held:
        """Return what a scope sees without an import, because it is in the same package."""
        ...

    def strays(self, owner: Symbol) -> list[Symbol]:
        """Return the methods of a type that stand in other files than the type."""
        ...

    def files(self, package: Namespace) -> list[str]:
        """Return the files that make up a package."""
        ...
