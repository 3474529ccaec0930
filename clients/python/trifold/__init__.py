"""Client for the Trifold document service."""

from . import types as types
from ._async.client import AsyncTrifold as AsyncTrifold
from ._async.download import AsyncDownload as AsyncDownload
from ._calls import Page as Page
from ._sync.client import Trifold as Trifold
from ._sync.download import Download as Download
from .errors import (
    AuthenticationError as AuthenticationError,
)
from .errors import (
    ConflictError as ConflictError,
)
from .errors import (
    ExpiredError as ExpiredError,
)
from .errors import (
    ForbiddenError as ForbiddenError,
)
from .errors import (
    GenerationFailedError as GenerationFailedError,
)
from .errors import (
    MissingScopesError as MissingScopesError,
)
from .errors import (
    NotFoundError as NotFoundError,
)
from .errors import (
    RateLimitError as RateLimitError,
)
from .errors import (
    ServiceUnavailableError as ServiceUnavailableError,
)
from .errors import (
    TrifoldConnectionError as TrifoldConnectionError,
)
from .errors import (
    TrifoldError as TrifoldError,
)
from .errors import (
    TrifoldTimeoutError as TrifoldTimeoutError,
)
from .errors import (
    ValidationError as ValidationError,
)
from .webhooks import (
    WebhookEvent as WebhookEvent,
)
from .webhooks import (
    WebhookVerificationError as WebhookVerificationError,
)
from .webhooks import (
    verify_webhook as verify_webhook,
)
