"""Code intelligence: which symbols a repository defines, who calls whom, and where to look."""

# Nothing: the processes that parse import what is inside, and must start fast.
__all__: list[str] = []
