"""The programs that can use the memory: where their settings are and how to change them."""

__all__: list[str] = []
