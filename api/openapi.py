"""The OpenAPI document: errors are problem+json, and nothing else is said of them."""

import re
from typing import Any

from fastapi import FastAPI

MEDIA_TYPE = "application/problem+json"


def openapi_of(app: FastAPI) -> dict[str, Any]:
    """As FastAPI writes it, once, with the media type that our errors really have."""
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
    """What may be asked of an address. The router knows only of the first operation that stands there."""
    for template, operations in app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return sorted(method.upper() for method in operations)
    return []
