"""What imports bring, and where the modules are that they come from."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Final

from zapomni_core.code.model import Import
from zapomni_core.code.resolution.memo import Memo
from zapomni_core.code.resolution.modules import NAMED_LANGUAGES, Modules
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import UNBOUND, External, Held, Namespace, Unbound, Value

__all__ = ["ANYWHERE", "Imports"]

# The line of a question that does not come from a line.
ANYWHERE: Final = 1 << 60


class Imports:
    """Follow imports to other files."""

    def __init__(self, modules: Mapping[str, Modules]) -> None:
        self._modules = modules
        self._memo: Memo = Memo()
        self._brought: dict[Symbol, list[Value]] = {}
        self._located: dict[tuple[Symbol, str], Value] = {}

    def forget(self, source: Source) -> None:
        """Forget what was worked out inside of one file."""
        self._memo.forget(source)
        self._brought.clear()
        self._located.clear()

    @abstractmethod
    def chain(self, scope: Symbol, chain: str, line: int) -> Value:
        """Return what a chain stands for at a line of a scope."""

    @abstractmethod
    def attribute(self, value: Value, name: str) -> Value | Unbound:
        """Return what an attribute of something stands for."""

    @abstractmethod
    def held(self, at: Symbol, name: str, line: int = ANYWHERE) -> Value | Unbound:
        """Return what a scope itself binds a name to."""

    def imported(self, at: Symbol, imported: Import) -> Value:
        """Return what an import brings."""
        return self._memo.once(at.source, id(imported), lambda: self._imported(at, imported))

    def module_of(self, at: Symbol, imported: Import) -> Value:
        """Return the file that an import leads to, as its module."""
        modules = self.modules_of(at)
        if modules is None:
            return None
        holder = self._locate(modules, at, imported.module)
        if imported.name and imported.name != "*" and isinstance(holder, Symbol | Namespace):
            inner = modules.within(holder, imported.name)
            if isinstance(inner, Symbol):
                return inner
            if isinstance(holder, Namespace) and holder.language in NAMED_LANGUAGES:
                # One thing that nobody finds is not all files of a package.
                return inner if isinstance(inner, Namespace) else None
        return holder

    def opened(self, found: Value | Unbound | Held) -> Value | Unbound:
        """Return what a variable of another file holds, if that is what was found."""
        return self.held(found.module, found.name) if isinstance(found, Held) else found

    def files_of(self, package: Namespace) -> list[str]:
        """Return the files that make up a package."""
        modules = self._modules.get(package.language)
        return modules.files(package) if modules is not None else []

    def modules_of(self, holder: Symbol | Namespace) -> Modules | None:
        """Return the rules by which the language of a module finds others."""
        if isinstance(holder, Namespace):
            return self._modules.get(holder.language)
        return self._modules.get(holder.source.language)

    def _imported(self, at: Symbol, imported: Import) -> Value:
        modules = self.modules_of(at)
        if modules is None:
            return None
        module, name = imported.module, imported.name
        if not module and name:
            # An export of a name of this very file, maybe under another one.
            return self.chain(at, name, ANYWHERE) if name != imported.alias else None
        if not name:
            # Python's `import a.b` brings a.
            head = module.partition(".")[0] if at.source.language == "python" else module
            return modules.locate(at, head if imported.alias == head else module)
        holder = self._locate(modules, at, module)
        if holder is None or isinstance(holder, External):
            return External(f"{holder.dotted}.{name}") if holder else None
        member = self.attribute(holder, name)
        return None if isinstance(member, Unbound) else member

    def _locate(self, modules: Modules, at: Symbol, module: str) -> Value:
        """Locate a module once, however many names come from it."""
        key = (at, module)
        if key not in self._located:
            self._located[key] = modules.locate(at, module)
        return self._located[key]

    def _starred(self, module: Symbol, name: str) -> Value | Unbound:
        if "*" not in module.imports:
            return UNBOUND
        return self._memo.once_or_unbound(
            module.source,
            (module, name, "*"),
            lambda: next(
                (
                    found
                    for each in self._brought_by(module)
                    if not isinstance(found := self._out_of(module, each, name), Unbound)
                ),
                UNBOUND,
            ),
        )

    def _brought_by(self, module: Symbol) -> list[Value]:
        """Return what a module imports everything from, located once and not for every name.

        In C each name is looked for in all headers, and in those that they include.
        """
        known = self._brought.get(module)
        if known is None:
            modules, stars = self.modules_of(module), module.imports.get("*", ())
            known = [modules.locate(module, each.module) for each in stars] if modules else []
            self._brought[module] = known
        return known

    def _out_of(self, module: Symbol, holder: Value, name: str) -> Value | Unbound:
        if isinstance(holder, Symbol) and holder.is_module:
            return UNBOUND if _is_private(module, holder, name) else self.held(holder, name)
        if isinstance(holder, Namespace | Symbol):
            found = self.attribute(holder, name)
            # What a base outside may have is no reason not to look further.
            return UNBOUND if found is None or isinstance(found, External) else found
        return UNBOUND

    def _first_here(self, found: list[Value]) -> Value:
        known = [each for each in found if each is not None]
        here = [each for each in known if not isinstance(each, External)]
        return next(iter(here or known), None)


def _is_private(module: Symbol, holder: Symbol, name: str) -> bool:
    """Tell whether a module of Rust has a name only for itself and the modules inside of it."""
    if module.source.language != "rust" or name in holder.members:
        return False
    listed = holder.imports.get(name)
    if not listed or any(each.is_export for each in listed):
        return False
    return holder not in module.around() and not _is_below(module, holder)


def _is_below(module: Symbol, holder: Symbol) -> bool:
    folder, _, name = holder.source.path.removesuffix(".rs").rpartition("/")
    inside = folder if name in {"lib", "main", "mod"} else f"{folder}/{name}".strip("/")
    return module.source.path.startswith(f"{inside}/")
