"""The libraries that read some kinds of documents, loaded when one of that kind comes."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from zapomni_core.errors import ConfigurationError

__all__ = ["charset_normalizer", "etree", "pdfium"]


def charset_normalizer() -> Any:
    """Return the library that guesses encodings."""
    return _loaded("charset_normalizer", "charset-normalizer", "text that is not UTF-8")


def etree() -> Any:
    """Return the library that reads HTML and XML."""
    return _loaded("lxml.etree", "lxml", "HTML, DOCX and EPUB files")


def pdfium() -> Any:
    """Return the library that reads PDF."""
    return _loaded("pypdfium2", "pypdfium2", "PDF files")


def _loaded(module: str, package: str, what: str) -> Any:
    try:
        return import_module(module)
    except ImportError as exc:
        raise ConfigurationError(
            f"Reading {what} needs {package}; run `pip install 'zapomni[documents]'`."
        ) from exc
