"""What a language has to say about its modules, and what the configuration says about paths."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from zapomni_core.code.resolution.tables import Symbol
from zapomni_core.code.resolution.values import Held, Namespace, Unbound, Value

__all__ = ["Layout", "Modules"]


@dataclass(slots=True)
class Layout:
    """What the configuration files of the repository say about import paths.

    All keys are folders, empty for the root.
    """

    go_modules: dict[str, str] = field(default_factory=dict)
    node_packages: dict[str, str] = field(default_factory=dict)
    node_entries: dict[str, str] = field(default_factory=dict)
    path_aliases: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    crates: dict[str, str] = field(default_factory=dict)


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
