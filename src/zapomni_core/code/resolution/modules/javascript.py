"""JavaScript and TypeScript: modules are files, found by relative paths, aliases and packages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from posixpath import dirname, join, normpath
from typing import Final

from zapomni_core.code.model import OF_OBJECT
from zapomni_core.code.resolution.chains import WHOLE
from zapomni_core.code.resolution.modules.layout import Layout
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import (
    UNBOUND,
    External,
    Instance,
    Made,
    Namespace,
    Unbound,
    Value,
)

__all__ = ["JavaScriptModules"]

_ENDINGS: Final = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts")
# Between the path of a file and the name of an object in it.
_OBJECT: Final = "#"
_COMPILED: Final = (".js", ".jsx", ".mjs", ".cjs")


class JavaScriptModules:
    """The files of a repository by the paths under which they are imported."""

    def __init__(self, sources: Iterable[Source], layout: Layout) -> None:
        self._sources = {source.path: source for source in sources}
        self._layout = layout
        self._folders = {name: folder for folder, name in sorted(layout.node_packages.items())}

    def locate(self, at: Symbol, module: str) -> Value:
        """Return the file that an import names, or what is outside."""
        for path in self._candidates(at.source, module):
            found = self._file(path)
            if found is not None:
                return found.module
        return External(module.replace("/", "."))

    def within(self, holder: Symbol | Namespace, name: str) -> Value | Unbound:
        """The default export of a file may be the whole of what it exports, or an object."""
        if isinstance(holder, Namespace):
            return self._in_object(holder, name)
        if name == WHOLE:
            return holder
        return holder.properties.get(name) or _object(holder.source, name)

    def beside(self, at: Symbol, name: str) -> Value | Unbound:
        """Nothing is seen without an import but objects of the file, and the one around."""
        if name != "this":
            return _object(at.source, name)
        owners = (each.definition.qname.rpartition(".")[0] for each in at.around())
        found = (_object(at.source, owner) for owner in owners if owner)
        return next((each for each in found if each is not UNBOUND), _own_object(at))

    def _in_object(self, holder: Namespace, name: str) -> Value | Unbound:
        path, _, owner = holder.dotted.partition(_OBJECT)
        source = self._sources.get(path)
        functions = source.strays(owner) if source is not None else []
        return next((each for each in functions if each.definition.name == name), UNBOUND)

    def strays(self, owner: Symbol) -> list[Symbol]:
        """Methods stand in their classes."""
        del owner
        return []

    def files(self, package: Namespace) -> list[str]:
        """There are no packages of several files."""
        del package
        return []

    def _candidates(self, source: Source, module: str) -> Iterator[str]:
        if module.startswith("."):
            yield _plain(join(dirname(source.path), module))
            return
        yield from map(_plain, self._layout.aliased(source.path, module))
        name, folder = self._package(module)
        if folder is not None:
            rest = module[len(name) :].strip("/")
            if rest:
                yield from (_plain(join(folder, rest)), _plain(join(folder, "src", rest)))
            else:
                entry = self._layout.node_entries.get(folder, "")
                yield from (
                    _plain(join(folder, each)) for each in (entry, "src", "src/main", "lib")
                )

    def _package(self, module: str) -> tuple[str, str | None]:
        parts = module.split("/")
        name = "/".join(parts[: 2 if module.startswith("@") else 1])
        return name, self._folders.get(name)

    def _file(self, path: str) -> Source | None:
        stems = [path, *(path.removesuffix(each) for each in _COMPILED if path.endswith(each))]
        for stem in stems:
            index = f"{stem}/index" if stem else "index"
            for candidate in (stem, *(stem + each for each in _ENDINGS)):
                if candidate in self._sources:
                    return self._sources[candidate]
            for ending in _ENDINGS:
                if index + ending in self._sources:
                    return self._sources[index + ending]
        return None


def _object(source: Source, name: str) -> Value | Unbound:
    """Return an object that is written with functions in it: `const api = { get() {} }`."""
    if not source.strays(name):
        return UNBOUND
    return Namespace(source.language, f"{source.path}{_OBJECT}{name}")


def _own_object(at: Symbol) -> Value | Unbound:
    """Return the object that a function is a property of, or makes: `F.prototype.f = ...`."""
    for each in at.around():
        if OF_OBJECT in each.definition.decorators and each.parent is not None:
            return Made(each.parent)
        if any(member.owner is each for member in each.members.values()):
            return Instance(each)
    return UNBOUND


def _plain(path: str) -> str:
    plain = normpath(path)
    return "" if plain == "." else plain
