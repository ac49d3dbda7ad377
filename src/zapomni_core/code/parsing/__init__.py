"""Reading definitions, calls, imports and bindings out of source text."""
