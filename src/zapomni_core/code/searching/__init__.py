"""Search over the symbols of a repository: its terms, its texts to embed, and their ranking."""
