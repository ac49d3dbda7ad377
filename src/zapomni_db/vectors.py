"""The vector set of a workspace: approximate search beside the exact vectors on the nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zapomni_db.connection import Command, Connection
from zapomni_db.cypher import Vector
from zapomni_db.records import Neighbour

__all__ = ["Vectors"]

# Quantised to 8 bits with these, recall@10 is 0.987-0.992 at 50,000 vectors (384 dimensions).
_BUILD_EFFORT = 100
_SEARCH_EFFORT = 200


class Vectors:
    """Commands on one model's vector set."""

    def __init__(self, connection: Connection, key: str) -> None:
        self._connection = connection
        self._key = key

    @property
    def key(self) -> str:
        """The key of the set."""
        return self._key

    @staticmethod
    async def are_known(connection: Connection) -> bool:
        """Tell whether the server has vector sets; older ones and some hosted ones do not."""
        # The driver (8.1) cannot read COMMAND INFO's answer about a command that does not exist.
        return bool(await connection.execute("COMMAND LIST", "FILTERBY", "PATTERN", "vsim"))

    def add(self, chunk_id: str, vector: Vector) -> Command:
        """Build the insertion or update of a chunk's vector."""
        blob = np.ascontiguousarray(vector, dtype="<f4").tobytes()
        return ("VADD", self._key, "FP32", blob, chunk_id, "Q8", "EF", _BUILD_EFFORT)

    def remove(self, chunk_id: str) -> Command:
        """Build the removal of a chunk's vector."""
        return ("VREM", self._key, chunk_id)

    def nearest(self, query: Vector, count: int) -> Command:
        """Build an approximate search for the nearest chunks."""
        blob = np.ascontiguousarray(query, dtype="<f4").tobytes()
        effort = max(_SEARCH_EFFORT, count)
        # Starting a thread takes a third of a short search; on a server others would wait for it.
        is_short = effort == _SEARCH_EFFORT and self._connection.mode == "embedded"
        thread = ("NOTHREAD",) if is_short else ()
        asked = ("COUNT", count, "EF", effort, "WITHSCORES", *thread)
        return ("VSIM", self._key, "FP32", blob, *asked)

    @staticmethod
    def similarities(reply: Sequence[bytes]) -> dict[str, float]:
        """Read the reply to `nearest`; the database scores (1 + cosine) / 2."""
        pairs = zip(reply[::2], reply[1::2], strict=True)
        return {member.decode(): 2.0 * float(score) - 1.0 for member, score in pairs}

    @staticmethod
    def parse(reply: Sequence[bytes]) -> list[Neighbour]:
        """Read the reply to `nearest`, the nearest first."""
        return [Neighbour(*pair) for pair in Vectors.similarities(reply).items()]

    def counting(self) -> Command:
        """Build the question how many vectors there are."""
        return ("VCARD", self._key)

    async def count(self) -> int:
        """Count the vectors."""
        return int(await self._connection.execute(*self.counting()))

    async def missing(self, chunk_ids: Sequence[str]) -> set[str]:
        """Tell which of these chunks have no vector."""
        commands: list[Command] = [("VISMEMBER", self._key, chunk_id) for chunk_id in chunk_ids]
        present = await self._connection.pipeline(commands)
        return {chunk_id for chunk_id, found in zip(chunk_ids, present, strict=True) if not found}

    async def members(self, after: str, count: int) -> list[str]:
        """List members in order, starting behind one of them."""
        start = f"({after}" if after else "-"
        reply = await self._connection.execute("VRANGE", self._key, start, "+", count)
        return [member.decode() for member in reply]
