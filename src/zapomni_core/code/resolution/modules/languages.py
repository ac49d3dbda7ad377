"""Which rules hold for which language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from zapomni_core.code.resolution.modules.c_family import CModules
from zapomni_core.code.resolution.modules.go import GoModules
from zapomni_core.code.resolution.modules.java import JavaModules
from zapomni_core.code.resolution.modules.javascript import JavaScriptModules
from zapomni_core.code.resolution.modules.layout import Layout, Modules
from zapomni_core.code.resolution.modules.named import NAMED_LANGUAGES, NamedModules
from zapomni_core.code.resolution.modules.python import PythonModules
from zapomni_core.code.resolution.modules.rust import RustModules
from zapomni_core.code.resolution.tables import Source

__all__ = ["family_of", "goes_by_paths", "modules_for", "world_of"]

_FAMILIES: Final = {
    **dict.fromkeys(("astro", "svelte", "tsx", "typescript", "vue"), "javascript"),
    **dict.fromkeys(("cpp", "objc"), "c"),
}
_WORLDS: Final = {"jvm": {"groovy", "java", "kotlin", "scala"}, "apple": {"c", "swift"}}
_MAKERS: Final[Mapping[str, Callable[[Iterable[Source], Layout], Modules]]] = {
    "c": lambda sources, _: CModules(sources),
    "go": GoModules,
    "java": lambda sources, _: JavaModules(sources),
    "javascript": JavaScriptModules,
    "python": lambda sources, _: PythonModules(sources),
    "rust": RustModules,
    **{each: lambda sources, _: NamedModules(sources) for each in NAMED_LANGUAGES},
}


def family_of(language: str) -> str:
    """Return the name shared by the languages that are resolved together."""
    return _FAMILIES.get(language, language)


def world_of(language: str | None) -> str:
    """Name the languages whose code can call each other."""
    family = family_of(language or "")
    return next((name for name, some in _WORLDS.items() if family in some), family)


def goes_by_paths(language: str) -> bool:
    """Tell whether modules are found by the paths of files alone, not by what is in them."""
    return family_of(language) in {"python", "javascript"}


def modules_for(sources: Mapping[str, Source], layout: Layout) -> dict[str, Modules]:
    """Return the rules of every language in the repository that has some."""
    families: dict[str, list[Source]] = {}
    languages: dict[str, str] = {}
    for _, source in sorted(sources.items()):
        languages[source.language] = family_of(source.language)
        families.setdefault(languages[source.language], []).append(source)
    made = {
        family: _MAKERS[family](sources, layout)
        for family, sources in families.items()
        if family in _MAKERS
    }
    return {language: made[family] for language, family in languages.items() if family in made}
