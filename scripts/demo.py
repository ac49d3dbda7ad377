"""Remember in one server process, recall and know in another: the product in ten seconds."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from mcp import Client, StdioServerParameters

MEMORIES = (
    "Maria's daughter Lena is allergic to peanuts; bring fruit to her birthday on 3 March.",
    "We chose PostgreSQL over MongoDB for the billing service because invoices need transactions.",
    "The staging server ran out of disk on old Docker images; `docker system prune` fixed it.",
    "Anton prefers short answers with the command first and the explanation after it.",
    "The apartment lease ends on 30 September 2026; the landlord wants three months' notice.",
)
QUESTIONS = (
    "What should I not cook for Lena?",
    "Why did we not use MongoDB?",
    "When do I have to tell the landlord that I am moving out?",
)
NAME = "Lena"


def server(data_dir: str) -> StdioServerParameters:
    """Describe the server process of a data folder."""
    environment = {"ZAPOMNI_DATA_DIR": data_dir, "LOG_LEVEL": "WARNING"}
    return StdioServerParameters(
        command=sys.executable, args=["-m", "zapomni_mcp", "--transport", "stdio"], env=environment
    )


async def remember(data_dir: str) -> None:
    """Store the memories through a client."""
    async with Client(server(data_dir)) as client:
        for text in MEMORIES:
            answer = await client.call_tool("add_memory", {"text": text})
            print(f"  {'could not remember' if answer.is_error else 'remembered'}: {text}")


async def recall(client: Client) -> None:
    """Ask the questions."""
    for question in QUESTIONS:
        answer = await client.call_tool("search_memory", {"query": question, "limit": 1})
        best = answer.structured_content["results"][0]
        print(f"\n  {question}\n  -> {best['text']}  [{best['similarity_score']:.2f}]")


async def know(client: Client) -> None:
    """Ask what the memories say about a name, and which sentences say so."""
    await client.call_tool("build_graph")
    answer = await client.call_tool("get_related", {"entity": NAME})
    relations = answer.structured_content["relations"]
    print(f"\n  What do we know about {NAME}?")
    for relation in relations:
        print(f"  -> {told(relation['path'])}  [{relation['confidence']:.2f}]")
    for sentence in dict.fromkeys(relation["evidence"][0]["text"] for relation in relations):
        print(f'     from: "{sentence}"')


def told(path: list[str]) -> str:
    """Put a path of one step into words, from its subject to its object."""
    here, predicate, there = path
    subject, target = (there, here) if predicate.startswith("←") else (here, there)
    return f"{subject} {predicate.removeprefix('←').replace('_', ' ')} {target}"


async def main() -> None:
    """Run the demonstration in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="zapomni-demo-") as folder:
        data_dir = str(Path(folder) / "memory")
        print("First conversation:")
        await remember(data_dir)
        print("\nServer stopped. Another conversation, another server process:")
        async with Client(server(data_dir)) as client:
            await recall(client)
            await know(client)


if __name__ == "__main__":
    asyncio.run(main())
