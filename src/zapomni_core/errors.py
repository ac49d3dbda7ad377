"""What the engine tells its callers. Every message is written for the person who reads it.

ZapomniError
├─ ValidationError       the caller can fix the input; names the field
├─ ConfigurationError    a setting, the data folder or the store's model is wrong
├─ ProcessingError       the engine failed inside
│  ├─ EmbedderUnavailable  the embedding service is down or lacks the model
│  └─ LanguageModelUnavailable  the service of the language model is down or lacks the model
└─ DatabaseError         the database does not answer; a retry may help
"""

from __future__ import annotations

__all__ = [
    "ConfigurationError",
    "DatabaseError",
    "EmbedderUnavailable",
    "LanguageModelUnavailable",
    "ProcessingError",
    "ValidationError",
    "ZapomniError",
]


class ZapomniError(Exception):
    """Something that the user should be told, in words meant for the user."""


class ValidationError(ZapomniError):
    """An argument breaks a rule."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field} {problem}")
        self.field = field


class ConfigurationError(ZapomniError):
    """The engine cannot work with these settings."""


class ProcessingError(ZapomniError):
    """The engine failed while it worked on a valid request."""


class EmbedderUnavailable(ProcessingError):
    """The embedding service does not serve the configured model."""


class LanguageModelUnavailable(ProcessingError):
    """The language model that reads facts does not answer."""


class DatabaseError(ZapomniError):
    """The database does not answer."""
