"""The repositories of a workspace that have a code index."""

from __future__ import annotations

import uuid
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, replace

import orjson

from zapomni_db.code.index import CodeIndex
from zapomni_db.code.records import RepositoryRecord
from zapomni_db.code.schema import LAYOUT, create_indexes
from zapomni_db.code.words import WordLog
from zapomni_db.connection import Command, Connection
from zapomni_db.graph import Graph
from zapomni_db.keyspace import Keyspace
from zapomni_db.log import log_left_alone
from zapomni_db.vectors import Vectors

__all__ = ["CodeStore"]


class CodeStore:
    """Code indexes: one graph for each repository, none of them the graph of memories."""

    def __init__(self, connection: Connection, keyspace: Keyspace) -> None:
        self.has_vector_sets = True
        self.model_id = ""
        self._connection = connection
        self._keyspace = keyspace
        self._key = keyspace.code_repositories

    async def repositories(self) -> list[RepositoryRecord]:
        """List every repository, by name."""
        found = await self._connection.execute("HVALS", self._key)
        known = [one for one in map(_repository, found) if one.schema_version == LAYOUT]
        return sorted(known, key=lambda one: (one.name, one.id))

    async def repository(self, repository_id: str) -> RepositoryRecord | None:
        """Fetch what is known of a repository, None if it has no index."""
        self._keyspace.code(repository_id)
        found = await self._connection.execute("HGET", self._key, repository_id)
        known = None if found is None else _repository(found)
        return known if known is not None and known.schema_version == LAYOUT else None

    async def register(self, repository: RepositoryRecord) -> RepositoryRecord:
        """Make sure that a repository has an index, be it an empty one."""
        known = await self.repository(repository.id)
        if known is None:
            # A writer that did not notice the last drop may have left something.
            await self.drop(repository.id)
        incarnation = uuid.uuid4().hex if known is None else known.incarnation
        written = replace(repository, incarnation=incarnation, schema_version=LAYOUT)
        await create_indexes(self._graph(repository.id))
        await self._connection.execute("HSET", self._key, written.id, _packed(written))
        return written

    async def update(self, repository: RepositoryRecord) -> bool:
        """Replace what is known of a repository; tell whether it was there."""
        known = await self.repository(repository.id)
        if known is None:
            return False
        written = replace(repository, incarnation=known.incarnation, schema_version=LAYOUT)
        await self._connection.execute("HSET", self._key, written.id, _packed(written))
        return True

    async def drop(self, repository_id: str) -> None:
        """Remove a repository and all of its index; nothing happens if there is none."""
        keys = self._keyspace.code(repository_id)
        named = [*keys.all_but_vectors()]
        named += [keys.vectors(self.model_id)] if self.model_id else []
        commands: list[Command] = [("HDEL", self._key, repository_id)]
        await self._connection.transaction([*commands, *(("DEL", name) for name in named)])

    def much_to_write(self) -> AbstractAsyncContextManager[None]:
        """Spare the database what only slows it down while much is written at once."""
        return log_left_alone(self._connection)

    def index(self, repository_id: str) -> CodeIndex:
        """Give the index of a registered repository."""
        keys = self._keyspace.code(repository_id)
        vectors = None
        if self.has_vector_sets and self.model_id:
            vectors = Vectors(self._connection, keys.vectors(self.model_id))
        return CodeIndex(self._connection, keys, vectors)

    def words(self, repository: RepositoryRecord) -> WordLog:
        """Give what a word index follows; `repository` as `register` has returned it."""
        keys = self._keyspace.code(repository.id)
        return WordLog(self._connection, keys, repository.incarnation)

    def _graph(self, repository_id: str) -> Graph:
        return Graph(self._connection, self._keyspace.code(repository_id).graph)


def _packed(repository: RepositoryRecord) -> bytes:
    return orjson.dumps(asdict(repository))


def _repository(packed: bytes) -> RepositoryRecord:
    known = orjson.loads(packed)
    known.pop("git_head", None)  # an earlier version wrote it
    return RepositoryRecord(**known)
