# /// script
# requires-python = ">=3.12"
# dependencies = ["numpy==2.5.2", "onnx==1.23.1", "torch==2.11.0", "transformers==5.17.0"]
# ///
"""Train e5-small further, so that queries are nearer to what answers them than to the rest.

uv run train.py PAIRS BASE OUT

PAIRS is the folder that the scripts beside this one have filled, BASE what `build.py base` has
written. Writes OUT/model.safetensors, for `build.py trained OUT`.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import torch
from batches import Batch, dialogue_batch, document_batch, pair_batch
from bert import embed, load_bert
from pairs import read_dialogues, read_pairs
from transformers import BertModel

# The one module of Zapomni that is needed here; the package itself would want a database.
sys.path.append(str(Path(__file__).parents[3] / "src" / "zapomni_core" / "embedding"))

from wordpiece import WordPiece

SEED = 0
STEPS = 1200
LEARNING_RATE = 3e-5
WARM_UP = 0.1
WEIGHT_DECAY = 0.01
LARGEST_GRADIENT = 1.0
TEMPERATURE = 0.02
QUERY_TOKENS, PASSAGE_TOKENS = 64, 224
# Which share of the batches comes from where, and which share of those with dialogues.
MIX = {"dialogue": 0.35, "code": 0.3, "prose": 0.12, "acl": 0.13, "pep": 0.1}
DIALOGUES = {"friendsqa": 0.65, "molweni": 0.2, "qmsum": 0.15}

type Source = Callable[[], Batch]


class Tokens:
    """The tokens of texts, each cut once."""

    def __init__(self, vocab: Path) -> None:
        self._tokenizer = WordPiece(vocab)
        self._known: dict[str, list[int]] = {}

    def of(self, texts: Sequence[str], prefix: str, longest: int) -> list[list[int]]:
        """Return the tokens of texts with a prefix in front."""
        return [self._of(prefix + text, longest) for text in texts]

    def _of(self, text: str, longest: int) -> list[int]:
        if text not in self._known:
            self._known[text] = self._tokenizer.encode(text, longest)
        return self._known[text]


def main() -> None:
    """Read the data, train, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for name in ("pairs", "base", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--device", default="cuda")
    arguments = parser.parse_args()
    rng = random.Random(SEED)
    torch.manual_seed(SEED)
    sources = batch_sources(arguments.pairs, rng)
    model = load_bert(arguments.base / "model.onnx").to(arguments.device).train()
    train(model, Tokens(arguments.base / "vocab.txt"), sources, rng, arguments.steps)
    model.save_pretrained(arguments.out)


def batch_sources(folder: Path, rng: random.Random) -> dict[str, Source]:
    """Return what makes a batch of each kind."""
    dialogues = [read_dialogues(folder / f"{name}.jsonl") for name in DIALOGUES]
    code, prose, acl, pep = (
        read_pairs(folder / f"{name}.jsonl") for name in ("code", "prose", "acl", "pep")
    )

    def dialogue() -> Batch:
        (source,) = rng.choices(dialogues, list(DIALOGUES.values()))
        return dialogue_batch(source, rng)

    return {
        "dialogue": dialogue,
        "code": partial(pair_batch, code, 256, rng),
        "prose": partial(pair_batch, prose, 192, rng),
        "acl": partial(document_batch, acl, 192, rng),
        "pep": partial(document_batch, pep, 192, rng),
    }


def train(
    model: BertModel, tokens: Tokens, sources: dict[str, Source], rng: random.Random, steps: int
) -> None:
    """Take this many steps, each with one batch of one kind."""
    optimizer = optimizer_of(model)
    started = time.monotonic()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = (
                LEARNING_RATE * min(1, (step + 1) / (WARM_UP * steps)) * (1 - step / steps)
            )
        (kind,) = rng.choices(list(MIX), list(MIX.values()))
        loss = loss_of(model, tokens, sources[kind]())
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), LARGEST_GRADIENT)
        optimizer.step()
        if step % 100 == 99 or step == steps - 1:
            print(f"{step + 1} {kind} {loss.item():.3f} {time.monotonic() - started:.0f} s")


def optimizer_of(model: BertModel) -> torch.optim.Optimizer:
    """Return an AdamW that lets only matrices decay."""
    parameters = list(model.parameters())
    groups = [
        {"params": [p for p in parameters if p.ndim >= 2], "weight_decay": WEIGHT_DECAY},
        {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=LEARNING_RATE)


def loss_of(model: BertModel, tokens: Tokens, batch: Batch) -> torch.Tensor:
    """Return how unlikely the right passages are among all; several may be right (InfoNCE)."""
    with torch.autocast(model.device.type, dtype=torch.bfloat16):
        queries = embed(model, tokens.of(batch.queries, "query: ", QUERY_TOKENS))
        passages = embed(model, tokens.of(batch.passages, "passage: ", PASSAGE_TOKENS))
    scores = queries @ passages.T / TEMPERATURE
    is_answer = torch.zeros_like(scores, dtype=torch.bool)
    for row, answers in enumerate(batch.answers):
        is_answer[row, answers] = True
    right = scores.masked_fill(~is_answer, -1e9).logsumexp(1)
    return (scores.logsumexp(1) - right).mean()


if __name__ == "__main__":
    main()
