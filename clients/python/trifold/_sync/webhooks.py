# Generated from _async/webhooks.py. Do not edit.
"""Webhook endpoints and their delivery log."""

from __future__ import annotations

from .. import types as t
from .resource import ListedResource, Resource
from .transport import Transport


class AccountWebhook(Resource):
    """The account webhook's endpoint."""

    _path = "/v1/webhooks/settings"

    def find(self) -> t.WebhookSettings | None:
        """Returns the endpoint; None if there is none."""
        found: t.WebhookList = self._get("/v1/webhooks")
        return found["data"][0] if found["data"] else None

    def get(self) -> t.WebhookSettings:
        """Returns the endpoint. Raises NotFoundError if there is none."""
        return self._get(self._path)

    def set(self, settings: t.WebhookSettingsRequest) -> t.SavedWebhookSettings:
        """Creates or replaces the endpoint; an existing secret is kept.

        Never retried: after a lost response, rotate the secret.
        """
        return self._post(self._path, settings)

    def delete(self) -> None:
        """Deletes the endpoint, if it exists; its pending deliveries fail."""
        self._delete(self._path)

    def test(self) -> t.WebhookTestResult:
        """Sends one test event and returns the result. Raises NotFoundError if there is no endpoint."""
        return self._post(f"{self._path}/test")


class Hooks(ListedResource[t.ListHooksQuery, t.Hook]):
    """The account's hook destinations."""

    _path = "/v1/hooks"

    def create(self, hook: t.HookRequest) -> t.CreatedHook:
        """Creates a hook. Never retried: after a lost response, the hook is useless; find it with `list`."""
        return self._post(self._path, hook)

    def get(self, hook_id: str) -> t.Hook:
        """Returns one hook, without its secret."""
        return self._get(self._path_of(hook_id))

    def delete(self, hook_id: str) -> t.Deleted:
        """Deletes a hook, if it exists; its pending deliveries fail."""
        return self._delete(self._path_of(hook_id))


class Deliveries(ListedResource[t.ListDeliveriesQuery, t.DeliveryEntry]):
    """The delivery log."""

    _path = "/v1/webhooks/deliveries"

    def get(self, delivery_id: str) -> t.Delivery:
        """Returns a delivery with its attempts, oldest first."""
        return self._get(self._path_of(delivery_id))

    def retry(self, delivery_id: str) -> t.Delivery:
        """Requests one more attempt for a failed delivery. Raises ConflictError for any other delivery."""
        return self._post(self._path_of(delivery_id, "/retry"))

    def retry_all(self, request: t.RetryDeliveriesRequest | None = None) -> int:
        """Requests one more attempt for each matching failed delivery, and returns their number.

        Sends one request per 1,000 deliveries. After an error, some may have been retried; a repeated call skips these
        while they are pending.
        """
        total = 0
        following: t.RetryDeliveriesRequest = {**request} if request else {}
        while True:
            page = self.retry_page(following)
            total += page["retried"]
            if page["next_cursor"] is None:
                return total
            following["cursor"] = page["next_cursor"]

    def retry_page(self, request: t.RetryDeliveriesRequest | None = None) -> t.RetriedDeliveries:
        """Requests one more attempt for at most 1,000 matching failed deliveries, newest first. Sent only once."""
        return self._post(f"{self._path}/retry", request or {})


class Webhooks:
    """The account's webhook endpoints and their delivery log."""

    def __init__(self, transport: Transport) -> None:
        self.settings = AccountWebhook(transport)
        """The account webhook."""
        self.hooks = Hooks(transport)
        """Additional destinations."""
        self.deliveries = Deliveries(transport)
        """The delivery log."""
