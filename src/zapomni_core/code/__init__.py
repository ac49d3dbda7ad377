"""Code intelligence: which symbols a repository defines, who calls whom, and where to look."""
