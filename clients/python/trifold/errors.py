"""Errors that the client raises. They never contain the API key."""

from __future__ import annotations

from collections.abc import Sequence

from .types import ErrorDetail, FailedDocument


class TrifoldError(Exception):
    """Base class of all service and network errors.

    `code` is stable; branch on it or on a subclass, never on the message.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        status: int | None = None,
        details: Sequence[ErrorDetail] = (),
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        """Machine-readable code: the service's error code, or one of this client's."""
        self.status = status
        """HTTP status of the response; None if there was none."""
        self.details = details
        """Every invalid part of the request; empty if the error is not about the request's content."""
        self.request_id = request_id
        """Request ID in the service's log."""
        self.retry_after = retry_after
        """Time to wait before the next attempt, as requested by the service, in seconds."""

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.status in (429, 502, 503, 504)


class AuthenticationError(TrifoldError):
    """401: the key does not exist or was revoked, or its account is suspended."""


class MissingScopesError(TrifoldError):
    """401: the key is valid but lacks a scope."""

    missing_scopes: Sequence[str] = ()
    """Scopes that the request requires and the key lacks."""
    your_scopes: Sequence[str] = ()
    """Scopes that the key has."""
    hint: str = ""
    """How to fix it."""


class ForbiddenError(TrifoldError):
    """403: the key may not do this, for example download another key's file."""


class NotFoundError(TrifoldError):
    """404: the account has no resource with this ID."""


class ConflictError(TrifoldError):
    """409: the resource's state or an account limit does not allow it; 412: it changed since `if_version`."""


class ExpiredError(TrifoldError):
    """410: the document was deleted or has expired, or its data is not stored."""


class ValidationError(TrifoldError):
    """400, 413, 415, 422: the request is invalid; `details` lists any invalid fields."""


class RateLimitError(TrifoldError):
    """429: too many requests; `retry_after` is the time to wait."""


class ServiceUnavailableError(TrifoldError):
    """502, 503, 504: the service or one of its dependencies is temporarily unavailable."""


class GenerationFailedError(TrifoldError):
    """The requested document could not be generated."""

    document: FailedDocument | None = None
    """The failed document; None if the response did not contain it."""


class TrifoldConnectionError(TrifoldError):
    """No response, or an incomplete one. It is unknown whether the service processed the request."""

    @property
    def retryable(self) -> bool:
        return True


class TrifoldTimeoutError(TrifoldConnectionError):
    """The call did not finish in time."""

    @property
    def retryable(self) -> bool:
        return False
