"""Processes for work that may hang or crash: one side asks, the other serves."""

# Nothing: the processes that serve import what is inside, and must start fast.
__all__: list[str] = []
