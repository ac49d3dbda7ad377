"""Functions of Kotlin that are called on a type as if they were its methods."""

from __future__ import annotations

from collections.abc import Collection

from zapomni_core.code.model import THIS, Call
from zapomni_core.code.resolution.directory import Directory
from zapomni_core.code.resolution.evaluation import Evaluation
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import Instance, Value

__all__ = ["Extensions"]


class Extensions:
    """Find the extensions that are seen in one file."""

    def __init__(self, source: Source, evaluation: Evaluation, directory: Directory) -> None:
        self._source = source
        self._evaluation = evaluation
        self._directory = directory

    def named(self, name: str, beside: Collection[Symbol] = ()) -> list[Symbol]:
        """Return those of a name, one for each that has overloads, beside what is known."""
        found = self._directory.functions(self._source.language, name)
        return [each for each in found if each not in beside and self._is_seen(each)]

    def on(self, receiver: Value, call: Call) -> list[Symbol]:
        """Return the function that a call on an object means, with its overloads."""
        if self._source.language != "kotlin" or not isinstance(receiver, Instance):
            return []
        inside = self._source.scope(call.scope).enclosing_class()
        own = inside.members.get(call.name) if inside is not None else None
        places = [own] if own is not None else self.named(call.name)
        found = [
            each
            for place in places
            for each in place.overloads or [place]
            if self._extends(each, receiver)
        ]
        # Which of several files is meant is up to how it is built.
        return found if len({each.source.path for each in found}) == 1 else []

    def _is_seen(self, function: Symbol) -> bool:
        """Tell whether it is an extension of the same package, or one that is imported."""
        if function.is_class or all(
            each.parameters[:1] != (THIS,) for each in function.overloads or [function]
        ):
            return False
        package, name = function.source.facts.package, function.definition.name
        return package == self._source.facts.package or any(
            each.module == package and each.name in {name, "*"}
            for each in self._source.facts.imports
        )

    def _extends(self, function: Symbol, receiver: Instance) -> bool:
        if function.parameters[:1] != (THIS,):
            return False
        kind = function.definition.parameters[0][1]
        extended = self._evaluation.typed(function.parent or function, kind)
        if not isinstance(extended, Instance):
            return False
        of = receiver.of
        above = self._evaluation.hierarchy.order(of) if isinstance(of, Symbol) else (of,)
        return extended.of in above
