"""Converts responses to results and errors."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Any, cast
from urllib.parse import unquote

import httpx

from . import errors as e

_CLASSES: dict[int, type[e.TrifoldError]] = {
    401: e.AuthenticationError,
    403: e.ForbiddenError,
    404: e.NotFoundError,
    410: e.ExpiredError,
    429: e.RateLimitError,
    **dict.fromkeys((409, 412), e.ConflictError),
    **dict.fromkeys((400, 413, 415, 422), e.ValidationError),
    **dict.fromkeys((502, 503, 504), e.ServiceUnavailableError),
}

# `filename*` takes precedence over `filename`.
_FILE_NAMES: tuple[tuple[str, Callable[[str], str]], ...] = (
    (r";\s*filename\*=UTF-8''([^\s;]+)", unquote),
    (r';\s*filename="((?:[^"\\]|\\.)*)"', lambda quoted: re.sub(r"\\(.)", r"\1", quoted)),
    (r';\s*filename=([^\s;"]+)', str),
)

# Code for a response that comes from a proxy or another server at that URL.
_NOT_OURS = "unexpected_answer"


def json_of(response: httpx.Response, call: str) -> Any:
    """Returns the body as JSON. `call` names the request: method and path."""
    try:
        return json.loads(response.content)
    except ValueError:
        message = _foreign_response(response, call)
        raise e.TrifoldError(message, code=_NOT_OURS, status=response.status_code) from None


def error_of(response: httpx.Response, call: str) -> e.TrifoldError:
    """Returns the error for a response other than 2xx."""
    body = _object_of(response)
    scopes = body.get("missingScopes")
    code = _string_of(body, "code")
    error_class = _CLASSES.get(response.status_code, e.TrifoldError)
    if isinstance(scopes, list):
        error_class = e.MissingScopesError
        code = code or "insufficient_scope"
    elif code == "generation_failed":
        error_class = e.GenerationFailedError
    details = body.get("details")
    error = error_class(
        _string_of(body, "message") or _foreign_response(response, call),
        code=code or _NOT_OURS,
        status=response.status_code,
        details=details if isinstance(details, list) else (),
        request_id=_string_of(body, "request_id") or response.headers.get("x-request-id"),
        retry_after=retry_after_of(response.headers.get("retry-after")),
    )
    if isinstance(error, e.MissingScopesError):
        error.missing_scopes = cast("list[str]", scopes)
        error.your_scopes = body.get("yourScopes", ())
        error.hint = _string_of(body, "hint") or ""
    if isinstance(error, e.GenerationFailedError):
        error.document = body.get("document")
    return error


def connection_error(error: httpx.RequestError, call: str) -> e.TrifoldConnectionError:
    """Returns the error for a failed, broken or silent connection."""
    if isinstance(error, httpx.TimeoutException):
        return e.TrifoldTimeoutError(f"{call} timed out.", code="timeout")
    reason = str(error) or type(error).__name__
    message = f"{call}: connection failed or response truncated ({reason})."
    return e.TrifoldConnectionError(message, code="connection_failed")


def retry_after_of(value: str | None) -> float | None:
    """Returns the seconds in a Retry-After header, which contains seconds or a date (RFC 9110, 10.2.3)."""
    if value is None:
        return None
    if re.fullmatch(r"[0-9]+", value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def filename_of(response: httpx.Response) -> str:
    """Returns the file name in Content-Disposition (RFC 6266, RFC 8187), never a path."""
    header = response.headers.get("content-disposition", "")
    for pattern, decode in _FILE_NAMES:
        found = re.search(pattern, header, re.IGNORECASE)
        if found:
            return _safe(decode(found[1]))
    return "download"


def _safe(name: str) -> str:
    """Returns the name without path separators and a drive letter's colon."""
    safe = re.sub(r"[/\\]|(?<=^[A-Za-z]):", "_", name)
    return "download" if re.fullmatch(r"[.\s]*", safe) else safe


def size_of(response: httpx.Response) -> int | None:
    """Returns the size of the content. A file compressed by a proxy is larger after decompression."""
    length = response.headers.get("content-length")
    return None if length is None or "content-encoding" in response.headers else int(length)


def _foreign_response(response: httpx.Response, call: str) -> str:
    location = response.headers.get("location")
    kind = f"Location: {location}" if location else response.headers.get("content-type", "no content type")
    return (
        f"{call} returned {response.status_code} with {kind}, which is not a response from the service. "
        "Check base_url and any proxy in front of the service."
    )


def _object_of(response: httpx.Response) -> dict[str, Any]:
    try:
        value = json.loads(response.content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _string_of(body: dict[str, Any], field: str) -> str | None:
    value = body.get(field)
    return value if isinstance(value, str) else None
