# Generated from _async/resource.py. Do not edit.
"""Parts of the API and what they have in common."""

from __future__ import annotations

from time import sleep
from collections.abc import Iterator, Mapping
from math import inf
from time import monotonic
from typing import Any, Generic, TypeVar

from .._calls import Call, Page, segment
from .._options import check_poll_interval
from ..errors import TrifoldTimeoutError
from .download import Download
from .transport import Transport

Query = TypeVar("Query", bound=Mapping[str, object])
Entry = TypeVar("Entry")
_FIRST_PAUSE = 0.1
_MAX_PAUSE = 2.0
# Minimum timeout of a poll: the last one starts at the deadline.
_MIN_POLL_TIMEOUT = 1.0


class Resource:
    """Part of the API at one path."""

    _path = ""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _path_of(self, resource_id: str, part: str = "") -> str:
        return f"{self._path}/{segment(resource_id)}{part}"

    def _get(self, path: str, query: Mapping[str, object] | None = None) -> Any:
        return self._transport.json(Call("GET", path, query=query or {}))

    def _post(self, path: str, body: object = None) -> Any:
        return self._transport.json(Call("POST", path, body=body))

    def _delete(self, path: str) -> Any:
        return self._transport.json(Call("DELETE", path))

    def _download(self, path: str) -> Download:
        call = Call("GET", path, accept="*/*")
        return Download(self._transport.send(call), call.name)

    def _entries(self, path: str, query: Mapping[str, object] | None) -> Iterator[Any]:
        """Iterates over all entries of a list; loads the next page on demand."""
        following = dict(query or {})
        while True:
            page = self._get(path, following)
            for entry in page["data"]:
                yield entry
            following["cursor"] = page["pagination"]["next_cursor"]
            if following["cursor"] is None:
                return

    def _polls(
        self, path: str, timeout: float | None, poll_interval: float | None
    ) -> Iterator[Any]:
        """Polls a document or batch until it is finished, and yields each response."""
        check_poll_interval(poll_interval)
        deadline = inf if timeout is None else monotonic() + timeout
        pause = _FIRST_PAUSE if poll_interval is None else poll_interval
        while True:
            poll_timeout = min(max(deadline - monotonic(), _MIN_POLL_TIMEOUT), self._transport.timeout)
            call = Call("GET", path, timeout=poll_timeout)
            seen = self._transport.json(call)
            yield seen
            if seen["status"] in ("completed", "failed"):
                return
            left = deadline - monotonic()
            if left <= 0:
                raise TrifoldTimeoutError(f"GET {path}: not finished after {timeout} s.", code="timeout")
            sleep(min(pause, left))
            if poll_interval is None:
                pause = min(_MAX_PAUSE, pause * 1.5)


class ListedResource(Resource, Generic[Query, Entry]):
    """A part of the API that can be listed."""

    def page(self, query: Query | None = None) -> Page[Entry]:
        """Returns one page of the list, newest first."""
        return self._get(self._path, query)

    def list(self, query: Query | None = None) -> Iterator[Entry]:
        """Iterates over all entries, newest first, and loads pages on demand."""
        return self._entries(self._path, query)
