"""The stylesheet, the script and the icon: read once, named after what is in them so that browsers may keep them."""

from functools import cache
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path

from fastapi import APIRouter, Request, Response

from api.problems import Problem

FOLDER = Path(__file__).parent / "static"
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
FOR_GOOD = "public, max-age=31536000, immutable"

router = APIRouter()


@cache
def held() -> dict[str, tuple[bytes, str]]:
    """Each file by its name, with a mark of what is in it."""
    found = {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.suffix in TYPES}
    return {name: (content, sha256(content).hexdigest()[:16]) for name, content in found.items()}


def static_path(base: str, name: str) -> str:
    return f"{base}/static/{name}?v={held()[name][1]}"


@router.get("/static/{name}")
async def static(request: Request, name: str) -> Response:
    """Another mark than the present one is an older page's: what it gets is new, and not to be kept under that name."""
    if (found := held().get(name)) is None:
        raise Problem(HTTPStatus.NOT_FOUND, "There is no such file.")
    content, mark = found
    kept = FOR_GOOD if request.query_params.get("v") == mark else "no-cache"
    return Response(content, media_type=TYPES[Path(name).suffix], headers={"Cache-Control": kept})
