"""Names by which nodes are looked up.

Ids, paths and identifiers are what somebody wrote: the index of FalkorDB 4.22 ignores spaces
around a value and never finds an empty one or one beyond 4,096 bytes. Hashes have none of that.
"""

from __future__ import annotations

from hashlib import blake2b

__all__ = ["hash_of", "name_key", "node_key"]


def hash_of(text: str) -> str:
    """Hash a text to 32 hex digits."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


def node_key(node_id: str) -> str:
    """Name the node of a symbol id, a path or a name outside of the repository."""
    return hash_of(node_id)


def name_key(name: str) -> str:
    """Name an identifier, whatever its case."""
    return hash_of(name.casefold())
