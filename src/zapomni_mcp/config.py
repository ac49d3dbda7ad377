"""The settings, under the name that the specification gives them."""

from __future__ import annotations

from zapomni_core import Settings

__all__ = ["Settings"]
