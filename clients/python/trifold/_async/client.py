"""The client, with the parts of the API as attributes."""

from __future__ import annotations

from dataclasses import replace

import httpx
from typing_extensions import Self

from .._options import BearerAuth, check_limits, checked_base_url
from .account import AsyncApiKeys, AsyncBillingReports, AsyncEmails, AsyncRequests, AsyncUsageReports
from .documents import AsyncBatches, AsyncDocuments
from .templates import AsyncTemplates
from .transport import AsyncTransport
from .webhooks import AsyncWebhooks


class AsyncTrifold:
    """Client for the service with one API key. Use it in `async with`, or close it.

    Requests and responses use the names of the HTTP interface, unchanged. Methods raise TrifoldError.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 60.0,
        retries: int = 2,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Raises ValueError for an invalid option.

        `base_url` is the URL of the service, for example `https://documents.example.com`; a path before `/v1` is kept.
        `timeout` is the time in seconds for a call, with all its attempts and pauses. `retries` is the maximum number
        of retries after 429, 502, 503, 504 or a broken connection; only safe calls are retried: reads, and creations
        of documents and batches. `http_client` sends the requests, for example through a proxy.
        """
        transport = AsyncTransport(
            base_url=checked_base_url(base_url),
            auth=BearerAuth(api_key),
            http=http_client or httpx.AsyncClient(),
            timeout=timeout,
            retries=retries,
        )
        self._use(transport)

    def _use(self, transport: AsyncTransport) -> None:
        check_limits(transport.timeout, transport.retries)
        self._transport = transport
        self.templates = AsyncTemplates(transport)
        self.documents = AsyncDocuments(transport)
        self.batches = AsyncBatches(transport)
        self.emails = AsyncEmails(transport)
        self.api_keys = AsyncApiKeys(transport)
        self.usage = AsyncUsageReports(transport)
        self.billing = AsyncBillingReports(transport)
        self.requests = AsyncRequests(transport)
        self.webhooks = AsyncWebhooks(transport)

    def with_options(self, *, timeout: float | None = None, retries: int | None = None) -> Self:
        """Returns a client with other options. It shares the connections of this one; closing one closes both."""
        client = type(self).__new__(type(self))
        timeout = self._transport.timeout if timeout is None else timeout
        retries = self._transport.retries if retries is None else retries
        client._use(replace(self._transport, timeout=timeout, retries=retries))
        return client

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._transport.base_url!r})"

    async def aclose(self) -> None:
        """Closes all connections, including those of `http_client`."""
        await self._transport.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
