"""Settings: from the environment and `.env`, checked, and never telling a secret."""

import sys
from pathlib import Path
from typing import Any

import pydantic
import pytest

from tests.folders import fresh_settings
from zapomni_core import ConfigurationError, MemoryEngine, load_settings

PASSWORD = "correct-horse-battery"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, where no `.env` is."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_with_nothing_set_everything_is_local_and_built_in() -> None:
    settings = load_settings()

    assert settings.falkordb_host is None
    assert settings.falkordb_url is None
    assert settings.ollama_host is None
    assert settings.fsync == "always"
    assert settings.falkordb_pool_size == 20
    assert settings.data_dir.name == "zapomni"


@pytest.mark.parametrize(
    ("variable", "value", "name", "expected"),
    [
        ("ZAPOMNI_DATA_DIR", "/srv/memory", "data_dir", Path("/srv/memory")),
        ("ZAPOMNI_DATA_DIR", "~/memory", "data_dir", Path.home() / "memory"),
        ("ZAPOMNI_FSYNC", "everysec", "fsync", "everysec"),
        ("FALKORDB_HOST", "db.local", "falkordb_host", "db.local"),
        ("FALKORDB_PORT", "7000", "falkordb_port", 7000),
        ("FALKORDB_USERNAME", "anna", "falkordb_username", "anna"),
        ("FALKORDB_PASSWORD", PASSWORD, "falkordb_password", pydantic.SecretStr(PASSWORD)),
        ("FALKORDB_TLS", "true", "falkordb_tls", True),
        ("FALKORDB_POOL_SIZE", "200", "falkordb_pool_size", 200),
        ("GRAPH_NAME", "work.notes-2", "graph_name", "work.notes-2"),
        ("OLLAMA_HOST", "http://gpu:11434", "ollama_host", "http://gpu:11434"),
        ("EMBEDDING_MODEL", "zapomni-small-2", "embedding_model", "zapomni-small-2"),
        ("ZAPOMNI_REQUEST_TIMEOUT_S", "1.5", "request_timeout_s", 1.5),
        ("LOG_LEVEL", "warning", "log_level", "WARNING"),
        ("log_level", "ERROR", "log_level", "ERROR"),
    ],
)
def test_a_setting_is_read_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, name: str, expected: Any
) -> None:
    monkeypatch.setenv(variable, value)

    assert getattr(load_settings(), name) == expected


def test_the_data_folder_follows_the_desktop_convention(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert load_settings().data_dir == tmp_path / "zapomni"


def test_settings_are_read_from_a_dotenv_file(elsewhere: Path) -> None:
    (elsewhere / ".env").write_text("GRAPH_NAME=from-file\nSOMETHING_ELSE=ignored\n")

    assert load_settings().graph_name == "from-file"


def test_the_environment_wins_over_the_dotenv_file(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere / ".env").write_text("GRAPH_NAME=from-file\nLOG_LEVEL=ERROR\n")
    monkeypatch.setenv("GRAPH_NAME", "from-environment")

    settings = load_settings()

    assert (settings.graph_name, settings.log_level) == ("from-environment", "ERROR")


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FALKORDB_HOST", "")
    monkeypatch.setenv("FALKORDB_PORT", "")

    settings = load_settings()

    assert (settings.falkordb_host, settings.falkordb_port) == (None, 6379)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ZAPOMNI_FSYNC", "sometimes"),
        ("FALKORDB_PORT", "0"),
        ("FALKORDB_PORT", "sixty"),
        ("FALKORDB_TLS", "perhaps"),
        ("FALKORDB_POOL_SIZE", "0"),
        ("FALKORDB_POOL_SIZE", "201"),
        ("GRAPH_NAME", "{evil}"),
        ("GRAPH_NAME", "g" * 65),
        ("ZAPOMNI_DATABASE_TIMEOUT_S", "0"),
        ("ZAPOMNI_OLLAMA_TIMEOUT_S", "nan"),
        ("ZAPOMNI_EMBEDDING_CACHE_SIZE", "-1"),
        ("ZAPOMNI_CPU_WORKERS", "0"),
        ("ZAPOMNI_REQUEST_TIMEOUT_S", "-5"),
        ("LOG_LEVEL", "chatty"),
        ("FALKORDB_URL", "http://host:1"),
        ("FALKORDB_URL", "falkor://"),
        ("FALKORDB_URL", "falkor://host:port"),
        ("FALKORDB_URL", "falkor://host:99999"),
        ("FALKORDB_URL", "falkor://[::1"),
        ("EMBEDDING_MODEL", "bge-large"),
    ],
)
def test_a_wrong_value_becomes_one_line_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)

    with pytest.raises(ConfigurationError) as wrong:
        load_settings()

    message = str(wrong.value)
    assert message.startswith("Wrong setting: ")
    assert variable in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "url", [f"http://anna:{PASSWORD}@host", f"falkor://anna:{PASSWORD}", f"falkor://[{PASSWORD}@h"]
)
def test_a_wrong_address_is_not_repeated_because_it_holds_a_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("FALKORDB_URL", url)

    with pytest.raises(ConfigurationError) as wrong:
        load_settings()

    assert PASSWORD not in str(wrong.value)


