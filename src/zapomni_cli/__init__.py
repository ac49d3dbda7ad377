"""The command line: the same words as the tools, for people."""

__all__: list[str] = []
