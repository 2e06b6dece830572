"""The OpenAPI document, with errors as problem+json."""

import re
from typing import Any

from fastapi import FastAPI

MEDIA_TYPE = "application/problem+json"


def openapi_of(app: FastAPI) -> dict[str, Any]:
    """Return FastAPI's document with the media type of errors corrected. It is built once."""
    if app.openapi_schema is None:
        document = FastAPI.openapi(app)
        for path in document["paths"].values():
            for operation in path.values():
                for status, answer in operation["responses"].items():
                    content = answer.get("content", {})
                    if status >= "400" and "application/json" in content:
                        content[MEDIA_TYPE] = content.pop("application/json")
        app.openapi_schema = document
    return app.openapi_schema


def methods_at(app: FastAPI, path: str) -> list[str]:
    """Return every method of a path. The router's own Allow header lists only the first matching route's."""
    for template, operations in app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return sorted(method.upper() for method in operations)
    return []
