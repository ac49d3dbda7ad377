# /// script
# requires-python = ">=3.12"
# dependencies = ["numpy==2.5.2", "onnx==1.23.1", "torch==2.11.0", "transformers==5.17.0"]
# ///
"""Train e5-small further: queries nearer to what answers them, and names read off the states.

uv run train.py PAIRS BASE OUT --round 1
uv run train.py PAIRS OUT OUT2 --round 2

PAIRS is the folder that the scripts beside this one have filled, BASE what `build.py base` has
written. Writes OUT/model.safetensors and OUT/tagger.safetensors, for `build.py trained OUT`.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import torch
from batches import Batch, dialogue_batch, document_batch, pair_batch
from bert import embed, load_bert
from pairs import read_dialogues, read_pairs
from safetensors.torch import load_file, save_file
from tagging import Example, Tagger, TextWithNames, draw, prepare, read_texts, tagging_loss
from transformers import BertModel

# The one module of Zapomni that is needed here; the package itself would want a database.
sys.path.append(str(Path(__file__).parents[3] / "src" / "zapomni_core" / "embedding"))

from wordpiece import WordPiece

PACKAGE = Path(__file__).parents[1] / "src" / "zapomni_model_small"
SEED = 0
WARM_UP = 0.1
WEIGHT_DECAY = 0.01
LARGEST_GRADIENT = 1.0
TEMPERATURE = 0.02
QUERY_TOKENS, PASSAGE_TOKENS = 64, 224
# Every step also learns names; the head starts from nothing, so it learns faster.
TAGGED_TEXTS, TAGGED_TOKENS, TAGGING_WEIGHT, TAGGER_RATE = 48, 192, 0.5, 30.0
# Which share of those with dialogues comes from where.
DIALOGUES = {"friendsqa": 0.65, "molweni": 0.2, "qmsum": 0.15}

type Source = Callable[[], Batch]


class Round(NamedTuple):
    """How long and how fast to learn, and which share of the batches is of which kind."""

    steps: int
    rate: float
    mix: dict[str, float]


KINDS = ("dialogue", "code", "prose", "acl", "pep", "manual")
ROUNDS = {
    1: Round(1000, 3e-5, dict(zip(KINDS, (0.25, 0.25, 0.1, 0.1, 0.1, 0.2), strict=True))),
    2: Round(520, 2.5e-5, dict(zip(KINDS, (0.4, 0.2, 0.08, 0.17, 0.05, 0.1), strict=True))),
}


class Tokens:
    """The tokens of texts, each cut once."""

    def __init__(self, vocab: Path) -> None:
        self._tokenizer = WordPiece(vocab)
        self._known: dict[str, list[int]] = {}

    def of(self, texts: Sequence[str], prefix: str, longest: int) -> list[list[int]]:
        """Return the tokens of texts with a prefix in front."""
        return [self._of(prefix + text, longest) for text in texts]

    def tagged(self, whole: TextWithNames, prefix: str) -> Example:
        """Return a text and its labels, token by token."""
        prefix_ids = [number for word in self._tokenizer.words(prefix) for number in word.ids]
        words = list(self._tokenizer.words(whole.text))
        return prepare(whole, words, prefix_ids, self._tokenizer.special_ids(), TAGGED_TOKENS)

    def _of(self, text: str, longest: int) -> list[int]:
        if text not in self._known:
            self._known[text] = self._tokenizer.encode(text, longest)
        return self._known[text]


def main() -> None:
    """Read the data, train, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for name in ("pairs", "base", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--round", type=int, choices=ROUNDS, required=True)
    parser.add_argument("--device", default="cuda")
    arguments = parser.parse_args()
    rng = random.Random(SEED)
    torch.manual_seed(SEED)
    sources = batch_sources(arguments.pairs, rng)
    names = read_texts(arguments.pairs / "entities.jsonl")
    model = load_bert(arguments.base / "model.onnx").to(arguments.device).train()
    tagger = Tagger(model.config.hidden_size).to(arguments.device)
    tokens = Tokens(PACKAGE / "vocab.txt")
    if arguments.round > 1:
        tagger.load_state_dict(load_file(arguments.base / "tagger.safetensors"))
    train(model, tagger, tokens, sources, names, rng, ROUNDS[arguments.round])
    model.save_pretrained(arguments.out)
    save_file(tagger.state_dict(), arguments.out / "tagger.safetensors")


def batch_sources(folder: Path, rng: random.Random) -> dict[str, Source]:
    """Return what makes a batch of each kind."""
    dialogues = [read_dialogues(folder / f"{name}.jsonl") for name in DIALOGUES]
    code, prose, acl, pep, manual = (
        read_pairs(folder / f"{name}.jsonl") for name in ("code", "prose", "acl", "pep", "manual")
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
        "manual": partial(document_batch, manual, 192, rng),
    }


def train(
    model: BertModel,
    tagger: Tagger,
    tokens: Tokens,
    sources: dict[str, Source],
    names: dict[str, list[TextWithNames]],
    rng: random.Random,
    plan: Round,
) -> None:
    """Take steps, each with one batch of one kind and one of texts with names."""
    steps, mix = plan.steps, plan.mix
    optimizer = optimizer_of(model, tagger, plan.rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / (WARM_UP * steps)) * (1 - step / steps)
    )
    started = time.monotonic()
    for step in range(steps):
        (kind,) = rng.choices(list(mix), list(mix.values()))
        loss = loss_of(model, tokens, sources[kind]())
        naming = naming_loss(model, tagger, tokens, names, rng)
        optimizer.zero_grad()
        (loss + TAGGING_WEIGHT * naming).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), LARGEST_GRADIENT)
        optimizer.step()
        schedule.step()
        if step % 100 == 99 or step == steps - 1:
            seconds = time.monotonic() - started
            print(f"{step + 1} {kind} {loss.item():.3f} names {naming.item():.3f} {seconds:.0f} s")


def naming_loss(
    model: BertModel,
    tagger: Tagger,
    tokens: Tokens,
    names: dict[str, list[TextWithNames]],
    rng: random.Random,
) -> torch.Tensor:
    """Draw texts with names, most of them set as passages, and see what the head reads."""
    prefixes = rng.choices(["query: ", "passage: "], [0.15, 0.85], k=TAGGED_TEXTS)
    batch = [tokens.tagged(draw(names, rng), prefix) for prefix in prefixes]
    with torch.autocast(model.device.type, dtype=torch.bfloat16):
        return tagging_loss(model, tagger, batch)


def optimizer_of(model: BertModel, tagger: Tagger, rate: float) -> torch.optim.Optimizer:
    """Return an AdamW that lets only the encoder's matrices decay."""
    parameters = list(model.parameters())
    groups = [
        {"params": [p for p in parameters if p.ndim >= 2], "weight_decay": WEIGHT_DECAY},
        {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
        {
            "params": list(tagger.parameters()),
            "weight_decay": 0.0,
            "lr": rate * TAGGER_RATE,
        },
    ]
    return torch.optim.AdamW(groups, lr=rate)


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
