"""Names by which nodes are looked up.

Ids, paths and identifiers are what somebody wrote: the index of FalkorDB 4.22 ignores spaces
around a value and never finds an empty one or one beyond 4,096 bytes. Hashes have none of that.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from zapomni_db.code.cleaning import cleaned

__all__ = ["KEY_LENGTH", "hash_of", "name_key", "node_key"]

KEY_LENGTH = 32
# A few thousand names are most of what a repository calls.
_NAMES = 1 << 14


def hash_of(text: str) -> str:
    """Hash a text to 32 hex digits; it is the same once what cannot be written is replaced."""
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        encoded = cleaned(text).encode()
    if b"\0" in encoded:
        encoded = cleaned(encoded.decode()).encode()
    return blake2b(encoded, digest_size=16).hexdigest()


def node_key(node_id: str) -> str:
    """Name the node of a symbol id, a path or a name outside of the repository."""
    return hash_of(node_id)


@lru_cache(_NAMES)
def name_key(name: str) -> str:
    """Name an identifier, whatever its case."""
    return hash_of(name.casefold())
