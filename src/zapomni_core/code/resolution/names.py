"""Names: what a scope, the scopes around it and the imports of its file bind them to."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import partial
from typing import Final

from zapomni_core.code.model import Binding, Import
from zapomni_core.code.resolution.annotations import Annotation, read_annotation
from zapomni_core.code.resolution.builtin_names import is_builtin
from zapomni_core.code.resolution.memo import Memo
from zapomni_core.code.resolution.modules import Modules
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import (
    UNBOUND,
    External,
    Instance,
    Namespace,
    Unbound,
    Value,
)

__all__ = ["ANYWHERE", "Names"]

ANYWHERE: Final = 1 << 60
# Languages where the body of a method sees the other members of its class by their bare names.
_IMPLICIT_THIS: Final = frozenset({"java", "csharp", "kotlin", "scala", "swift", "cpp", "dart"})
_SELVES: Final = frozenset({"self", "this", "Self"})
_OF_THE_CLASS: Final = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
_STAR_DEPTH: Final = 8


class Names:
    """Look names up."""

    def __init__(self, modules: Mapping[str, Modules]) -> None:
        self._modules = modules
        self._memo: Memo = Memo()

    @abstractmethod
    def chain(self, scope: Symbol, chain: str, line: int) -> Value:
        """Return what a chain stands for at a line of a scope."""

    @abstractmethod
    def attribute(self, value: Value, name: str) -> Value | Unbound:
        """Return what an attribute of something stands for."""

    @abstractmethod
    def taken(self, value: Value, how: str) -> Value:
        """Return what a name holds that takes the items of something, or enters it."""

    def named(self, scope: Symbol, name: str, line: int) -> Value | Unbound:
        """Return what a name stands for at a line of a scope."""
        language = scope.source.language
        for at in scope.around():
            if at.is_class and at is not scope and language not in _IMPLICIT_THIS:
                continue
            found = self.held(at, name, line if at is scope else ANYWHERE)
            if not isinstance(found, Unbound):
                return found
        if name in _SELVES and language != "python":
            owner = scope.enclosing_class()
            if owner is not None:
                return owner if name == "Self" else Instance(owner)
        return self._beyond(scope, name)

    def held(self, at: Symbol, name: str, line: int = ANYWHERE) -> Value | Unbound:
        """Return what a scope itself binds a name to."""
        if at.is_class:
            return self._in_class(at, name)
        member = at.members.get(name)
        if member is not None:
            return member
        bindings = at.bindings.get(name)
        before = [each for each in bindings if each.line <= line] if bindings else None
        if before and (at.parent is not None or name not in at.imports):
            return self._latest(at, before) if line != ANYWHERE else self.any_of(at, before)
        parameter = self._parameter(at, name)
        if not isinstance(parameter, Unbound):
            return parameter
        imports = at.imports.get(name)
        if imports is not None:
            return self._first_here([self.imported(at, each) for each in imports])
        if bindings:
            return self.any_of(at, bindings)
        return self._starred(at, name) if at.parent is None else UNBOUND

    def imported(self, at: Symbol, imported: Import) -> Value:
        """Return what an import brings."""
        return self._memo.once(id(imported), lambda: self._imported(at, imported))

    def any_of(self, at: Symbol, bindings: list[Binding]) -> Value:
        """Return the declared type of a name, or else the first value that is known."""
        for each in bindings:
            if each.how == "type":
                return self._bound(at, each)
        return next((v for each in bindings if (v := self._bound(at, each)) is not None), None)

    def typed(self, scope: Symbol, text: str, owner: Symbol | None = None) -> Value:
        """Return an object of a type as it is written in a scope."""
        found: list[Value] = []
        for each in read_annotation(text):
            value = self._annotated(scope, each, owner)
            if value not in found:
                found.append(value)
        if len(found) == 1:
            return found[0]
        here = [each for each in found if isinstance(each, Symbol) or _is_here(each)]
        return here[0] if len(here) == 1 else None

    def module_of(self, source: Source, imported: Import) -> Value:
        """Return the file that an import leads to, as its module."""
        modules = self._modules.get(source.language)
        if modules is None:
            return None
        holder = modules.locate(source, imported.module)
        if imported.name and imported.name != "*" and isinstance(holder, Symbol | Namespace):
            inner = modules.within(holder, imported.name)
            if isinstance(inner, Symbol):
                return inner
        return holder

    def files_of(self, package: Namespace) -> list[str]:
        """Return the files that make up a package."""
        modules = self._modules.get(package.language)
        return modules.files(package) if modules is not None else []

    def modules_of(self, holder: Symbol | Namespace) -> Modules | None:
        """Return the rules by which the language of a module finds others."""
        if isinstance(holder, Namespace):
            return self._modules.get(holder.language)
        return self._modules.get(holder.source.language)

    def _in_class(self, at: Symbol, name: str) -> Value | Unbound:
        if at.source.language in _IMPLICIT_THIS:
            return self.attribute(Instance(at), name)
        if name in at.members:
            return at.members[name]
        bindings = at.bindings.get(name)
        return self.any_of(at, bindings) if bindings else UNBOUND

    def _latest(self, at: Symbol, before: list[Binding]) -> Value:
        for each in reversed(before):
            if each.how == "type":
                return self._bound(at, each)
        line = before[-1].line
        return self.any_of(at, [each for each in before if each.line == line])

    def _bound(self, at: Symbol, binding: Binding) -> Value:
        scope = at.source.scope(binding.scope)
        if binding.how == "type":
            return self._memo.once(id(binding), lambda: self.typed(scope, binding.value))
        return self._memo.once(
            id(binding),
            lambda: self.taken(self._before(scope, binding), binding.how),
        )

    def _before(self, scope: Symbol, binding: Binding) -> Value:
        # `x = x.child` reads the x of before.
        head = binding.value.partition(".")[0].partition("(")[0]
        line = binding.line - 1 if head == binding.target else binding.line
        return self.chain(scope, binding.value, line)

    def _parameter(self, at: Symbol, name: str) -> Value | Unbound:
        for index, (parameter, kind) in enumerate(at.definition.parameters):
            if parameter.lstrip("*&.") != name:
                continue
            if kind:
                return self._memo.once((at, name), partial(self.typed, at, kind))
            if index == 0 and at.owner is not None:
                return _receiver(at, at.owner)
            return None
        return UNBOUND

    def _beyond(self, scope: Symbol, name: str) -> Value | Unbound:
        source = scope.source
        modules = self._modules.get(source.language)
        if modules is not None:
            found = modules.beside(source, name)
            if not isinstance(found, Unbound):
                return found
        return External(name) if is_builtin(source.language, name) else UNBOUND

    def _imported(self, at: Symbol, imported: Import) -> Value:
        modules = self._modules.get(at.source.language)
        if modules is None:
            return None
        module, name = imported.module, imported.name
        if not module and name:
            # An export of a name of this very file, maybe under another one.
            return self.chain(at, name, ANYWHERE) if name != imported.alias else None
        if not name:
            head = module.partition(".")[0]
            return modules.locate(at.source, head if imported.alias == head else module)
        holder = modules.locate(at.source, module)
        if holder is None or isinstance(holder, External):
            return External(f"{holder.dotted}.{name}") if holder else None
        member = self.attribute(holder, name)
        return None if isinstance(member, Unbound) else member

    def _starred(self, module: Symbol, name: str) -> Value | Unbound:
        return self._memo.once_or_unbound(
            (module, name, "*"),
            lambda: next(
                (
                    found
                    for each in module.imports.get("*", ())
                    if not isinstance(found := self._out_of(module, each, name), Unbound)
                ),
                UNBOUND,
            ),
        )

    def _out_of(self, module: Symbol, imported: Import, name: str) -> Value | Unbound:
        modules = self._modules.get(module.source.language)
        holder = modules.locate(module.source, imported.module) if modules else None
        if isinstance(holder, Symbol) and holder.is_module:
            return self.held(holder, name)
        if isinstance(holder, Namespace | Symbol):
            return self.attribute(holder, name)
        return UNBOUND

    def _first_here(self, found: list[Value]) -> Value:
        known = [each for each in found if each is not None]
        here = [each for each in known if not isinstance(each, External)]
        return next(iter(here or known), None)

    def _annotated(self, scope: Symbol, kind: Annotation, owner: Symbol | None) -> Value:
        last = kind.name.rpartition(".")[2]
        if last == "Self":
            owner = owner or scope.enclosing_class()
            return Instance(owner) if owner is not None else None
        arguments = tuple(self._annotated(scope, each, owner) for each in kind.arguments)
        if last in {"type", "Type"} and arguments:
            return arguments[0].of if isinstance(arguments[0], Instance) else None
        if not kind.name:
            return None
        found = self.chain(scope, kind.name, ANYWHERE)
        if isinstance(found, Symbol) and found.is_class:
            return Instance(found, arguments)
        if isinstance(found, External):
            return Instance(found, arguments)
        if found is None and kind.name in {"list", "tuple", "map"}:
            return Instance(External(kind.name), arguments)
        return None


def _receiver(method: Symbol, owner: Symbol) -> Value:
    decorators = method.definition.decorators
    if "staticmethod" in decorators:
        return None
    if "classmethod" in decorators or method.definition.name in _OF_THE_CLASS:
        return owner
    return Instance(owner)


def _is_here(value: Value) -> bool:
    return isinstance(value, Instance) and isinstance(value.of, Symbol)
