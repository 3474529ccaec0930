# Generated from _async/account.py. Do not edit.
"""Emails, API keys, usage, billing and the request log."""

from __future__ import annotations

from .. import types as t
from .resource import ListedResource, Resource


class Emails(Resource):
    """Emails, which the service compiles but does not send."""

    def compile(self, request: t.EmailRequest) -> t.CompiledEmail:
        """Compiles an email template with data. Never retried, because each compilation is counted."""
        return self._post("/v1/emails/compile", request)


class ApiKeys(ListedResource[t.ListApiKeysQuery, t.ApiKey]):
    """The account's API keys."""

    _path = "/v1/api-keys"

    def create(self, key: t.ApiKeyRequest) -> t.CreatedApiKey:
        """Creates a key. Never retried: after a lost response, the key is useless; revoke it."""
        return self._post(self._path, key)

    def get(self, key_id: str) -> t.ApiKey:
        """Returns one key without its secret."""
        return self._get(self._path_of(key_id))

    def revoke(self, key_id: str) -> t.Deleted:
        """Revokes a key; every gateway rejects it within a second. Resources it created are kept."""
        return self._delete(self._path_of(key_id))


class UsageReports(Resource):
    """The account's usage statistics."""

    def get(self, query: t.ReadUsageQuery | None = None) -> t.Usage:
        """Returns the usage in a period."""
        return self._get("/v1/usage", query)


class BillingReports(Resource):
    """The account's billing; only live keys are billed."""

    def get(self, query: t.ReadBillingQuery | None = None) -> t.Billing:
        """Returns the bill for a month."""
        return self._get("/v1/billing", query)


class Requests(ListedResource[t.ListRequestsQuery, t.RequestEntry]):
    """The log of the account's latest requests: failed ones, and successful writes."""

    _path = "/v1/requests"
