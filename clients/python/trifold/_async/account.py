"""Emails, API keys, usage, billing and the request log."""

from __future__ import annotations

from .. import types as t
from .resource import AsyncListedResource, AsyncResource


class AsyncEmails(AsyncResource):
    """Emails, which the service compiles but does not send."""

    async def compile(self, request: t.EmailRequest) -> t.CompiledEmail:
        """Compiles an email template with data. Never retried, because each compilation is counted."""
        return await self._post("/v1/emails/compile", request)


class AsyncApiKeys(AsyncListedResource[t.ListApiKeysQuery, t.ApiKey]):
    """The account's API keys."""

    _path = "/v1/api-keys"

    async def create(self, key: t.ApiKeyRequest) -> t.CreatedApiKey:
        """Creates a key. Never retried: after a lost response, the key is useless; revoke it."""
        return await self._post(self._path, key)

    async def get(self, key_id: str) -> t.ApiKey:
        """Returns one key without its secret."""
        return await self._get(self._path_of(key_id))

    async def revoke(self, key_id: str) -> t.Deleted:
        """Revokes a key; every gateway rejects it within a second. Resources it created are kept."""
        return await self._delete(self._path_of(key_id))


class AsyncUsageReports(AsyncResource):
    """The account's usage statistics."""

    async def get(self, query: t.ReadUsageQuery | None = None) -> t.Usage:
        """Returns the usage in a period."""
        return await self._get("/v1/usage", query)


class AsyncBillingReports(AsyncResource):
    """The account's billing; only live keys are billed."""

    async def get(self, query: t.ReadBillingQuery | None = None) -> t.Billing:
        """Returns the bill for a month."""
        return await self._get("/v1/billing", query)


class AsyncRequests(AsyncListedResource[t.ListRequestsQuery, t.RequestEntry]):
    """The log of the account's latest requests: failed ones, and successful writes."""

    _path = "/v1/requests"
