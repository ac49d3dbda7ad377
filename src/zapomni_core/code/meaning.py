"""Embed the heads of symbols in the background, so that code is found by meaning too."""

from __future__ import annotations

from itertools import batched

from zapomni_core.embedding.protocol import Embedder
from zapomni_core.jobs import Progress
from zapomni_db.code import CodeStore, RepositoryRecord

__all__ = ["embed_all"]

# Small enough that a search beside it does not wait long.
_TEXTS_PER_STEP = 32


async def embed_all(
    store: CodeStore, repository: RepositoryRecord, embedder: Embedder, progress: Progress
) -> None:
    """Embed every text that has no vector yet; what is done stays if this is given up."""
    index = store.index(repository.id)
    counts = await index.embedding_counts()
    if counts.embedded == counts.wanted:
        return
    done, total = counts.embedded, counts.wanted
    async for page in index.missing_texts():
        for some in batched(page, _TEXTS_PER_STEP):
            vectors = await embedder.embed([text for _, text in some], "passage")
            hashes = (text_hash for text_hash, _ in some)
            await index.add_vectors(dict(zip(hashes, vectors, strict=True)))
            done += len(some)
            await progress(min(done, total), total)
