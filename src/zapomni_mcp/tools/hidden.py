"""How an answer tells that secrets were not stored."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["hidden_line"]


def hidden_line(secrets: Mapping[str, int]) -> str:
    """Tell which secrets were hidden, in a line of its own; nothing if there were none."""
    if not secrets:
        return ""
    kinds = ", ".join(f"{kind} ({count})" for kind, count in sorted(secrets.items()))
    return f"\nSecrets hidden: {kinds}. Only [redacted: …] was stored in their place."
