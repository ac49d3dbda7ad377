"""Say where the files of the built-in embedding model are and how it wants to be used."""

from pathlib import Path

__all__ = [
    "DIMENSION",
    "MAX_TOKENS",
    "MODEL_ID",
    "MODEL_PATH",
    "PASSAGE_PREFIX",
    "QUERY_PREFIX",
    "SHA256",
    "VOCAB_PATH",
]

MODEL_ID = "zapomni-small-1"
DIMENSION = 384
MAX_TOKENS = 512
QUERY_PREFIX = "query: "
PASSAGE_PREFIX = "passage: "
SHA256 = "67c9db0f1cabe3085773e785093653daba8a725c6c4f61428098d8e655980ebc"
MODEL_PATH = Path(__file__).with_name("model.onnx")
VOCAB_PATH = Path(__file__).with_name("vocab.txt")
