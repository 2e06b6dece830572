"""Serves the stylesheet, the script and the icon, with a content hash in their URLs so that browsers may cache them."""

from functools import cache
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path

from fastapi import APIRouter, Request, Response

from api.problems import Problem

FOLDER = Path(__file__).parent / "static"
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
FOREVER = "public, max-age=31536000, immutable"

router = APIRouter()


@cache
def assets() -> dict[str, tuple[bytes, str]]:
    """Each file's content and content hash, by name."""
    files = {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.suffix in TYPES}
    return {name: (content, sha256(content).hexdigest()[:16]) for name, content in files.items()}


def static_path(base: str, name: str) -> str:
    return f"{base}/static/{name}?v={assets()[name][1]}"


@router.get("/static/{name}")
async def static(request: Request, name: str) -> Response:
    """Serve a file. A request with an old hash gets the new content, which must not be cached under that URL."""
    if (asset := assets().get(name)) is None:
        raise Problem(HTTPStatus.NOT_FOUND, "There is no such file.")
    content, content_hash = asset
    caching = FOREVER if request.query_params.get("v") == content_hash else "no-cache"
    return Response(content, media_type=TYPES[Path(name).suffix], headers={"Cache-Control": caching})
