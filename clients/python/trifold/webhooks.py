"""Verifies webhook deliveries."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable
from typing import Literal, Protocol, TypeAlias, cast

from . import types as t

WebhookEvent: TypeAlias = (
    t.DocumentCompletedEvent
    | t.DocumentFailedEvent
    | t.BatchProgressEvent
    | t.BatchCompletedEvent
    | t.BatchFailedEvent
    | t.WebhookTestEvent
)
"""A signed event. `type` distinguishes the variants."""

VerificationFailure: TypeAlias = Literal[
    "missing_header",
    "malformed_timestamp",
    "signature_mismatch",
    "timestamp_out_of_tolerance",
    "malformed_payload",
]
"""Reason why a delivery is rejected."""


class Headers(Protocol):
    """Headers from a framework, such as Flask, Django, Starlette or http.server, or a dictionary."""

    def items(self) -> Iterable[tuple[str, str]]: ...


class WebhookVerificationError(Exception):
    """A delivery that must not be processed: respond with 400."""

    def __init__(self, reason: VerificationFailure, message: str = "") -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


def verify_webhook(
    payload: bytes | str,
    headers: Headers,
    secret: str,
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies that a delivery is authentic and recent, and returns its event.

    `payload` is the raw body, before any parsing. `secret` is the webhook's secret, which the service showed once. For a
    day after a rotation, deliveries are also signed with the old secret. `tolerance` is the maximum difference between
    the timestamp and `now` (Unix time; the current time by default) in seconds. An event may arrive more than once:
    remember its `id`. Raises WebhookVerificationError, and TypeError or ValueError for an invalid argument.
    """
    if not isinstance(payload, (bytes, str)):
        raise TypeError("payload must be the raw request body (bytes or str), not the parsed JSON")
    if not secret:
        raise ValueError("secret must not be empty")
    body = payload.encode() if isinstance(payload, str) else payload
    timestamp = _required_header(headers, "X-Trifold-Timestamp")
    signature = _required_header(headers, "X-Trifold-Signature")
    previous = _header(headers, "X-Trifold-Signature-Previous") or ""
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError(
            "malformed_timestamp", "X-Trifold-Timestamp is not a Unix time in seconds."
        )
    expected = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest().encode()
    if not any(
        hmac.compare_digest(given.encode(errors="surrogatepass"), expected) for given in (signature, previous)
    ):
        message = "No signature matches. Check the webhook's secret, and pass the raw request body."
        raise WebhookVerificationError("signature_mismatch", message)
    # The age is checked last: only an authentic delivery is reported as too old.
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        message = (
            "The delivery's timestamp is too far from the current time. "
            "It may be a replay, or a clock may be wrong."
        )
        raise WebhookVerificationError("timestamp_out_of_tolerance", message)
    return _event_in(body)


def _required_header(headers: Headers, name: str) -> str:
    value = _header(headers, name)
    if value is None:
        raise WebhookVerificationError("missing_header", f"The delivery must have exactly one {name} header.")
    return value


def _header(headers: Headers, name: str) -> str | None:
    """Returns a header that occurs exactly once."""
    values = [value for key, value in headers.items() if key.lower() == name.lower()]
    return values[0] if len(values) == 1 else None


def _event_in(body: bytes) -> WebhookEvent:
    try:
        event = json.loads(body)
        if isinstance(event["id"], str) and isinstance(event["type"], str):
            return cast(WebhookEvent, event)
    except (ValueError, TypeError, KeyError):
        pass
    raise WebhookVerificationError("malformed_payload", "The body has a valid signature but is not an event.")
