# Generated from _async/transport.py. Do not edit.
"""Sends calls with the API key, a timeout, and retries where they are safe."""

from __future__ import annotations

from time import sleep
from dataclasses import dataclass
from time import monotonic
from typing import Any

import httpx

from .._calls import Call, backoff
from .._options import BearerAuth
from .._responses import connection_error, error_of, json_of
from ..errors import TrifoldError, TrifoldTimeoutError


@dataclass(frozen=True, repr=False)
class Transport:
    """Sends calls to one service with one API key."""

    base_url: str
    auth: BearerAuth
    http: httpx.Client
    timeout: float
    retries: int

    def json(self, call: Call) -> Any:
        """Returns the response's JSON."""
        return json_of(self.send(call), call.name)

    def send(self, call: Call) -> httpx.Response:
        """Returns the 2xx response. Its body has been read, unless it is the file that the call wants."""
        retries = self.retries if call.repeatable else 0
        deadline = monotonic() + (self.timeout if call.timeout is None else call.timeout)
        request = self.http.build_request(
            call.method,
            call.url(self.base_url),
            headers=call.all_headers(retried=retries > 0),
            content=call.content(),
        )
        tried = 0
        while True:
            try:
                return self._attempt(call, request, deadline - monotonic())
            except TrifoldError as error:
                pause = backoff(tried) if error.retry_after is None else error.retry_after
                if tried >= retries or not error.retryable or pause >= deadline - monotonic():
                    raise
            tried += 1
            sleep(pause)

    def _attempt(self, call: Call, request: httpx.Request, timeout: float) -> httpx.Response:
        if timeout <= 0:
            raise TrifoldTimeoutError(f"{call.name} timed out.", code="timeout")
        request.extensions["timeout"] = httpx.Timeout(timeout).as_dict()
        try:
            # The service does not redirect, and a redirected POST would become a GET.
            response = self.http.send(request, auth=self.auth, stream=True, follow_redirects=False)
            if not (call.wants_file and response.status_code == 200):
                response.read()
        except httpx.RequestError as error:
            raise connection_error(error, call.name) from error
        if response.is_success:
            return response
        raise error_of(response, call.name)
