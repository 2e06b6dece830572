"""What lies in deploy/ against what is: commands of the program, its settings, its paths, its files."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from api.app import PREFIX
from api.routes import health
from bot.cli.registry import SUBCOMMANDS
from memory.settings import Settings
from memory.settings.environment import load_settings
from tests.tables import table

HOUSE = Path(__file__).resolve().parents[2]
DEPLOY = HOUSE / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
PROGRAMS = ("migrate", "serve", "bot")
COMMANDS = {each.name for each in SUBCOMMANDS}
VARIABLES = {field.alias for field in Settings.model_fields.values()}
# Set for the containers, so that nobody has to: what they say of themselves must be what is.
GIVEN = re.compile(r"\$\{(\w+):[?-]\}")
MAX_EXPOSED = 2.0


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    return found


def steps() -> Iterator[tuple[str, str]]:
    """The instructions of the Dockerfile."""
    for line in (DEPLOY / "Dockerfile").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word.isupper():
            yield word, rest


def test_each_container_runs_a_command_that_there_is(services: dict[str, Any]) -> None:
    assert set(services) == {"postgres", *PROGRAMS}
    for name in PROGRAMS:
        assert services[name]["command"] == [name]
        assert name in COMMANDS
    assert dict(steps())["ENTRYPOINT"] == '["keepsake"]'


def test_each_variable_of_a_container_is_a_setting(services: dict[str, Any]) -> None:
    for name in PROGRAMS:
        assert set(services[name]["environment"]) <= VARIABLES, name


def test_only_the_migration_gets_the_owner(services: dict[str, Any]) -> None:
    told = {name: str(services[name]["environment"]) for name in PROGRAMS}

    assert [name for name in PROGRAMS if "OWNER" in told[name]] == ["migrate"]
    assert "POSTGRES_PASSWORD" not in "".join(told.values())
    assert "KEEPSAKE_ENCRYPTION_KEY" not in told["migrate"]


def test_the_mini_app_and_the_bot_have_one_token(services: dict[str, Any]) -> None:
    tokens = {name: services[name]["environment"].get("TELEGRAM_BOT_TOKEN") for name in PROGRAMS}

    assert tokens == {"migrate": None, "serve": "${TELEGRAM_BOT_TOKEN:-}", "bot": "${TELEGRAM_BOT_TOKEN:-}"}


@table("name", PROGRAMS)
def test_the_program_starts_with_what_its_container_is_given(services: dict[str, Any], name: str) -> None:
    """Filled as openssl fills it; what may stay empty is left so."""
    secrets = {"KEEPSAKE_ENCRYPTION_KEY": "A" * 43 + "="}
    given = {
        variable: GIVEN.sub(lambda found: secrets.get(found[1], "" if ":-" in found[0] else "0f" * 24), value)
        for variable, value in services[name]["environment"].items()
    }
    settings = load_settings(given, Path(os.devnull))

    assert settings.database_url is not None
    assert settings.database_url.get_secret_value() == f"postgresql://keepsake_app:{'0f' * 24}@postgres/keepsake"
    assert (settings.owner_url is not None) == (name == "migrate")
    assert settings.anthropic_api_key is None
    assert settings.telegram_bot_token is None


def test_what_must_be_filled_in_is_what_the_containers_take(services: dict[str, Any]) -> None:
    example = (DEPLOY / "secrets.env.example").read_text()
    taken = set(GIVEN.findall((DEPLOY / "compose.yaml").read_text()))

    assert set(re.findall(r"^(\w+)=$", example, re.MULTILINE)) == taken
    listed = subprocess.run(["git", "check-ignore", "deploy/secrets.env", "deploy/keepsake.env"], cwd=HOUSE)
    assert listed.returncode == 0


def test_health_is_asked_where_it_is_told(services: dict[str, Any]) -> None:
    paths = {f"{PREFIX}{route.path}" for route in health.router.routes if hasattr(route, "path")}
    serve, bot = services["serve"], services["bot"]
    asked = re.search(r"http://127\.0\.0\.1:(\d+)(/[^']*)", serve["healthcheck"]["test"][-1])
    numbers = re.search(r"http://([^/]*)/metrics", bot["healthcheck"]["test"][-1])

    assert asked
    assert asked[1] == serve["environment"]["KEEPSAKE_PORT"] == serve["ports"][0].rpartition(":")[2]
    assert asked[2] in paths
    assert serve["ports"][0].startswith("127.0.0.1:")
    assert numbers
    assert numbers[1] == bot["environment"]["KEEPSAKE_METRICS_LISTEN"]


def test_everything_restarts_in_order_and_without_rights(services: dict[str, Any]) -> None:
    assert services["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    for name in ("serve", "bot"):
        assert services[name]["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}
        assert services[name]["restart"] == "unless-stopped"
    for name in PROGRAMS:
        assert services[name]["cap_drop"] == ["ALL"]
        assert services[name]["read_only"] is True
        assert services[name]["security_opt"] == ["no-new-privileges:true"]
    assert [rest for word, rest in steps() if word == "USER"] == ["keepsake"]
    # What comes while the database is away outlives the container.
    folder = re.search(r"KEEPSAKE_DATA_DIR=(\S+)", dict(steps())["ENV"])
    assert folder
    assert [services[name]["volumes"] for name in ("serve", "bot")] == [[f"serve:{folder[1]}"], [f"bot:{folder[1]}"]]


def test_the_image_gets_files_that_there_are_and_no_others() -> None:
    copied = [
        name for word, rest in steps() if word == "COPY" and not rest.startswith("--from") for name in rest.split()[:-1]
    ]
    let_through = re.findall(r"^!(.+)$", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.MULTILINE)

    assert all((HOUSE / name).exists() for name in copied)
    assert sorted(copied) == sorted(let_through)
    packages = re.search(r"include = \[(.*)\]", (HOUSE / "pyproject.toml").read_text())
    assert packages
    assert {name.strip('" *') for name in packages[1].split(",")} <= set(copied)


def unit(path: Path) -> list[tuple[str, str]]:
    """The settings of a unit's service; one may stand there twice."""
    lines = [line.partition("=") for line in path.read_text().splitlines() if re.match(r"[A-Z]\w*=", line)]
    return [(name, value) for name, _, value in lines]


