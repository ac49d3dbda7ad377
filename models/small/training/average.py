# /// script
# requires-python = ">=3.12"
# dependencies = ["numpy==2.5.4", "onnx==1.23.2", "safetensors==0.7.0"]
# ///
"""Write the package's model.onnx as the mean of two rounds of training.

uv run average.py ROUND ROUND

Each ROUND is a folder with model.onnx (`build.py trained`) and tagger.safetensors.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from weights import Arrays, read_weights

# Beside this folder, not in it.
sys.path.append(str(Path(__file__).parents[1]))

from encoder import encoder_graph

PACKAGE = Path(__file__).parents[1] / "src" / "zapomni_model_small"


def main() -> None:
    """Average, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rounds", type=Path, nargs=2)
    folders = parser.parse_args().rounds
    weights = mean(*(read_weights(folder / "model.onnx") for folder in folders))
    tagger = mean(*(load_file(folder / "tagger.safetensors") for folder in folders))
    graph = encoder_graph(
        {name: as_inputs(name, each) for name, each in weights.items()}, "zapomni-small", tagger
    )
    (PACKAGE / "model.onnx").write_bytes(graph)


def mean(first: Arrays, second: Arrays) -> Arrays:
    """Return the mean of two sets of weights."""
    return {name: (array + second[name]) / np.float32(2) for name, array in first.items()}


def as_inputs(name: str, array: np.ndarray) -> np.ndarray:
    """Turn a matrix to [inputs, outputs], as encoder.py wants it."""
    return array.T if array.ndim == 2 and "embeddings" not in name else array


if __name__ == "__main__":
    main()
