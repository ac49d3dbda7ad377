"""Take memories out and bring them back: exports, backups, moves and another model."""

__all__: list[str] = []
