"""How often the right memory is found, on public question sets."""
