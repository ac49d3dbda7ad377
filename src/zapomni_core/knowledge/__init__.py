"""Knowledge in texts: names, facts, and when they hold."""

# Nothing: a search needs little of what is inside, and must start fast.
__all__: list[str] = []
