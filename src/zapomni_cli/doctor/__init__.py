"""`zapomni doctor`: look at everything that can be wrong, change nothing."""

__all__: list[str] = []
