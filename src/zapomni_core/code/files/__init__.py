"""Which files of a folder are read, and why the others are not."""
