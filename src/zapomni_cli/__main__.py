"""Run a command: `python -m zapomni_cli`."""

from __future__ import annotations

from zapomni_cli.commands import zapomni

__all__ = ["main"]


def main() -> None:
    """Read the command line and do what it says."""
    zapomni(prog_name="zapomni")


if __name__ == "__main__":
    main()
