"""Every setting of Zapomni, read from the environment and from `.env`, in one place."""

from __future__ import annotations

import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

import pydantic
from pydantic import AfterValidator, AliasChoices, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from zapomni_core.errors import ConfigurationError

__all__ = ["BUILTIN_MODEL", "DEFAULT_OLLAMA_MODEL", "LOCAL_MODELS", "Settings", "load_settings"]

BUILTIN_MODEL = "zapomni-small-2"
# The models that run inside this process, and the package that brings each.
LOCAL_MODELS = {BUILTIN_MODEL: "zapomni_model_small", "all-MiniLM-L6-v2": "zapomni_model_minilm"}
DEFAULT_OLLAMA_MODEL = "nomic-embed-text"
_URL_SCHEMES = ("falkor", "redis", "falkors", "rediss")


def _default_data_dir() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "zapomni"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "zapomni"


def _named(variable: str) -> AliasChoices:
    return AliasChoices(variable, variable.lower())


def _listed(value: object) -> object:
    if not isinstance(value, str):
        return value
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _folders(value: object) -> object:
    if not isinstance(value, str):
        return value
    return tuple(part for part in value.split(os.pathsep) if part.strip())


type Names = Annotated[tuple[str, ...], NoDecode, pydantic.BeforeValidator(_listed)]
type Origins = Annotated[
    tuple[Annotated[str, Field(pattern=r"^(\*|https?://[^/]+)$")], ...],
    NoDecode,
    pydantic.BeforeValidator(_listed),
]


type Folders = Annotated[
    tuple[Annotated[Path, AfterValidator(Path.expanduser)], ...],
    NoDecode,
    pydantic.BeforeValidator(_folders),
]


