"""What others say about the same source: compilers, ctags and the calls that really happen."""
