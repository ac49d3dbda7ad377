"""What is known of long work, whichever process does it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import orjson

from zapomni_db.connection import Connection

__all__ = ["JobRecord", "JobRecords"]


@dataclass(frozen=True, slots=True)
class JobRecord:
    """A job: what it was asked to do, how far it is, and when it last gave a sign of life."""

    id: str
    kind: str
    arguments_json: str
    state: str
    done: int
    total: int
    error: str
    failures: tuple[str, ...]
    failed: int
    owner: str
    started_ms: int
    seen_ms: int


class JobRecords:
    """The jobs of a workspace, in a hash; a set names those that somebody wants to end."""

    def __init__(self, connection: Connection, key: str) -> None:
        self._connection = connection
        self._key = key
        self._unwanted = f"{key}:unwanted"

    async def note(self, job: JobRecord) -> bool:
        """Write down how a job is doing, and tell whether somebody wants it to end."""
        _, is_unwanted = await self._connection.pipeline(
            [
                ("HSET", self._key, job.id, orjson.dumps(asdict(job))),
                ("SISMEMBER", self._unwanted, job.id),
            ]
        )
        return bool(is_unwanted)

    async def get(self, job_id: str) -> JobRecord | None:
        """Read one job."""
        found = await self._connection.execute("HGET", self._key, job_id)
        return None if found is None else _record(found)

    async def all(self) -> list[JobRecord]:
        """Read the jobs, oldest first."""
        found = await self._connection.execute("HVALS", self._key)
        return sorted(map(_record, found), key=lambda job: (job.started_ms, job.id))

    async def end(self, job_id: str) -> None:
        """Ask the process that does a job to give it up."""
        await self._connection.execute("SADD", self._unwanted, job_id)

    async def welcome(self, job_id: str) -> None:
        """Take back that a job shall end."""
        await self._connection.execute("SREM", self._unwanted, job_id)

    async def forget(self, job_ids: Iterable[str]) -> None:
        """Remove jobs."""
        ids = list(job_ids)
        if ids:
            await self._connection.pipeline(
                [("HDEL", self._key, *ids), ("SREM", self._unwanted, *ids)]
            )


def _record(data: bytes) -> JobRecord:
    known = orjson.loads(data)
    return JobRecord(**{**known, "failures": tuple(known["failures"])})
