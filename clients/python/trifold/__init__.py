"""Client for the Trifold document service."""

from . import types as types
from ._async.client import AsyncTrifold as AsyncTrifold
from ._async.download import AsyncDownload as AsyncDownload
from ._calls import Page as Page
from ._sync.client import Trifold as Trifold
from ._sync.download import Download as Download
from ._version import __version__ as __version__
from .errors import (
    AuthenticationError as AuthenticationError,
    ConflictError as ConflictError,
    ExpiredError as ExpiredError,
    ForbiddenError as ForbiddenError,
    GenerationFailedError as GenerationFailedError,
    MissingScopesError as MissingScopesError,
    NotFoundError as NotFoundError,
    RateLimitError as RateLimitError,
    ServiceUnavailableError as ServiceUnavailableError,
    TrifoldConnectionError as TrifoldConnectionError,
    TrifoldError as TrifoldError,
    TrifoldTimeoutError as TrifoldTimeoutError,
    ValidationError as ValidationError,
)
from .webhooks import (
    WebhookEvent as WebhookEvent,
    WebhookVerificationError as WebhookVerificationError,
    verify_webhook as verify_webhook,
)
