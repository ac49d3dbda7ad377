"""The life of single memories: stored once, read, listed, changed, deleted, cleaned up."""

# Nothing: a search needs little of what is inside, and must start fast.
__all__: list[str] = []
