"""Checks the options of the client."""

from __future__ import annotations

import re
from collections.abc import Generator
from math import inf
from urllib.parse import urlsplit

import httpx

_KEY_FORM = re.compile(r"tf_(live|test)_[A-Za-z0-9]{43}")


class BearerAuth(httpx.Auth):
    """Adds the API key to each request, and shows it neither in its `repr` nor in tracebacks with local variables."""

    def __init__(self, api_key: str) -> None:
        if not isinstance(api_key, str) or not _KEY_FORM.fullmatch(api_key):
            raise ValueError(
                "api_key must be tf_live_ or tf_test_ followed by 43 letters and digits: "
                "check that it is set and complete"
            )
        self._api_key = api_key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["authorization"] = f"Bearer {self._api_key}"
        yield request


def checked_base_url(base_url: str) -> str:
    """Returns the URL without line breaks and a trailing slash. Raises ValueError if it is not an http or https URL."""
    url = urlsplit(base_url)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError("base_url must be an http or https URL")
    if url.username or url.password or url.query or url.fragment:
        raise ValueError("base_url must not contain a user name, password, query or fragment")
    return url.geturl().rstrip("/")


def check_limits(timeout: float, retries: int) -> None:
    """Raises ValueError for a timeout that is not positive or is infinite, or a number of retries that is negative."""
    if not 0 < timeout < inf:
        raise ValueError("timeout must be a positive, finite number of seconds")
    if not isinstance(retries, int) or retries < 0:
        raise ValueError("retries must be an integer of at least 0")


def check_poll_interval(poll_interval: float | None) -> None:
    """Raises ValueError for an interval that is not positive or is infinite."""
    if poll_interval is not None and not 0 < poll_interval < inf:
        raise ValueError("poll_interval must be a positive, finite number of seconds")
