"""Look at the program itself: interpreter, versions, what may be added."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from zapomni_cli.doctor.findings import Finding, ok, problem, warning

if TYPE_CHECKING:
    from zapomni_core import Settings

__all__ = ["check_extras", "check_interpreter", "check_versions"]

_OLDEST = (3, 12)
_SHOWN = ("mcp", "redis", "onnxruntime", "pydantic")
_DOCUMENTS = ("charset_normalizer", "lxml", "pypdfium2")


def check_interpreter() -> Finding:
    """Look at the Python that runs this."""
    found = f"Python {platform.python_version()} at {sys.executable}"
    if sys.version_info < _OLDEST:
        wanted = ".".join(map(str, _OLDEST))
        return problem("interpreter", f"{found} is too old; {wanted} is needed.")
    elsewhere = shutil.which("zapomni")
    own = Path(sys.executable).with_name("zapomni")
    if elsewhere and own.exists() and not own.samefile(elsewhere):
        message = f"{found}, but `zapomni` on the PATH is another one: {elsewhere}."
        return warning("interpreter", message, f"put {own.parent} first on the PATH")
    return ok("interpreter", f"{found}.")


def check_versions() -> Finding:
    """Name the versions that a report of a bug needs."""
    parts = ", ".join(f"{name} {version(name)}" for name in _SHOWN)
    return ok("versions", f"zapomni {version('zapomni')} with {parts} on {platform.platform()}.")


def check_extras(settings: Settings) -> Iterator[Finding]:
    """Look for what can be installed besides."""
    missing = [name for name in _DOCUMENTS if find_spec(name) is None]
    if missing:
        message = f"PDF, Word and web pages cannot be read: {', '.join(missing)} not installed."
        yield warning("documents", message, "pip install 'zapomni[documents]'")
    else:
        yield ok("documents", "PDF, Word, EPUB and web pages can be read.")
    if settings.entity_extractor == "spacy" and find_spec("spacy") is None:
        message = "ZAPOMNI_ENTITY_EXTRACTOR=spacy, but spaCy is not installed."
        yield problem("spacy", message, "pip install 'zapomni[spacy]'")
