"""The command line of the benchmark."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from benchmarks.recall.access import Via
from benchmarks.recall.sets import DATA, SETS, SHAPES, Shape
from zapomni_core import load_settings

__all__ = ["Options", "parse_options"]


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for."""

    sets: tuple[str, ...]
    data: Path
    shape: Shape
    via: Via
    legs: bool
    ablations: bool
    folds: bool
    abstention: bool
    save: bool
    fresh: bool
    graph: bool


def parse_options(description: str | None) -> Options:
    """Read the command line; end with a message if it makes no sense."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recall",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("sets", nargs="*", default=SETS, help=f"of {', '.join(SETS)}; all if none is named")
    add("--data", type=Path, default=DATA, help="folder of the sets")
    add(
        "--shape",
        choices=SHAPES,
        default="metadata",
        help="how a turn is stored: speaker in the "
        "text and date and session in the metadata; everything in the text; or plain text and "
        "everything in the metadata",
    )
    add(
        "--via",
        choices=("engine", "mcp"),
        default="engine",
        help="the engine in this process, or the tools of a server over stdio",
    )
    add("--legs", action="store_true", help="also vectors alone, words alone, and just the two")
    add("--ablations", action="store_true", help="also everything minus each ingredient")
    add("--folds", action="store_true", help="the gain over the simple hybrid, group by group")
    add("--abstention", action="store_true", help="whether the unanswerable is recognized")
    add(
        "--graph", action="store_true", help="with a knowledge graph, which takes minutes to build"
    )
    add("--fresh", action="store_true", help="forget the kept stores (not the embeddings)")
    add(
        "--no-save",
        dest="save",
        action="store_false",
        help="keep the previous run to compare with",
    )
    given = parser.parse_args()
    if given.via == "mcp" and (given.legs or given.ablations or given.folds or given.abstention):
        parser.error("over MCP there are only the measures")
    settings = load_settings()
    if settings.falkordb_host is not None or settings.falkordb_url is not None:
        parser.error("unset FALKORDB_HOST and FALKORDB_URL: the sets would go into that database")
    return Options(**vars(given) | {"sets": tuple(given.sets)})