@table("path", UNITS)
def test_a_unit_starts_a_command_with_settings_that_there_are(path: Path) -> None:
    told = unit(path)
    [(_, start)] = [pair for pair in told if pair[0] == "ExecStart"]
    program, command = start.split()
    variables = {value.partition("=")[0] for name, value in told if name == "Environment"}

    assert command in COMMANDS
    assert program == "/opt/keepsake/.venv/bin/keepsake"
    assert "keepsake = " in (HOUSE / "pyproject.toml").read_text()
    assert variables <= VARIABLES
    assert (("DynamicUser", "yes") if command == "migrate" else ("User", "keepsake")) in told
    assert (("EnvironmentFile", "/etc/keepsake/owner.env") in told) == (command == "migrate")
    document = dict(told)["Documentation"].removeprefix("file:///opt/keepsake/")
    assert (HOUSE / document).exists()


def test_the_two_units_that_stay_differ_in_what_they_run_alone() -> None:
    bot, serve = (unit(DEPLOY / name) for name in ("keepsake.service", "keepsake-serve.service"))

    assert {name for name, _ in set(bot) ^ set(serve)} == {"Description", "ExecStart"}
    assert ("SuccessExitStatus", str(128 + signal.SIGTERM)) in bot  # else whoever stops one would find it failed


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here that could read units")
@table("path", UNITS)
def test_systemd_takes_a_unit_and_finds_it_hardened(path: Path, tmp_path: Path) -> None:
    copied = tmp_path / path.name
    copied.write_text(path.read_text().replace("/opt/keepsake/.venv/bin/keepsake", "/bin/true"))
    verified = subprocess.run(["systemd-analyze", "verify", copied], capture_output=True, text=True)
    looked = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(copied)]
    exposed = subprocess.run(looked, capture_output=True, text=True).stdout
    found = re.search(r"exposure level for \S+: ([\d.]+)", exposed)

    assert [line for line in verified.stderr.splitlines() if path.name in line] == []
    assert verified.returncode == 0
    assert found
    assert float(found[1]) <= MAX_EXPOSED