def test_every_wrong_value_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FALKORDB_PORT", "0")
    monkeypatch.setenv("LOG_LEVEL", "chatty")

    with pytest.raises(ConfigurationError, match=r"FALKORDB_PORT.*LOG_LEVEL"):
        load_settings()


def test_a_model_that_is_not_installed_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EMBEDDING_MODEL", "all-MiniLM-L6-v2")
    monkeypatch.setitem(sys.modules, "zapomni_model_minilm", None)

    with pytest.raises(ConfigurationError) as wrong:
        load_settings()

    assert "EMBEDDING_MODEL=all-MiniLM-L6-v2" in str(wrong.value)
    assert "`make model-minilm`" in str(wrong.value)


def test_a_model_whose_file_was_not_built_counts_as_not_installed(
    monkeypatch: pytest.MonkeyPatch, elsewhere: Path
) -> None:
    (elsewhere / "zapomni_model_minilm").mkdir()
    (elsewhere / "zapomni_model_minilm" / "__init__.py").touch()
    monkeypatch.delitem(sys.modules, "zapomni_model_minilm", raising=False)
    monkeypatch.syspath_prepend(elsewhere)
    monkeypatch.setenv("EMBEDDING_MODEL", "all-MiniLM-L6-v2")

    with pytest.raises(ConfigurationError, match="make model-minilm"):
        load_settings()


def test_with_ollama_the_model_is_its_own_business(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "gpu")
    monkeypatch.setenv("EMBEDDING_MODEL", "all-MiniLM-L6-v2")
    monkeypatch.setitem(sys.modules, "zapomni_model_minilm", None)

    assert load_settings().embedding_model == "all-MiniLM-L6-v2"


def test_secrets_are_in_no_text_form_of_the_settings(tmp_path: Path) -> None:
    settings = fresh_settings(
        tmp_path,
        falkordb_password=PASSWORD,
        falkordb_url=f"falkor://anna:{PASSWORD}@db.local:6379",
        ollama_host=f"http://anna:{PASSWORD}@gpu:11434",
    )

    shown = settings.without_secrets()

    assert shown["falkordb_pool_size"] == "20"
    assert shown["ollama_host"].endswith("@gpu:11434")
    assert PASSWORD not in str(shown)
    assert "db.local" not in str(shown)


def test_settings_cannot_be_changed_after_they_were_read(tmp_path: Path) -> None:
    settings: Any = fresh_settings(tmp_path)

    with pytest.raises(pydantic.ValidationError):
        settings.falkordb_port = 1


def test_an_engine_without_settings_reads_them_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPH_NAME", "mine")

    assert MemoryEngine().settings == load_settings()
    assert MemoryEngine().settings.graph_name == "mine"
