"""Call the same thing by the same name."""

# Nothing: a search needs little of what is inside, and must start fast.
__all__: list[str] = []
