"""Say where the files of the built-in embedding model are."""

from pathlib import Path

__all__ = ["DIMENSION", "MAX_TOKENS", "MODEL_ID", "MODEL_PATH", "SHA256", "VOCAB_PATH"]

MODEL_ID = "e5-small-8bit"
DIMENSION = 384
MAX_TOKENS = 512
SHA256 = "eafc13d2d162ac731c9d05777b04dbfa795c42b495ac431cbfebb80c2d92a872"
MODEL_PATH = Path(__file__).with_name("model.onnx")
VOCAB_PATH = Path(__file__).with_name("vocab.txt")
