"""What has to be known to use a model whose files a Python package brings."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from zapomni_core.embedding.protocol import Role
from zapomni_core.settings import BUILTIN_MODEL, LOCAL_MODELS

__all__ = ["BundledModel", "bundled_model"]


@dataclass(frozen=True, slots=True)
class BundledModel:
    """A BERT encoder on this machine: its files, and how it was trained to be used."""

    model_id: str
    model_path: Path
    vocab_path: Path
    dimension: int
    max_tokens: int
    query_prefix: str
    passage_prefix: str

    def prefix(self, role: Role) -> str:
        """Return what the model expects in front of a text."""
        return self.query_prefix if role == "query" else self.passage_prefix


def bundled_model(name: str = BUILTIN_MODEL) -> BundledModel:
    """Return what the package of a model says about it."""
    package = import_module(LOCAL_MODELS[name])
    return BundledModel(
        package.MODEL_ID,
        package.MODEL_PATH,
        package.VOCAB_PATH,
        package.DIMENSION,
        package.MAX_TOKENS,
        package.QUERY_PREFIX,
        package.PASSAGE_PREFIX,
    )