class Settings(BaseSettings):
    """Effective settings; with nothing set, everything is local and built in."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    data_dir: Annotated[Path, AfterValidator(Path.expanduser)] = Field(
        default_factory=_default_data_dir,
        validation_alias=_named("ZAPOMNI_DATA_DIR"),
        description="Folder of the embedded database and of caches.",
    )
    fsync: Literal["always", "everysec"] = Field(
        default="always",
        validation_alias=_named("ZAPOMNI_FSYNC"),
        description="When the embedded database forces a write to disk: before it is "
        "acknowledged, or every second (faster; a power cut may lose the last second).",
    )
    falkordb_url: SecretStr | None = Field(
        default=None,
        validation_alias=_named("FALKORDB_URL"),
        description="falkor://user:password@host:port of a FalkorDB server or cluster "
        "(falkors:// for TLS). Overrides FALKORDB_HOST.",
    )
    falkordb_host: str | None = Field(
        default=None,
        validation_alias=_named("FALKORDB_HOST"),
        description="Host of a FalkorDB server; unset means the embedded database.",
    )
    falkordb_port: Annotated[int, Field(ge=1, le=65535)] = Field(
        default=6379,
        validation_alias=_named("FALKORDB_PORT"),
        description="Port of the FalkorDB server.",
    )
    falkordb_username: str | None = Field(
        default=None,
        validation_alias=_named("FALKORDB_USERNAME"),
        description="User name at the FalkorDB server.",
    )
    falkordb_password: SecretStr | None = Field(
        default=None,
        validation_alias=_named("FALKORDB_PASSWORD"),
        description="Password at the FalkorDB server.",
    )
    falkordb_tls: bool = Field(
        default=False,
        validation_alias=_named("FALKORDB_TLS"),
        description="Use TLS to the FalkorDB server.",
    )
    falkordb_tls_ca: pydantic.FilePath | None = Field(
        default=None,
        validation_alias=_named("FALKORDB_TLS_CA"),
        description="File of certificate authorities to trust instead of the system's.",
    )
    falkordb_pool_size: Annotated[int, Field(ge=1, le=200)] = Field(
        default=20,
        validation_alias=_named("FALKORDB_POOL_SIZE"),
        description="Most connections to the database at a time.",
    )
    graph_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")] = Field(
        default="zapomni",
        validation_alias=_named("GRAPH_NAME"),
        description="Name of the graph; another name is another, separate memory.",
    )
    workspace: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")] = Field(
        default="default",
        validation_alias=_named("ZAPOMNI_WORKSPACE"),
        description="Workspace to work in unless a call names another; it must exist.",
    )
    database_timeout_s: Annotated[float, Field(gt=0, le=600)] = Field(
        default=30.0,
        validation_alias=_named("ZAPOMNI_DATABASE_TIMEOUT_S"),
        description="Longest wait for one answer of the database, in seconds.",
    )
    ollama_host: str | None = Field(
        default=None,
        validation_alias=_named("OLLAMA_HOST"),
        description="Address of an Ollama service to embed with; unset means the built-in model.",
    )
    embedding_model: str | None = Field(
        default=None,
        validation_alias=_named("EMBEDDING_MODEL"),
        description=f"Embedding model: {BUILTIN_MODEL} (default, built in) or all-MiniLM-L6-v2 "
        "(after `make model-minilm`); with OLLAMA_HOST any model that Ollama has (default "
        f"{DEFAULT_OLLAMA_MODEL}). Unset, a memory that is not empty keeps its own.",
    )
    reranker_model: pydantic.DirectoryPath | None = Field(
        default=None,
        validation_alias=_named("RERANKER_MODEL"),
        description="Folder of a cross-encoder that reads the 50 best candidates again: "
        "`model.onnx` and the `vocab.txt` of an uncased BERT. Off if unset.",
    )
    entity_extractor: Literal["builtin", "spacy"] = Field(
        default="builtin",
        validation_alias=_named("ZAPOMNI_ENTITY_EXTRACTOR"),
        description="What finds names for the knowledge graph: the built-in model, or spaCy "
        "(`pip install 'zapomni[spacy]'`).",
    )
    auto_graph: bool = Field(
        default=True,
        validation_alias=_named("ZAPOMNI_AUTO_GRAPH"),
        description="Read new memories for the knowledge graph in the background, right after "
        "they are stored.",
    )
    ollama_llm_model: str | None = Field(
        default=None,
        validation_alias=_named("OLLAMA_LLM_MODEL"),
        description="Language model of Ollama that reads facts for the knowledge graph along "
        "with the rules; needs OLLAMA_HOST. Unset means the rules alone.",
    )
    ollama_timeout_s: Annotated[float, Field(gt=0, le=3600)] = Field(
        default=60.0,
        validation_alias=_named("ZAPOMNI_OLLAMA_TIMEOUT_S"),
        description="Longest wait for one answer of Ollama, in seconds.",
    )
    code_roots: Folders = Field(
        default=(),
        validation_alias=_named("ZAPOMNI_CODE_ROOTS"),
        description="Folders whose source code agents may have indexed, with all inside them, "
        "separated as in PATH; those given to `zapomni index` are allowed as well.",
    )
    redact_secrets: bool = Field(
        default=True,
        validation_alias=_named("ZAPOMNI_REDACT_SECRETS"),
        description="Put `[redacted: GitHub token]` and the like in the place of keys, tokens "
        "and passwords before a memory is stored.",
    )
    near_duplicates: Literal["link", "off"] = Field(
        default="link",
        validation_alias=_named("ZAPOMNI_NEAR_DUPLICATES"),
        description="Whether a new memory that says nearly the same as a stored one names it as "
        "`similar_to`.",
    )
    embedding_cache_size: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        default=4096,
        validation_alias=_named("ZAPOMNI_EMBEDDING_CACHE_SIZE"),
        description="Embeddings kept in memory by content hash; 0 turns the cache off.",
    )
    backup_every_h: Annotated[float, Field(ge=0, le=8760)] = Field(
        default=0.0,
        validation_alias=_named("ZAPOMNI_BACKUP_EVERY_H"),
        description="Hours between the backups that a running server makes into the folder "
        "`backups` of the data folder; 0 makes none.",
    )
    backup_keep: Annotated[int, Field(ge=1, le=1000)] = Field(
        default=7,
        validation_alias=_named("ZAPOMNI_BACKUP_KEEP"),
        description="How many of those backups are kept; older ones are removed.",
    )
    cpu_workers: Annotated[int, Field(ge=1, le=64)] = Field(
        default=5,
        validation_alias=_named("ZAPOMNI_CPU_WORKERS"),
        description="Threads for work that would block the event loop.",
    )
    request_timeout_s: Annotated[float, Field(gt=0, le=86_400)] = Field(
        default=300.0,
        validation_alias=_named("ZAPOMNI_REQUEST_TIMEOUT_S"),
        description="Longest run of one tool call, in seconds.",
    )
    sse_host: str = Field(
        default="127.0.0.1",
        validation_alias=_named("ZAPOMNI_SSE_HOST"),
        description="Address that the HTTP server listens on; any but a loopback address needs "
        "ZAPOMNI_AUTH_TOKEN.",
    )
    sse_port: Annotated[int, Field(ge=0, le=65535)] = Field(
        default=8000,
        validation_alias=_named("ZAPOMNI_SSE_PORT"),
        description="Port that the HTTP server listens on; 0 takes a free one.",
    )
    sse_cors_origins: Origins = Field(
        default=("*",),
        validation_alias=_named("ZAPOMNI_SSE_CORS_ORIGINS"),
        description="Web origins that may call the HTTP server, separated by commas. Pages from "
        "this machine may always; `*` admits no other.",
    )
    allowed_hosts: Names = Field(
        default=(),
        validation_alias=_named("ZAPOMNI_ALLOWED_HOSTS"),
        description="Further names under which clients reach the HTTP server, separated by "
        "commas; loopback names and ZAPOMNI_SSE_HOST are always known.",
    )
    auth_token: SecretStr | None = Field(
        default=None,
        validation_alias=_named("ZAPOMNI_AUTH_TOKEN"),
        description="Bearer token that every HTTP request must carry, /health excepted.",
    )
    max_sessions: Annotated[int, Field(ge=1, le=100_000)] = Field(
        default=1000,
        validation_alias=_named("ZAPOMNI_MAX_SESSIONS"),
        description="Most HTTP sessions of one kind at a time.",
    )
    session_lifetime_s: Annotated[float, Field(gt=0, le=86_400)] = Field(
        default=3600.0,
        validation_alias=_named("ZAPOMNI_SESSION_LIFETIME_S"),
        description="Longest life of an SSE session, and longest rest of a streamable one, in "
        "seconds.",
    )
    max_request_bytes: Annotated[int, Field(ge=1000, le=1_000_000_000)] = Field(
        default=100_000_000,
        validation_alias=_named("ZAPOMNI_MAX_REQUEST_BYTES"),
        description="Longest HTTP request body; the longest text needs up to 60 MB as JSON.",
    )
    client_timeout_s: Annotated[float, Field(gt=0, le=600)] = Field(
        default=20.0,
        validation_alias=_named("ZAPOMNI_CLIENT_TIMEOUT_S"),
        description="Longest pause of a client in the middle of an HTTP request, in seconds.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = Field(
        default="INFO",
        validation_alias=_named("LOG_LEVEL"),
        description="Least severe log level that is written to standard error.",
    )

    @pydantic.field_validator("log_level", mode="before")
    @classmethod
    def _upper_case(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.falkordb_url is not None:
            _check_url(self.falkordb_url.get_secret_value())
        if self.embedding_model is not None and self.ollama_host is None:
            _check_local_model(self.embedding_model)
        if self.ollama_llm_model is not None and self.ollama_host is None:
            raise ValueError("OLLAMA_LLM_MODEL needs OLLAMA_HOST")
        if self.reranker_model is not None:
            _check_reranker(self.reranker_model)
        return self

    def without_secrets(self) -> dict[str, str]:
        """Return the effective settings for the log."""
        shown = {name: str(value) for name, value in self if value is not None}
        return {name: re.sub(r"//[^/@]*@", "//***@", value) for name, value in shown.items()}


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in _URL_SCHEMES and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no port, a bracket that is not closed
        is_valid = False
    if not is_valid:
        raise ValueError("FALKORDB_URL must look like falkor://user:password@host:port")


def _check_local_model(name: str) -> None:
    if name not in LOCAL_MODELS:
        raise ValueError(
            f"EMBEDDING_MODEL={name} needs OLLAMA_HOST; without it the models are "
            f"{' and '.join(LOCAL_MODELS)}"
        )
    package = find_spec(LOCAL_MODELS[name])
    if package is None or not Path(package.origin or "").with_name("model.onnx").is_file():
        raise ValueError(
            f"EMBEDDING_MODEL={name} is not installed; run `make model-minilm` in the folder of "
            "Zapomni"
        )


def _check_reranker(folder: Path) -> None:
    missing = [name for name in ("model.onnx", "vocab.txt") if not (folder / name).is_file()]
    if missing:
        raise ValueError(f"RERANKER_MODEL: {' and '.join(missing)} not found in that folder")


def load_settings(**overrides: object) -> Settings:
    """Read the settings; a wrong value becomes one line that names it.

    An override wins over the environment, unless it is None.
    """
    given: dict[str, Any] = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)
    except pydantic.ValidationError as exc:
        problems = "; ".join(_problem(error["loc"], error["msg"]) for error in exc.errors())
        raise ConfigurationError(f"Wrong setting: {problems}") from None


def _problem(location: tuple[int | str, ...], message: str) -> str:
    name = ".".join(str(part).upper() for part in location)
    return f"{name}: {message}" if name else message.removeprefix("Value error, ")
