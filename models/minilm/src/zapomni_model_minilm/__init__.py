"""Say where the files of all-MiniLM-L6-v2 are and how it wants to be used."""

from pathlib import Path

from zapomni_model_small import VOCAB_PATH

__all__ = [
    "DIMENSION",
    "MAX_TOKENS",
    "MODEL_ID",
    "MODEL_PATH",
    "PASSAGE_PREFIX",
    "QUERY_PREFIX",
    "VOCAB_PATH",
]

MODEL_ID = "all-MiniLM-L6-v2"
DIMENSION = 384
MAX_TOKENS = 256
QUERY_PREFIX = ""
PASSAGE_PREFIX = ""
MODEL_PATH = Path(__file__).with_name("model.onnx")
