"""Say where the files of the built-in embedding model are and how it wants to be used."""

from pathlib import Path

__all__ = [
    "DIMENSION",
    "ENTITY_TYPES",
    "LABELS",
    "MAX_TOKENS",
    "MODEL_ID",
    "MODEL_PATH",
    "PASSAGE_PREFIX",
    "QUERY_PREFIX",
    "SHA256",
    "VOCAB_PATH",
]

MODEL_ID = "zapomni-small-2"
DIMENSION = 384
MAX_TOKENS = 512
QUERY_PREFIX = "query: "
PASSAGE_PREFIX = "passage: "
SHA256 = "3b384f7b156469da02bc2e67180ad632f8ea783b2c37eb248f83bfee677d2300"
MODEL_PATH = Path(__file__).with_name("model.onnx")
# What the tagger tells of a token: outside of names, or the beginning or inside of one.
ENTITY_TYPES = ("person", "organisation", "place", "technology", "event", "work", "concept")
LABELS = ("O", *(f"{mark}-{name}" for name in ENTITY_TYPES for mark in "BI"))
VOCAB_PATH = Path(__file__).with_name("vocab.txt")
