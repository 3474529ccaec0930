# Generated from _async/client.py. Do not edit.
"""The client, with the parts of the API as attributes."""

from __future__ import annotations

from dataclasses import replace

import httpx
from typing_extensions import Self

from .._options import BearerAuth, check_limits, checked_base_url
from .account import ApiKeys, BillingReports, Emails, Requests, UsageReports
from .documents import Batches, Documents
from .templates import Templates
from .transport import Transport
from .webhooks import Webhooks


class Trifold:
    """Client for the service with one API key. Use it in `with`, or close it.

    Requests and responses use the names of the HTTP interface, unchanged. Methods raise TrifoldError.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 60.0,
        retries: int = 2,
        http_client: httpx.Client | None = None,
    ) -> None:
        """Raises ValueError for an invalid option.

        `base_url` is the URL of the service, for example `https://documents.example.com`; a path before `/v1` is kept.
        `timeout` is the time in seconds for a call, with all its attempts and pauses. `retries` is the maximum number
        of retries after 429, 502, 503, 504 or a broken connection; only safe calls are retried: reads, and creations
        of documents and batches. `http_client` sends the requests, for example through a proxy.
        """
        transport = Transport(
            base_url=checked_base_url(base_url),
            auth=BearerAuth(api_key),
            http=http_client or httpx.Client(),
            timeout=timeout,
            retries=retries,
        )
        self._use(transport)

    def _use(self, transport: Transport) -> None:
        check_limits(transport.timeout, transport.retries)
        self._transport = transport
        self.templates = Templates(transport)
        self.documents = Documents(transport)
        self.batches = Batches(transport)
        self.emails = Emails(transport)
        self.api_keys = ApiKeys(transport)
        self.usage = UsageReports(transport)
        self.billing = BillingReports(transport)
        self.requests = Requests(transport)
        self.webhooks = Webhooks(transport)

    def with_options(self, *, timeout: float | None = None, retries: int | None = None) -> Self:
        """Returns a client with other options. It shares the connections of this one; closing one closes both."""
        client = type(self).__new__(type(self))
        timeout = self._transport.timeout if timeout is None else timeout
        retries = self._transport.retries if retries is None else retries
        client._use(replace(self._transport, timeout=timeout, retries=retries))
        return client

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._transport.base_url!r})"

    def close(self) -> None:
        """Closes all connections, including those of `http_client`."""
        self._transport.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
