"""Verification of webhook deliveries."""

import hashlib
import hmac
import json
from email.message import Message
from typing import Any

import pytest

from trifold import WebhookVerificationError, verify_webhook

SECRET = "whsec_Ku0sVfYd2r9mN4tQ"
NOW = 1_795_255_200
PAYLOAD = json.dumps({"id": "evt-1", "type": "webhook.test", "data": {"name": "Łódź"}}).encode()


def sign(payload: bytes, secret: str = SECRET, timestamp: object = NOW) -> str:
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + payload, hashlib.sha256).hexdigest()


def signed(payload: bytes = PAYLOAD, **headers: str | None) -> dict[str, str]:
    """Headers of a delivery; `headers` replaces some, and None removes one."""
    found = {"x_trifold_signature": sign(payload), "x_trifold_timestamp": str(NOW), **headers}
    return {name.replace("_", "-"): value for name, value in found.items() if value is not None}


def message(headers: dict[str, str]) -> Message:
    """Headers as in http.server."""
    found = Message()
    for name, value in headers.items():
        found[name.title()] = value
    return found


def test_a_genuine_delivery_returns_its_event() -> None:
    event = verify_webhook(PAYLOAD, signed(), SECRET, now=NOW)
    assert event == json.loads(PAYLOAD)
    assert verify_webhook(PAYLOAD.decode(), message(signed()), SECRET, now=NOW) == event


def test_a_signature_made_by_openssl_according_to_the_documented_scheme_is_accepted() -> None:
    headers = {
        "X-Trifold-Timestamp": "1795255200",
        "X-Trifold-Signature": "06e11c2d965b0581899288bf14297a7f23705037626dd6795a7d571e2ceafb3e",
    }
    event = verify_webhook('{"id":"evt-1","type":"webhook.test"}', headers, "shared secret", now=NOW)
    assert event["id"] == "evt-1"


def test_the_old_secret_is_accepted_during_a_rotation() -> None:
    headers = signed(x_trifold_signature_previous=sign(PAYLOAD, "old"))
    for secret in (SECRET, "old"):
        verify_webhook(PAYLOAD, headers, secret, now=NOW)


@pytest.mark.parametrize(
    ("reason", "arguments"),
    [
        ("signature_mismatch", {"payload": PAYLOAD + b" ", "headers": signed()}),
        ("signature_mismatch", {"secret": "whsec_other"}),
        ("signature_mismatch", {"headers": signed(x_trifold_timestamp=str(NOW + 1))}),
        ("signature_mismatch", {"headers": signed(x_trifold_signature=sign(PAYLOAD)[:32])}),
        ("signature_mismatch", {"headers": signed(x_trifold_signature=sign(PAYLOAD).upper())}),
        ("signature_mismatch", {"headers": signed(x_trifold_signature="é" * 32)}),
        ("missing_header", {"headers": {}}),
        ("missing_header", {"headers": signed(x_trifold_timestamp=None)}),
        ("missing_header", {"headers": {**signed(), "X-Trifold-Signature": "a"}}),
        ("malformed_timestamp", {"headers": signed(x_trifold_timestamp="2026-11-21")}),
        ("malformed_timestamp", {"headers": signed(x_trifold_timestamp="١٢")}),
        ("timestamp_out_of_tolerance", {"now": NOW + 301}),
        ("timestamp_out_of_tolerance", {"now": NOW - 301}),
        ("malformed_payload", {"payload": b"hello", "headers": signed(b"hello")}),
        ("malformed_payload", {"payload": b'{"id":7}', "headers": signed(b'{"id":7}')}),
        ("malformed_payload", {"payload": b"null", "headers": signed(b"null")}),
        ("malformed_payload", {"payload": b"\xff", "headers": signed(b"\xff")}),
    ],
)
def test_an_invalid_delivery_is_rejected(reason: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(WebhookVerificationError) as caught:
        verify_webhook(**{"payload": PAYLOAD, "headers": signed(), "secret": SECRET, "now": NOW, **arguments})
    assert caught.value.reason == reason
    assert SECRET not in str(caught.value)


def test_a_parsed_body_and_an_empty_secret_are_caller_errors() -> None:
    with pytest.raises(TypeError):
        verify_webhook(json.loads(PAYLOAD), signed(), SECRET)
    with pytest.raises(ValueError):
        verify_webhook(PAYLOAD, signed(), "")
