"""Read what people already have: exports and session files of other programs."""

from __future__ import annotations

from zapomni_core.importing.detection import detect
from zapomni_core.importing.finding import found_on_this_machine
from zapomni_core.importing.models import (
    Extra,
    Found,
    ImportedItem,
    ImportedMemory,
    ImportKind,
    Skipped,
)
from zapomni_core.importing.reading import read_export

__all__ = [
    "Extra",
    "Found",
    "ImportKind",
    "ImportedItem",
    "ImportedMemory",
    "Skipped",
    "detect",
    "found_on_this_machine",
    "read_export",
]
