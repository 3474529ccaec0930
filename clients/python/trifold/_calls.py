"""Requests to the service, without their transport."""

from __future__ import annotations

import json
import random
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from urllib.parse import quote, urlencode

from typing_extensions import TypedDict

from ._version import __version__
from .types import Pagination

_FIRST_PAUSE = 0.25
_MAX_PAUSE = 8.0
_USER_AGENT = f"trifold-python/{__version__}"
# The service has the same rules.
_IDEMPOTENCY_KEY = re.compile("[!-~](?:[ -~]{0,253}[!-~])?")
_SESSION = re.compile("[!-~]{1,255}")
Entry = TypeVar("Entry")


class Page(TypedDict, Generic[Entry]):
    """One page of a list, newest first."""

    data: Sequence[Entry]
    pagination: Pagination


@dataclass(frozen=True)
class Call:
    """A request to the service."""

    method: str
    path: str
    """Path below `base_url`, encoded."""
    query: Mapping[str, object] = field(default_factory=dict)
    """A mapping becomes one parameter per entry: `metadata[order]=A-17`."""
    body: object = None
    """Sent as JSON."""
    accept: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    idempotent: bool = False
    """Whether a POST accepts an Idempotency-Key and so can be retried."""
    idempotency_key: str | None = None
    timeout: float | None = None

    @property
    def name(self) -> str:
        """Name of the call in errors."""
        return f"{self.method} {self.path}"

    @property
    def repeatable(self) -> bool:
        """Whether a retry is safe: GET changes nothing, and an Idempotency-Key makes a POST take effect only once."""
        return self.method == "GET" or self.idempotent

    @property
    def wants_file(self) -> bool:
        return self.accept != "application/json"

    def url(self, base_url: str) -> str:
        """Returns the URL with the query."""
        query = urlencode(_pairs(self.query))
        return f"{base_url}{self.path}" + (f"?{query}" if query else "")

    def content(self) -> bytes | None:
        """Returns the body. Raises TypeError or ValueError for data that JSON cannot contain."""
        if self.body is None:
            return None
        return json.dumps(self.body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()

    def all_headers(self, *, retried: bool) -> dict[str, str]:
        """Returns the headers. Calls that can be retried get an Idempotency-Key.

        Raises ValueError for an invalid one, which httpx would report as a broken connection.
        """
        headers = {"accept": self.accept, "user-agent": _USER_AGENT, **self.headers}
        if self.body is not None:
            headers["content-type"] = "application/json"
        key = self.idempotency_key
        if key is None and self.idempotent and retried:
            key = str(uuid.uuid4())
        if key is not None:
            if not _IDEMPOTENCY_KEY.fullmatch(key):
                raise ValueError(
                    "idempotency_key must have 1 to 255 printable ASCII characters, "
                    "without leading or trailing spaces"
                )
            headers["idempotency-key"] = key
        return headers


def segment(identifier: str) -> str:
    """Returns the ID as an encoded path segment. Raises ValueError for an ID that would change the path."""
    if identifier in ("", ".", ".."):
        raise ValueError(f"{identifier!r} is not an ID")
    return quote(identifier, safe="")


def session_headers(session: str | None) -> dict[str, str]:
    """Returns the header that identifies a preview's session. Raises ValueError for an invalid session."""
    if session is None:
        return {}
    if not _SESSION.fullmatch(session):
        raise ValueError("session must have 1 to 255 printable ASCII characters, without spaces")
    return {"preview-session": session}


def backoff(retries: int) -> float:
    """Returns the pause before the next retry: 0.25 s, 0.5 s and so on, each shortened at random by up to half."""
    return min(_MAX_PAUSE, _FIRST_PAUSE * 2.0**retries) * (1 - random.random() / 2)


def _pairs(query: Mapping[str, object]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if isinstance(value, Mapping):
            pairs += [(f"{name}[{key}]", str(each)) for key, each in value.items()]
        elif isinstance(value, bool):
            pairs.append((name, "true" if value else "false"))
        elif value is not None:
            pairs.append((name, str(value)))
    return pairs
