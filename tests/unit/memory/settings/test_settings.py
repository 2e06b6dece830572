"""Settings: read once, documented everywhere, and one clear line when one is wrong."""

import os
import re
from pathlib import Path

import pytest

from memory.errors import SettingsError
from memory.settings import Settings, variables
from memory.settings.environment import load_settings, unknown_variables
from tests.tables import table

HOUSE = Path(__file__).resolve().parents[4]
NO_FILE = Path("/nonexistent/.env")


def test_defaults_need_nothing_to_be_set() -> None:
    settings = load_settings({}, NO_FILE)

    assert settings.database_url is None
    assert settings.data_dir == (Path("/var/lib/keepsake") if os.geteuid() == 0 else Path.home() / ".keepsake")


def test_settings_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load_settings({}, NO_FILE).tenant = "other"


def test_the_environment_wins_over_the_file_and_empty_means_unset(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(
        'KEEPSAKE_TENANT="file"\nKEEPSAKE_MODEL=from-file # why\n# a comment\n\nexport KEEPSAKE_POOL_SIZE=3\n'
    )
    settings = load_settings(
        {
            "KEEPSAKE_TENANT": "environment",
            "KEEPSAKE_DATA_DIR": "",
            "KEEPSAKE_MODEL": " ",
            "KEEPSAKE_LOG_LEVEL": "INFO",
        },
        file,
    )

    assert (settings.tenant, settings.model, settings.pool_size) == ("environment", "from-file", 3)
    assert settings.log_level == "info"
    assert settings.data_dir == load_settings({}, NO_FILE).data_dir


def test_a_data_folder_may_be_relative_or_begin_with_the_home_folder() -> None:
    assert load_settings({"KEEPSAKE_DATA_DIR": "~/x"}, NO_FILE).data_dir == Path.home() / "x"
    assert load_settings({"KEEPSAKE_DATA_DIR": "x"}, NO_FILE).data_dir == Path.cwd() / "x"


@table(
    ("variable", "value", "line"),
    [
        ("KEEPSAKE_POOL_SIZE", "many", "KEEPSAKE_POOL_SIZE: got 'many', wants a whole number from 1 to 100."),
        ("KEEPSAKE_POOL_SIZE", "0", "KEEPSAKE_POOL_SIZE: got '0', wants a whole number from 1 to 100."),
        ("KEEPSAKE_DATA_DIR", "~nosuchuser/x", "KEEPSAKE_DATA_DIR: got '~nosuchuser/x', wants the path of a folder."),
        ("KEEPSAKE_LOG_LEVEL", "loud", "KEEPSAKE_LOG_LEVEL: got 'loud', wants debug, info, warning or error."),
        ("KEEPSAKE_TENANT", "a b", "KEEPSAKE_TENANT: got 'a b', wants a name of 1 to 64 letters, digits, - or _."),
        (
            "ANTHROPIC_BASE_URL",
            "http://[::1",
            "ANTHROPIC_BASE_URL: got 'http://[::1', wants an address that begins with",
        ),
        ("ANTHROPIC_BASE_URL", "ollama", "ANTHROPIC_BASE_URL: got 'ollama', wants an address that begins with"),
        ("KEEPSAKE_SUMMARIES", "on", "KEEPSAKE_SUMMARIES: got 'on', wants steps, sliding or off."),
        ("KEEPSAKE_SUMMARY_MESSAGES", "1", "KEEPSAKE_SUMMARY_MESSAGES: got '1', wants a whole number from 2 to 1000."),
        ("KEEPSAKE_EXTRACTION", "maybe", "KEEPSAKE_EXTRACTION: got 'maybe', wants on or off."),
        ("KEEPSAKE_EXTRACT_QUIET", "0.5", "KEEPSAKE_EXTRACT_QUIET: got '0.5', wants a number of seconds from 1 to"),
        ("KEEPSAKE_REMINDER_HOUR", "24", "KEEPSAKE_REMINDER_HOUR: got '24', wants a whole number from 0 to 23."),
        ("KEEPSAKE_METRICS_LISTEN", "9464", "KEEPSAKE_METRICS_LISTEN: got '9464', wants an address such as"),
        ("KEEPSAKE_LOG_FORMAT", "xml", "KEEPSAKE_LOG_FORMAT: got 'xml', wants text or json."),
    ],
)
def test_a_wrong_value_names_the_variable_what_it_got_and_what_it_wants(variable: str, value: str, line: str) -> None:
    with pytest.raises(SettingsError) as error:
        load_settings({variable: value}, NO_FILE)

    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)


@table("address", ["mysql://ada:hunter2@host/db", "hunter2", "postgresql://host/db", "postgresql://a:b@host:port/db"])
def test_a_wrong_address_of_the_database_is_refused_without_showing_it(address: str) -> None:
    with pytest.raises(SettingsError, match="DATABASE_URL: got a value that is not shown here") as error:
        load_settings({"DATABASE_URL": address}, NO_FILE)

    assert "hunter2" not in str(error.value)


@table("address", ["postgres://a@h/d", "postgresql://a:b@h:5/d", "postgresql+psycopg://a@/d?host=/s"])
def test_every_spelling_of_a_postgresql_address_is_taken(address: str) -> None:
    settings = load_settings({"DATABASE_URL": address}, NO_FILE)

    assert settings.database_url is not None
    assert address not in repr(settings)


@table("broken", [b"KEEPSAKE_TENANT", b"=x", b"KEEPSAKE_TENANT='unclosed\n", b"\xff\xfe\x00"])
def test_a_broken_env_file_is_refused_with_its_name(tmp_path: Path, broken: bytes) -> None:
    file = tmp_path / ".env"
    file.write_bytes(broken)
    with pytest.raises(SettingsError, match=re.escape(str(file))):
        load_settings({}, file)


def test_a_folder_in_the_place_of_the_env_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings({}, tmp_path / ".env")


def test_no_model_id_is_empty() -> None:
    assert load_settings({"KEEPSAKE_EXTRACTION_MODEL": " "}, NO_FILE).extraction_model is None
    with pytest.raises(ValueError, match="KEEPSAKE_EXTRACTION_MODEL"):
        Settings.model_validate({"KEEPSAKE_EXTRACTION_MODEL": ""})


def test_every_field_of_the_one_object_has_a_variable_of_its_own() -> None:
    assert len(variables()) == len(Settings.model_fields)
    assert {field.alias for field in Settings.model_fields.values()} == set(variables())


def test_a_misspelt_variable_is_pointed_out() -> None:
    assert unknown_variables({"KEEPSAKE_DATADIR": "x", "PATH": "y"}, NO_FILE) == [
        "KEEPSAKE_DATADIR is not a setting of Keepsake; did you mean KEEPSAKE_DATA_DIR?"
    ]


def shown_default(variable: str) -> str:
    """What a reader is told: the value, or nothing where it depends on the machine or is not set."""
    default = variables()[variable].default
    return str(default) if isinstance(default, str | int | float) else ""


def test_the_example_file_lists_every_variable_with_its_default_and_meaning() -> None:
    text = (HOUSE / ".env.example").read_text()
    listed = {name: (value, meaning) for meaning, name, value in re.findall(r"^# (.+)\n#?([A-Z_]+)=(.*)$", text, re.M)}

    assert listed == {name: (shown_default(name), field.description) for name, field in variables().items()}
    assert list(listed) == list(variables())
    assert isinstance(load_settings({}, HOUSE / ".env.example"), Settings)
