"""Python: packages are folders with an `__init__.py`; their roots are found, not configured."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from posixpath import dirname
from typing import Final

from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import UNBOUND, External, Namespace, Unbound, Value

__all__ = ["PythonModules"]

_INITS: Final = ("__init__.py", "__init__.pyi")


class PythonModules:
    """The modules of a repository by their dotted names."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._sources = {source.path: source for source in sources}
        self._packages = {
            dirname(path) for path in self._sources if path.rpartition("/")[2] in _INITS
        }
        self._by_name: dict[str, list[Source]] = {}
        self._names: dict[str, str] = {}
        self._folders: set[str] = set()
        for source in self._sources.values():
            self._add(source)

    def locate(self, at: Symbol, module: str) -> Value:
        """Return the module, the folder of modules, or what is outside."""
        source = at.source
        if module.startswith("."):
            return self._relative(source, module)
        found = self._by_name.get(module)
        if found and not _is_hidden(source, found, module):
            return _nearest(source.path, found).module
        if module in self._folders and module not in sys.stdlib_module_names:
            return Namespace("python", module)
        return External(module)

    def within(self, holder: Symbol | Namespace, name: str) -> Value | Unbound:
        """Return a submodule."""
        if isinstance(holder, Namespace):
            dotted, near = holder.dotted, ""
        else:
            if holder.parent is not None or not holder.source.path.endswith(_INITS):
                return UNBOUND
            dotted, near = self._names[holder.source.path], holder.source.path
        dotted = f"{dotted}.{name}" if dotted else name
        found = self._by_name.get(dotted)
        if found:
            return _nearest(near, found).module
        return Namespace("python", dotted) if dotted in self._folders else UNBOUND

    def beside(self, at: Symbol, name: str) -> Value | Unbound:
        """Nothing is seen without an import."""
        del at, name
        return UNBOUND

    def strays(self, owner: Symbol) -> list[Symbol]:
        """Methods stand in their classes."""
        del owner
        return []

    def files(self, package: Namespace) -> list[str]:
        """A folder without a module of its own has no file."""
        del package
        return []

    def _relative(self, source: Source, module: str) -> Value:
        rest = module.lstrip(".")
        folder = dirname(source.path)
        for _ in range(len(module) - len(rest) - 1):
            folder = dirname(folder)
        base = f"{folder}/" if folder else ""
        inside = rest.replace(".", "/")
        candidates = (
            [f"{base}{inside}.py", f"{base}{inside}.pyi", *_inits(f"{base}{inside}/")]
            if rest
            else _inits(base)
        )
        for path in candidates:
            if path in self._sources:
                return self._sources[path].module
        dotted = f"{base}{inside}".strip("/").replace("/", ".")
        return Namespace("python", dotted) if dotted in self._folders else External(module)

    def _add(self, source: Source) -> None:
        parts = source.path.rpartition(".")[0].split("/")
        if parts[-1] == "__init__":
            parts.pop()
        root = self._root_of(source.path)
        own = parts[root:]
        self._names[source.path] = ".".join(own)
        names = {".".join(own), ".".join(parts)}
        if "src" in parts:
            names.add(".".join(parts[parts.index("src") + 1 :]))
        for name in names - {""}:
            self._by_name.setdefault(name, []).append(source)
            while "." in name:
                name = name.rpartition(".")[0]  # noqa: PLW2901 - the folders above it
                self._folders.add(name)

    def _root_of(self, path: str) -> int:
        folder = dirname(path)
        while folder and folder in self._packages:
            folder = dirname(folder)
        return len(folder.split("/")) if folder else 0


def _is_hidden(source: Source, found: list[Source], module: str) -> bool:
    """Tell whether the standard library has such a module, and none here is beside the file."""
    if module not in sys.stdlib_module_names:
        return False
    folder = dirname(source.path)
    beside = {folder, f"{folder}/{module}".strip("/")}
    return all(dirname(each.path) not in beside for each in found)


def _inits(folder: str) -> list[str]:
    return [folder + name for name in _INITS]


def _nearest(path: str, found: list[Source]) -> Source:
    if len(found) == 1:
        return found[0]
    return min(found, key=lambda source: (-_shared(path, source.path), source.path))


def _shared(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if left != right:
            break
        count += 1
    return count
