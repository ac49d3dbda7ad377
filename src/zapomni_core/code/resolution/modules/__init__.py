"""Where the imports of each language lead."""

from zapomni_core.code.resolution.modules.languages import (
    family_of,
    goes_by_paths,
    modules_for,
    world_of,
)
from zapomni_core.code.resolution.modules.layout import Aliases, Layout, Modules
from zapomni_core.code.resolution.modules.named import NAMED_LANGUAGES

__all__ = [
    "NAMED_LANGUAGES",
    "Aliases",
    "Layout",
    "Modules",
    "family_of",
    "goes_by_paths",
    "modules_for",
    "world_of",
]
