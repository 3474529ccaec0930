# Generated from docs/openapi.json. Do not edit.
"""Types of requests, responses, events and queries, by their names in the service's OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict


class ApiKey(TypedDict):
    """An API key, without its secret value."""

    id: str
    """ID of the key, not its secret value."""
    name: str
    """Name."""
    description: str | None
    """Description, or null."""
    type: Literal["live", "test"]
    """Documents created with test keys have a watermark."""
    scopes: Sequence[Scope]
    """Scopes of the key."""
    last_four: str
    """The last four characters of the key."""
    created_at: str
    """Time of creation."""
    last_used_at: str | None
    """Time of last use, to the minute; null if the key has never been used."""


class ApiKeyList(TypedDict):
    """One page of the list, newest first."""

    data: Sequence[ApiKey]
    pagination: Pagination


class ApiKeyRequest(TypedDict):
    name: str
    """Name."""
    description: NotRequired[str]
    """Description."""
    scopes: NotRequired[Sequence[Scope]]
    """Scopes of the key, all of which the calling key must have. Default: all scopes."""
    type: NotRequired[Literal["live", "test"]]
    """Default: the type of the calling key. A test key can create only test keys."""


class Attachment(TypedDict):
    """A file inside a PDF."""

    filename: str
    """Name that readers show. It may not contain a path, control characters or invisible formatting characters."""
    mime_type: str
    """Media type, without parameters."""
    description: NotRequired[str]
    """Description that readers show next to the name."""
    relationship: NotRequired[Literal["source", "data", "alternative", "supplement", "unspecified"]]
    """Purpose of the file: what the document was created from (`source`), data that it shows (`data`), the same content in another form (`alternative`), or more content (`supplement`). Default: unspecified."""
    data: str
    """Content of the file in base64 (RFC 4648, section 4), with padding and without line breaks."""


class BatchError(TypedDict):
    """Reason for the failure, if the batch failed."""

    code: str
    """Stable error code that programs can rely on."""
    message: str
    """Human-readable message."""
    part: NotRequired[TemplatePart]
    """Part that contains the problem, if known."""
    line: NotRequired[int]
    """Line in the part, if the subject appears there verbatim."""
    column: NotRequired[int]
    """Column in the line."""


class Batch(TypedDict):
    """A batch and its progress."""

    id: str
    """ID of the batch."""
    status: DocumentStatus
    """`failed`: every item failed. `completed`: every item has finished; some may have failed."""
    template_id: str | None
    """ID of the template for all items; null if the request contained the template."""
    template_version: int | None
    """Version of the template; null if the request contained the template."""
    request_id: str | None
    """ID of the request that created the batch, as in its `X-Request-Id` header; null for a batch created with kubectl."""
    format: DocumentFormat
    """Format of every document."""
    total: int
    """Number of items in the batch."""
    completed: int
    """Number of completed items."""
    failed: int
    """Number of failed items."""
    created_at: str
    """Time of acceptance."""
    expires_at: str
    """Time at which the files expire: 24 hours after `created_at`, or earlier if the Batch sets `expiresAt`."""
    status_url: str
    """Path of the status."""
    error: NotRequired[BatchError]
    """Reason for the failure, if the batch failed."""
    metadata: NotRequired[Mapping[str, str]]
    """The `metadata` from the request, if any."""


class BatchCompletedEvent(TypedDict):
    """A batch has finished. Some of its items may have failed."""

    id: str
    """Identifier of the event. An event may be delivered more than once: use the identifier to deduplicate."""
    type: Literal["batch.completed"]
    created_at: str
    api_version: Literal["2026-11-01"]
    data: BatchEventData


class BatchEventData(TypedDict):
    id: str
    """ID of the batch."""
    status: Literal["processing", "completed", "failed"]
    """Status of the batch."""
    template_id: str | None
    """Template for the items; null if the request contained the template."""
    total: int
    """Number of items."""
    completed: int
    """Number of completed items."""
    failed: int
    """Number of failed items."""
    status_url: str
    """Path of the status, relative to the base URL."""
    metadata: NotRequired[Mapping[str, str]]
    """The `metadata` from the request, if any."""


class BatchFailedEvent(TypedDict):
    """A batch has finished. Every item failed."""

    id: str
    """Identifier of the event. An event may be delivered more than once: use the identifier to deduplicate."""
    type: Literal["batch.failed"]
    created_at: str
    api_version: Literal["2026-11-01"]
    data: BatchEventData


class BatchInFullError(TypedDict):
    """Reason for the failure, if the batch failed."""

    code: str
    """Stable error code that programs can rely on."""
    message: str
    """Human-readable message."""
    part: NotRequired[TemplatePart]
    """Part that contains the problem, if known."""
    line: NotRequired[int]
    """Line in the part, if the subject appears there verbatim."""
    column: NotRequired[int]
    """Column in the line."""


class BatchInFull(TypedDict):
    """A batch and its items."""

    id: str
    """ID of the batch."""
    status: DocumentStatus
    """`failed`: every item failed. `completed`: every item has finished; some may have failed."""
    template_id: str | None
    """ID of the template for all items; null if the request contained the template."""
    template_version: int | None
    """Version of the template; null if the request contained the template."""
    request_id: str | None
    """ID of the request that created the batch, as in its `X-Request-Id` header; null for a batch created with kubectl."""
    format: DocumentFormat
    """Format of every document."""
    total: int
    """Number of items in the batch."""
    completed: int
    """Number of completed items."""
    failed: int
    """Number of failed items."""
    created_at: str
    """Time of acceptance."""
    expires_at: str
    """Time at which the files expire: 24 hours after `created_at`, or earlier if the Batch sets `expiresAt`."""
    status_url: str
    """Path of the status."""
    error: NotRequired[BatchInFullError]
    """Reason for the failure, if the batch failed."""
    metadata: NotRequired[Mapping[str, str]]
    """The `metadata` from the request, if any."""
    items: Sequence[BatchItem]
    """Items in the same order as in the request."""


class BatchItemError(TypedDict):
    """Reason for the failure, if the item failed."""

    code: str
    """Stable error code that programs can rely on."""
    message: str
    """Human-readable message."""
    part: NotRequired[TemplatePart]
    """Part that contains the problem, if known."""
    line: NotRequired[int]
    """Line in the part, if the subject appears there verbatim."""
    column: NotRequired[int]
    """Column in the line."""


class BatchItem(TypedDict):
    """Result of one item."""

    index: int
    """Zero-based index of the item in the request."""
    status: DocumentStatus
    file_url: NotRequired[str]
    """Path of the file, if the item is completed."""
    file_size: NotRequired[int]
    """File size in bytes."""
    error: NotRequired[BatchItemError]
    """Reason for the failure, if the item failed."""
    warnings: NotRequired[Sequence[DocumentWarning]]
    """Possible problems, including those of a failed document. Absent if there are none."""
    metadata: NotRequired[Mapping[str, str]]
    """The `metadata` for the item, if any."""


class BatchList(TypedDict):
    """One page of the list, newest first."""

    data: Sequence[Batch]
    pagination: Pagination


class BatchProgressEvent(TypedDict):
    """A batch has made progress."""

    id: str
    """Identifier of the event. An event may be delivered more than once: use the identifier to deduplicate."""
    type: Literal["batch.progress"]
    created_at: str
    api_version: Literal["2026-11-01"]
    data: BatchEventData


class BatchRequest(TypedDict):
    template_id: NotRequired[str]
    """ID of a template. Send either this or `template`."""
    template: NotRequired[InlineTemplate]
    version: NotRequired[int]
    """Stored version of the template to use. Default: the published version, or the current one if none is published."""
    format: DocumentFormat
    """Format of every document."""
    items: Sequence[BatchRequestItem]
    """The documents."""
    options: NotRequired[GenerationOptions]
    metadata: NotRequired[Mapping[str, str]]
    """Up to 20 strings that the service stores and shows with the document. Names have up to 40 characters; the JSON has up to 1,024 bytes."""
    attachments: NotRequired[Sequence[Attachment]]
    """Files to attach to every document. A document has up to 10 attachments with up to 4 MiB in total, each with a different name. Only for PDF, and not with a `conformance` of PDF/A-2."""


class BatchRequestItem(TypedDict):
    """One document."""

    data: Mapping[str, Any]
    """Values for the bindings. An integer that a double cannot represent keeps all its digits; other numbers are doubles."""
    filename: NotRequired[str]
    """File name for the download and for the entry in the zip file. Default: the batch ID and the index."""
    metadata: NotRequired[Mapping[str, str]]
    """Up to 20 strings that the service stores and shows with the document. Names have up to 40 characters; the JSON has up to 1,024 bytes."""
    attachments: NotRequired[Sequence[Attachment]]
    """Files to attach to this document, in addition to those of the batch. A document has up to 10 attachments with up to 4 MiB in total, each with a different name. Only for PDF, and not with a `conformance` of PDF/A-2."""


class BilledUnit(TypedDict):
    """Quantity, unit price and amount for one kind of unit."""

    unit: Literal["pdf", "png", "jpeg", "webp", "html", "docx", "xml", "email"]
    """The kind of unit: a document in one format, or an email."""
    quantity: int
    """Number of units from live keys."""
    unit_price: str | None
    """Unit price as a decimal number. null if the deployment has no price for the unit."""
    amount: str | None
    """Exact product of quantity and price, not rounded. null if the unit has no price."""


Billing = TypedDict(
    "Billing",
    {
        "period": "str",
        "from": "str",
        "to": "str",
        "currency": "str | None",
        "units": "Sequence[BilledUnit]",
        "total": "str | None",
        "as_of": "str | None",
    },
)


class CompiledEmailProvidersResend(TypedDict):
    subject: str
    html: str
    text: str


class CompiledEmailProvidersMailgun(TypedDict):
    subject: str
    html: str
    text: str


class CompiledEmailProvidersBrevo(TypedDict):
    subject: str
    htmlContent: str
    textContent: str


class CompiledEmailProviders(TypedDict):
    """The email with the field names of three email providers, for their request bodies."""

    resend: CompiledEmailProvidersResend
    mailgun: CompiledEmailProvidersMailgun
    brevo: CompiledEmailProvidersBrevo


class CompiledEmail(TypedDict):
    """A compiled email."""

    id: str
    """ID of the result. Nothing is stored under it."""
    template_id: str | None
    """null for an inline email template."""
    subject: str
    """One line."""
    preheader: str
    """Preview text, one line; empty if the email template has none."""
    html: str
    """HTML for email clients, with inlined CSS and hidden preview text."""
    text: str
    """Text alternative."""
    providers: CompiledEmailProviders
    """The email with the field names of three email providers, for their request bodies."""
    warnings: Sequence[DocumentWarning]
    """Possible problems in the email; empty if there are none."""
    stored: Literal[False]
    """Compiled emails are not stored."""
    compiled_at: str
    """ISO 8601 with milliseconds."""


class CompletedDocumentTimings(TypedDict):
    """Durations of the steps, in milliseconds. A failed document has only the steps that its last attempt began: the last one is the step that failed. Returned only when you read a single document."""

    queued_ms: float
    """Time spent waiting for a renderer."""
    merge_ms: float
    """Time to merge the template with the data."""
    print_ms: float
    """Time to print the document."""
    store_ms: float
    """Time to store the file; 0 after the GenerationJob is deleted."""


class CompletedDocument(TypedDict):
    """A document whose file can be downloaded."""

    id: str
    """ID of the document."""
    template_id: str | None
    """ID of the template; null if the request contained the template."""
    template_version: int | None
    """Version of the template; null if the request contained the template, or if the version is not selected yet."""
    request_id: str | None
    """ID of the request that created the document, as in its `X-Request-Id` header; null for a document created with kubectl."""
    format: DocumentFormat
    """File format."""
    status_url: str
    """Path of the status."""
    created_at: str
    """Time of acceptance."""
    expires_at: str
    """Time at which the file expires: 24 hours after `created_at`, or earlier if the GenerationJob sets `expiresAt`."""
    filename: NotRequired[str]
    """The `filename` from the request, if any, made safe and with its extension."""
    metadata: NotRequired[Mapping[str, str]]
    """The `metadata` from the request, if any."""
    key_id: NotRequired[str | None]
    """ID of the API key that created the document; null for a document created with kubectl. Returned only when you read a single document."""
    options: NotRequired[GenerationOptions | None]
    """The `options` from the request; null if the request had none or they are no longer stored. Options are stored for as long as the data. Returned only when you read a single document."""
    status: Literal["completed"]
    file_url: str
    """Path of the file."""
    file_size: int
    """File size in bytes."""
    render_time_ms: int
    """Rendering time in milliseconds."""
    warnings: Sequence[DocumentWarning]
    """Possible problems in the document; empty if there are none."""
    timings: NotRequired[CompletedDocumentTimings]
    """Durations of the steps, in milliseconds. A failed document has only the steps that its last attempt began: the last one is the step that failed. Returned only when you read a single document."""


class CompletedDocumentData(TypedDict):
    id: str
    """ID of the document."""
    status: Literal["completed"]
    template_id: str | None
    """Template for the document; null if the request contained the template."""
    file_url: str
    """Path of the file, relative to the base URL."""
    status_url: str
    """Path of the status, relative to the base URL."""
    file_size: int
    """File size in bytes."""
    render_time_ms: int
    """Rendering time in milliseconds."""
    expires_at: str
    """Time at which the file is deleted."""
    warnings: NotRequired[Sequence[DocumentWarning]]
    """Possible problems in the document; absent if there are none."""
    metadata: NotRequired[Mapping[str, str]]
    """The `metadata` from the request, if any."""


class CreatedApiKey(TypedDict):
    """An API key with its secret value, which is shown only once."""

    id: str
    """ID of the key, not its secret value."""
    name: str
    """Name."""
    description: str | None
    """Description, or null."""
    type: Literal["live", "test"]
    """Documents created with test keys have a watermark."""
    scopes: Sequence[Scope]
    """Scopes of the key."""
    key: str
    """The secret value of the key. It is shown only once."""
    created_at: str
    """Time of creation."""


class CreatedHookLastDelivery(TypedDict):
    at: str
    """Start of the attempt."""
    delivered: bool
    """Whether the response was 2xx."""
    status: int | None
    """HTTP status of the response, if there was one."""
    duration_ms: int
    """Duration in milliseconds."""


class CreatedHook(TypedDict):
    """A hook with its secret, which is shown only once."""

    id: str
    """ID."""
    source: Literal["zapier", "make"]
    """Platform of the hook."""
    url: str
    """URL that receives events."""
    events: Sequence[Literal["document.completed", "document.failed", "batch.progress", "batch.completed", "batch.failed"]]
    """Event types that the endpoint receives."""
    status: Literal["pending", "active", "failing", "unusable"]
    """`failing`: at least three attempts in a row have failed. `unusable`: nothing can be sent. `pending`: a change has not taken effect yet."""
    message: str | None
    """Description of the status."""
    failing_since: str | None
    """Time of the first failure since the last success."""
    last_delivery: CreatedHookLastDelivery | None
    """The last finished attempt; can lag by a few seconds."""
    pending: int
    """Number of pending deliveries; can lag by a few seconds."""
    spooled: int
    """Number of events waiting in the object store because too many deliveries are pending. These events are not listed yet. Can lag by a few seconds."""
    previous_secret_until: str | None
    """Time after which events are no longer signed with the previous secret."""
    created_at: str
    """Time of creation."""
    updated_at: str
    """Time of the last change through `/v1`, or else the creation time."""
    secret: str
    """Secret that signs deliveries. It is shown only once."""


class DataSchema(TypedDict):
    """Schema for the data. Data is checked before generation."""

    fields: Sequence[Field]


class Deleted(TypedDict):
    """Confirmation of the deletion."""

    id: str
    """ID of the deleted resource."""
    deleted: Literal[True]


class Delivery(TypedDict):
    """One event for one endpoint, with its attempts."""

    id: str
    """ID of the delivery."""
    event_id: str
    """ID of the event, the same for every endpoint."""
    event_type: EventType
    """Event type."""
    subject: str | None
    """ID of the document or batch that the event is about; null for a test event."""
    endpoint: str | None
    """`account`, or the ID of a hook; null for the `webhook_url` of a document."""
    status: Literal["pending", "delivered", "failed"]
    """Delivery status."""
    attempts: Sequence[DeliveryAttempt]
    """The latest 32 attempts, oldest first."""
    next_attempt_at: str | None
    """Time of the next attempt; null if there is none, or before the first attempt."""
    created_at: str
    """Time of the event."""
    url: str | None
    """`webhook_url` of the document; null for an endpoint."""
    error: DeliveryError | None
    finished_at: str | None
    """Time of delivery or of the final failure."""
    payload: str
    """Request body; the same bytes on every attempt."""


class DeliveryAttempt(TypedDict):
    """One attempt. If `error` is null, the attempt succeeded."""

    id: str
    """X-Trifold-Delivery-ID of the attempt."""
    at: str
    """Start of the attempt."""
    duration_ms: int
    """Duration in milliseconds."""
    status: int | None
    """HTTP status of the response, if there was one."""
    error: DeliveryError | None
    answer: str | None
    """First 1 KiB of the response."""


class DeliveryEntry(TypedDict):
    """One event for one endpoint."""

    id: str
    """ID of the delivery."""
    event_id: str
    """ID of the event, the same for every endpoint."""
    event_type: EventType
    """Event type."""
    subject: str | None
    """ID of the document or batch that the event is about; null for a test event."""
    endpoint: str | None
    """`account`, or the ID of a hook; null for the `webhook_url` of a document."""
    status: Literal["pending", "delivered", "failed"]
    """Delivery status."""
    attempts: int
    """Number of attempts."""
    next_attempt_at: str | None
    """Time of the next attempt; null if there is none, or before the first attempt."""
    created_at: str
    """Time of the event."""


class DeliveryError(TypedDict):
    """Reason for the failure."""

    code: str
    """Stable error code that programs can rely on."""
    message: str
    """Human-readable message."""


class DeliveryList(TypedDict):
    """One page of the list, newest first."""

    data: Sequence[DeliveryEntry]
    pagination: Pagination


class DocumentCompletedEvent(TypedDict):
    """A document was generated."""

    id: str
    """Identifier of the event. An event may be delivered more than once: use the identifier to deduplicate."""
    type: Literal["document.completed"]
    created_at: str
    api_version: Literal["2026-11-01"]
    data: CompletedDocumentData


class DocumentFailedEvent(TypedDict):
    """A document could not be generated."""

    id: str
    """Identifier of the event. An event may be delivered more than once: use the identifier to deduplicate."""
    type: Literal["document.failed"]
    created_at: str
    api_version: Literal["2026-11-01"]
    data: FailedDocumentData


class DocumentList(TypedDict):
    """One page of the list, newest first."""

    data: Sequence[Document]
    pagination: Pagination


class DocumentWarning(TypedDict):
    """Possible problem in a completed document or a compiled email."""

    code: Literal["address_relative", "alt_missing", "binding_missing", "binding_not_text", "conformance_broken", "content_too_high", "content_too_wide", "css_variable", "date_without_offset", "docx_unsupported", "element_unsupported", "email_clipped", "font_missing", "glyphs_missing", "heading_skipped", "invoice_differs", "more_warnings", "object_order", "page_empty", "resource_blocked", "resource_broken", "table_header_missing"]
    """Stable warning code that programs can rely on."""
    message: str
    """Human-readable message."""
    name: str
    """Subject: the path of the binding, the header or footer, a selector for the element, the script, the URL without its query, the element, the list of fonts, or the business term. In emails: the address, the custom property, or the tag."""
    part: NotRequired[TemplatePart]
    """Part that contains the problem, if known."""
    line: NotRequired[int]
    """Line in the part, if the subject appears there verbatim."""
    column: NotRequired[int]
    """Column in the line."""


class EInvoice(TypedDict):
    """E-invoice created from each document's data. Documents with the format xml require it."""

    format: Literal["factur-x", "xml"]
    """Where the XML goes. factur-x: inside PDF documents (Factur-X, ZUGFeRD), which become PDF/A-3. xml: only in documents with the format xml."""
    profile: Literal["basic", "en16931", "xrechnung", "peppol-bis-3"]
    """Rules that the invoice must follow."""
    syntax: Literal["cii", "ubl"]
    """Syntax of the XML. cii: UN/CEFACT Cross Industry Invoice. ubl: OASIS UBL 2.1."""
    mapping: Mapping[str, Any]
    """Content of the invoice: an object with EN 16931 business terms as keys, such as `BT-1 invoice number`, and strings with {{bindings}} as values. Up to 32 KiB as JSON."""
    compare: NotRequired[bool]
    """Whether PDF documents get the warning `invoice_differs` if their pages do not show the XML's invoice number, date, VAT total or amount due. If absent, they do."""


class EmailRequest(TypedDict):
    template_id: NotRequired[str]
    """A saved template with an `email` field. Send either this or `template`."""
    template: NotRequired[InlineEmailTemplate]
    data: Mapping[str, Any]
    """Values for the bindings. An integer that a double cannot represent keeps all its digits; other numbers are doubles."""


class ErrorDetail(TypedDict):
    path: str
    """JSON Pointer into the body (`/data/lines/3/qty`), or into the query."""
    message: str
    name: NotRequired[str]
    """Subject: the helper, block or partial, or the path in the data (`lines[3].price`)."""
    part: NotRequired[TemplatePart]
    """Part that contains the problem, if known."""
    line: NotRequired[int]
    """Line in the part, if the subject appears there verbatim."""
    column: NotRequired[int]
    """Column in the line."""
    rule: NotRequired[str]
    """Rule that the e-invoice breaks: its official name, such as `BR-CO-15`, or one of Trifold's, such as `value-invalid`."""
    term: NotRequired[str]
    """Business term or group that breaks the rule, such as `BT-112 invoice total amount with VAT`."""


class Error(TypedDict):
    """An error."""

    statusCode: int
    """HTTP status of the response."""
    error: str
    """HTTP status text."""
    message: str
    """Description of the problem and its solution."""
    code: str
    """Stable error code that programs can rely on. New codes may be added."""
    details: NotRequired[Sequence[ErrorDetail]]
    line: NotRequired[int]
    """Line of the problem, if a template does not compile."""
    column: NotRequired[int]
    """Column of the problem."""
    request_id: str
    """ID of the request, as in the X-Request-Id header."""


class FailedDocumentError(TypedDict):
    """Reason for the failure."""

    code: str
    """Stable error code that programs can rely on."""
    message: str
    """Human-readable message."""
    part: NotRequired[TemplatePart]
    """Part that contains the problem, if known."""
    line: NotRequired[int]
    """Line in the part, if the subject appears there verbatim."""
    column: NotRequired[int]
    """Column in the line."""


class FailedDocumentTimings(TypedDict):
    """Durations of the steps, in milliseconds. A failed document has only the steps that its last attempt began: the last one is the step that failed. Returned only when you read a single document."""

    queued_ms: NotRequired[float]
    """Time spent waiting for a renderer."""
    merge_ms: NotRequired[float]
    """Time to merge the template with the data."""
    print_ms: NotRequired[float]
    """Time to print the document."""
    store_ms: NotRequired[float]
    """Time to store the file; 0 after the GenerationJob is deleted."""


class FailedDocument(TypedDict):
    """A document that could not be generated."""

    id: str
    """ID of the document."""
    template_id: str | None
    """ID of the template; null if the request contained the template."""
    template_version: int | None
    """Version of the template; null if the request contained the template, or if the version is not selected yet."""
    request_id: str | None
    """ID of the request that created the document, as in its `X-Request-Id` header; null for a document created with kubectl."""
    format: DocumentFormat
    """File format."""
    status_url: str
    """Path of the status."""
    created_at: str
    """Time of acceptance."""
    expires_at: str
    """Time at which the file expires: 24 hours after `created_at`, or earlier if the GenerationJob sets `expiresAt`."""
    filename: NotRequired[str]
    """The `filename` from the request, if any, made safe and with its extension."""
    metadata: NotRequired[Mapping[str, str]]
    """The `metadata` from the request, if any."""
    key_id: NotRequired[str | None]
    """ID of the API key that created the document; null for a document created with kubectl. Returned only when you read a single document."""
    options: NotRequired[GenerationOptions | None]
    """The `options` from the request; null if the request had none or they are no longer stored. Options are stored for as long as the data. Returned only when you read a single document."""
    status: Literal["failed"]
    error: FailedDocumentError
    """Reason for the failure."""
    warnings: Sequence[DocumentWarning]
    """Possible problems that the last attempt found before it failed. Empty if there were none."""
    attempts: NotRequired[int]
    """Number of attempts; 0 if the document failed before the first one. Returned only when you read a single document."""
    total_time_ms: NotRequired[float]
    """Time from acceptance to failure, including all attempts and the waits between them. Returned only when you read a single document."""
    has_own_e_invoice: NotRequired[bool]
    """Whether the request contained its own `e_invoice`, which is no longer stored. Returned only when you read a single document."""
    timings: NotRequired[FailedDocumentTimings]
    """Durations of the steps, in milliseconds. A failed document has only the steps that its last attempt began: the last one is the step that failed. Returned only when you read a single document."""


class FailedDocumentDataError(TypedDict):
    """Reason for the failure."""

    code: str
    """Stable error code that programs can rely on."""
    message: str
    """Human-readable message."""
    part: NotRequired[TemplatePart]
    """Part that contains the problem, if known."""
    line: NotRequired[int]
    """Line in the part, if the subject appears there verbatim."""
    column: NotRequired[int]
    """Column in the line."""


class FailedDocumentData(TypedDict):
    id: str
    """ID of the document."""
    status: Literal["failed"]
    template_id: str | None
    """Template for the document; null if the request contained the template."""
    status_url: str
    """Path of the status, relative to the base URL."""
    error: FailedDocumentDataError
    """Reason for the failure."""
    created_at: str
    """Time at which the request was accepted."""
    metadata: NotRequired[Mapping[str, str]]
    """The `metadata` from the request, if any."""


class Field(TypedDict):
    """One field in the data."""

    name: str
    """Name of the binding."""
    type: Literal["string", "number", "boolean", "array", "object"]
    """Type of the value."""
    required: NotRequired[bool]
    """Whether a value is required."""
    default: NotRequired[Any]
    """Default value."""
    description: NotRequired[str]
    """Display name."""
    format: NotRequired[Literal["email", "url", "date"]]
    """Format of a string."""
    minLength: NotRequired[int]
    """Minimum length of a string."""
    maxLength: NotRequired[int]
    """Maximum length of a string."""
    pattern: NotRequired[str]
    """Regular expression that a string must match."""
    min: NotRequired[float]
    """Minimum value of a number."""
    max: NotRequired[float]
    """Maximum value of a number."""
    integer: NotRequired[bool]
    """Whether a number must be an integer."""
    minItems: NotRequired[int]
    """Minimum number of items in an array."""
    maxItems: NotRequired[int]
    """Maximum number of items in an array."""
    items: NotRequired[NestedField]
    properties: NotRequired[Mapping[str, NestedField]]


class GenerateRequest(TypedDict):
    template_id: NotRequired[str]
    """ID of a template. Send either this or `template`."""
    template: NotRequired[InlineTemplate]
    version: NotRequired[int]
    """Stored version of the template to use. Default: the published version, or the current one if none is published."""
    data: Mapping[str, Any]
    """Values for the bindings. An integer that a double cannot represent keeps all its digits; other numbers are doubles."""
    options: NotRequired[GenerationOptions]
    webhook_url: NotRequired[str]
    """URL that receives an unsigned notification when the document completes or fails. By default, it must use HTTPS and point to a public address."""
    filename: NotRequired[str]
    """File name for the download."""
    format: NotRequired[DocumentFormat]
    """File format. Default: pdf."""
    metadata: NotRequired[Mapping[str, str]]
    """Up to 20 strings that the service stores and shows with the document. Names have up to 40 characters; the JSON has up to 1,024 bytes."""
    attachments: NotRequired[Sequence[Attachment]]
    """Files to attach to the document. A document has up to 10 attachments with up to 4 MiB in total, each with a different name. Only for PDF, and not with a `conformance` of PDF/A-2."""
    e_invoice: NotRequired[RequestEInvoice]


class GenerationCompletedEvent(TypedDict):
    """A document requested with `webhook_url` was generated. Not signed."""

    id: str
    """Identifier of the event. An event may be delivered more than once: use the identifier to deduplicate."""
    type: Literal["generation.completed"]
    created_at: str
    api_version: Literal["2026-11-01"]
    data: CompletedDocumentData


class GenerationErrorDetail(TypedDict):
    path: str
    """JSON Pointer into the body (`/data/lines/3/qty`), or into the query."""
    message: str
    name: NotRequired[str]
    """Subject: the helper, block or partial, or the path in the data (`lines[3].price`)."""
    part: NotRequired[TemplatePart]
    """Part that contains the problem, if known."""
    line: NotRequired[int]
    """Line in the part, if the subject appears there verbatim."""
    column: NotRequired[int]
    """Column in the line."""
    rule: NotRequired[str]
    """Rule that the e-invoice breaks: its official name, such as `BR-CO-15`, or one of Trifold's, such as `value-invalid`."""
    term: NotRequired[str]
    """Business term or group that breaks the rule, such as `BT-112 invoice total amount with VAT`."""


class GenerationError(TypedDict):
    """An error, with the document if it could not be generated."""

    statusCode: int
    """HTTP status of the response."""
    error: str
    """HTTP status text."""
    message: str
    """Description of the problem and its solution."""
    code: str
    """Stable error code that programs can rely on. New codes may be added."""
    details: NotRequired[Sequence[GenerationErrorDetail]]
    line: NotRequired[int]
    """Line of the problem, if a template does not compile."""
    column: NotRequired[int]
    """Column of the problem."""
    request_id: str
    """ID of the request, as in the X-Request-Id header."""
    document: NotRequired[FailedDocument]


class GenerationFailedEvent(TypedDict):
    """A document requested with `webhook_url` could not be generated. Not signed."""

    id: str
    """Identifier of the event. An event may be delivered more than once: use the identifier to deduplicate."""
    type: Literal["generation.failed"]
    created_at: str
    api_version: Literal["2026-11-01"]
    data: FailedDocumentData


class GenerationOptionsMargins(TypedDict):
    top: NotRequired[str]
    """Top margin. A number with a unit: 0.5in, 12mm or 40px. Default: 0.4in."""
    right: NotRequired[str]
    """Right margin. A number with a unit: 0.5in, 12mm or 40px. Default: 0.4in."""
    bottom: NotRequired[str]
    """Bottom margin. A number with a unit: 0.5in, 12mm or 40px. Default: 0.4in."""
    left: NotRequired[str]
    """Left margin. A number with a unit: 0.5in, 12mm or 40px. Default: 0.4in."""


class GenerationOptionsHeaderFirst(TypedDict):
    content: NotRequired[str]
    """Header HTML on the first page. An empty string removes it. At most 16384 characters."""
    height: NotRequired[str]
    """Header height on the first page, if it differs. Does not apply to docx. A number with a unit: 0.5in, 12mm or 40px."""


class GenerationOptionsHeaderLast(TypedDict):
    content: NotRequired[str]
    """Header HTML on the last page. An empty string removes it. At most 16384 characters."""


class GenerationOptionsHeaderEven(TypedDict):
    content: NotRequired[str]
    """Header HTML on even pages. An empty string removes it. At most 16384 characters."""


class GenerationOptionsHeaderOdd(TypedDict):
    content: NotRequired[str]
    """Header HTML on odd pages. An empty string removes it. At most 16384 characters."""


class GenerationOptionsHeader(TypedDict):
    """Part of every page between the top margin and the content."""

    enabled: NotRequired[bool]
    """Whether pages have a header. Default: false."""
    content: NotRequired[str]
    """HTML with {{bindings}}; {{page}} is the page number, {{pages}} the number of pages. At most 16384 characters."""
    height: NotRequired[str]
    """Header height. Reduces the space for the content, not the margin. A number with a unit: 0.5in, 12mm or 40px. Default: 0.5in."""
    first: NotRequired[Literal[False] | GenerationOptionsHeaderFirst]
    """Different header on the first page; false removes it but keeps its space."""
    last: NotRequired[Literal[False] | GenerationOptionsHeaderLast]
    """Different header on the last page; false removes it but keeps its space. Does not apply to docx."""
    even: NotRequired[Literal[False] | GenerationOptionsHeaderEven]
    """Different header on even pages; false removes it but keeps its space."""
    odd: NotRequired[Literal[False] | GenerationOptionsHeaderOdd]
    """Different header on odd pages; false removes it but keeps its space."""


class GenerationOptionsFooterFirst(TypedDict):
    content: NotRequired[str]
    """Footer HTML on the first page. An empty string removes it. At most 16384 characters."""
    height: NotRequired[str]
    """Footer height on the first page, if it differs. Does not apply to docx. A number with a unit: 0.5in, 12mm or 40px."""


class GenerationOptionsFooterLast(TypedDict):
    content: NotRequired[str]
    """Footer HTML on the last page. An empty string removes it. At most 16384 characters."""


class GenerationOptionsFooterEven(TypedDict):
    content: NotRequired[str]
    """Footer HTML on even pages. An empty string removes it. At most 16384 characters."""


class GenerationOptionsFooterOdd(TypedDict):
    content: NotRequired[str]
    """Footer HTML on odd pages. An empty string removes it. At most 16384 characters."""


class GenerationOptionsFooter(TypedDict):
    """Part of every page between the content and the bottom margin."""

    enabled: NotRequired[bool]
    """Whether pages have a footer. Default: false."""
    content: NotRequired[str]
    """HTML with {{bindings}}; {{page}} is the page number, {{pages}} the number of pages. At most 16384 characters."""
    height: NotRequired[str]
    """Footer height. Reduces the space for the content, not the margin. A number with a unit: 0.5in, 12mm or 40px. Default: 0.5in."""
    first: NotRequired[Literal[False] | GenerationOptionsFooterFirst]
    """Different footer on the first page; false removes it but keeps its space."""
    last: NotRequired[Literal[False] | GenerationOptionsFooterLast]
    """Different footer on the last page; false removes it but keeps its space. Does not apply to docx."""
    even: NotRequired[Literal[False] | GenerationOptionsFooterEven]
    """Different footer on even pages; false removes it but keeps its space."""
    odd: NotRequired[Literal[False] | GenerationOptionsFooterOdd]
    """Different footer on odd pages; false removes it but keeps its space."""


class GenerationOptionsProperties(TypedDict):
    """Properties of a PDF or DOCX file, as shown by viewers. They are separate from the request's metadata, which is not in the file."""

    title: NotRequired[str]
    """Title. Can contain {{bindings}}. Default: the title of the HTML, or else the name of the template. At most 500 characters."""
    author: NotRequired[str]
    """Author. Can contain {{bindings}}. At most 500 characters."""
    subject: NotRequired[str]
    """Subject. Can contain {{bindings}}. At most 500 characters."""
    keywords: NotRequired[Sequence[str]]
    """Keywords. Each can contain {{bindings}}. At most 20 strings of at most 100 characters."""
    language: NotRequired[str]
    """Document language, in all formats; also used as the lang attribute if the HTML has none. A language tag such as de or pt-BR (BCP 47, without extensions)."""


class GenerationOptions(TypedDict):
    """Print options. Omitted options use the template's value, or else the default."""

    page_size: NotRequired[Literal["letter", "a4", "legal", "a3", "a5", "tabloid", "dl", "c5", "custom"]]
    """Page size. custom requires width and height, which are not allowed with any other size. Default: letter."""
    width: NotRequired[str]
    """Width of a custom page size, up to 200in. A number with a unit: 0.5in, 12mm or 40px."""
    height: NotRequired[str]
    """Height of a custom page size, up to 200in. A number with a unit: 0.5in, 12mm or 40px."""
    orientation: NotRequired[Literal["portrait", "landscape"]]
    """Page orientation. Does not rotate a custom page size. Default: portrait."""
    scale: NotRequired[float]
    """Scale of the content. Page, margins, header and footer keep their size. 0.1 to 2. Default: 1."""
    margins: NotRequired[str | GenerationOptionsMargins]
    """Page margins."""
    header: NotRequired[GenerationOptionsHeader]
    """Part of every page between the top margin and the content."""
    footer: NotRequired[GenerationOptionsFooter]
    """Part of every page between the content and the bottom margin."""
    locale: NotRequired[str]
    """Locale for template helpers that do not set locale=. A language tag such as de-DE (BCP 47). Default: en-US."""
    time_zone: NotRequired[str]
    """Time zone for template helpers that do not set timeZone=. A time zone such as Europe/Berlin (IANA). Default: UTC."""
    page_ranges: NotRequired[str]
    """Pages to include in the file. The pages keep their order and their numbers from the whole document. At most 16 page ranges such as 1-3,5,8-. Default: 1-. Applies to pdf only."""
    quality: NotRequired[int]
    """Image quality. A lower value makes a smaller file. 1 to 100. Default: 90. Applies to jpeg and webp only."""
    device_scale: NotRequired[float]
    """Image pixels (png, jpeg, webp) per CSS pixel. 1 to 3. Default: 1."""
    full_page: NotRequired[bool]
    """Whether an image (png, jpeg, webp) shows the whole document, not only its first page. Default: true."""
    print_background: NotRequired[bool]
    """Whether to print backgrounds. Applies to PDFs only. Default: true."""
    tagged: NotRequired[bool]
    """Whether the PDF is tagged for screen readers. Printing then takes a little longer. Default: false."""
    outline: NotRequired[bool]
    """Whether the PDF has an outline of its headings. Enabling the outline also produces a tagged PDF. Default: false."""
    conformance: NotRequired[Literal["a-2b", "a-2u", "a-2a", "a-3b", "a-3u", "a-3a", "ua-1", "a-2a+ua-1", "a-3a+ua-1"]]
    """Level of PDF/A, for archives, or of PDF/UA, for accessibility. A document that cannot conform fails. The levels a-2a, a-3a and ua-1 also produce a tagged PDF. Applies to pdf only."""
    properties: NotRequired[GenerationOptionsProperties]
    """Properties of a PDF or DOCX file, as shown by viewers. They are separate from the request's metadata, which is not in the file."""


class HookLastDelivery(TypedDict):
    at: str
    """Start of the attempt."""
    delivered: bool
    """Whether the response was 2xx."""
    status: int | None
    """HTTP status of the response, if there was one."""
    duration_ms: int
    """Duration in milliseconds."""


class Hook(TypedDict):
    """An additional endpoint for the account's events."""

    id: str
    """ID."""
    source: Literal["zapier", "make"]
    """Platform of the hook."""
    url: str
    """URL that receives events."""
    events: Sequence[Literal["document.completed", "document.failed", "batch.progress", "batch.completed", "batch.failed"]]
    """Event types that the endpoint receives."""
    status: Literal["pending", "active", "failing", "unusable"]
    """`failing`: at least three attempts in a row have failed. `unusable`: nothing can be sent. `pending`: a change has not taken effect yet."""
    message: str | None
    """Description of the status."""
    failing_since: str | None
    """Time of the first failure since the last success."""
    last_delivery: HookLastDelivery | None
    """The last finished attempt; can lag by a few seconds."""
    pending: int
    """Number of pending deliveries; can lag by a few seconds."""
    spooled: int
    """Number of events waiting in the object store because too many deliveries are pending. These events are not listed yet. Can lag by a few seconds."""
    previous_secret_until: str | None
    """Time after which events are no longer signed with the previous secret."""
    created_at: str
    """Time of creation."""
    updated_at: str
    """Time of the last change through `/v1`, or else the creation time."""


class HookList(TypedDict):
    """One page of the list, newest first."""

    data: Sequence[Hook]
    pagination: Pagination


class HookRequest(TypedDict):
    source: Literal["zapier", "make"]
    """Platform of the hook."""
    url: str
    """URL that receives events. By default, it must use HTTPS and point to a public address. It must not contain a user name, password or fragment."""
    events: NotRequired[Sequence[Literal["document.completed", "document.failed", "batch.progress", "batch.completed", "batch.failed"]]]
    """Event types to receive. Default: all."""


class InlineEmailTemplate(TypedDict):
    """An email template. Send either this or `template_id`."""

    engine: Literal["handlebars-html"]
    """Template engine."""
    subject: str
    """Subject line. Can contain {{bindings}}; values are not escaped."""
    preheader: NotRequired[str]
    """Preview text, which email clients show next to the subject. Can contain {{bindings}}."""
    text: NotRequired[str]
    """Text alternative. Can contain {{bindings}}; values are not escaped. Default: derived from the HTML."""
    html: str
    """HTML with {{bindings}}, whose values are escaped, or {{{bindings}}}, whose values are not."""
    css: NotRequired[str]
    """CSS, without bindings. Inlined into style attributes where possible."""


class InlineTemplate(TypedDict):
    """A template in the request. Send either this or `template_id`. The request then also requires the `templates:write` scope. If the HTML has no title, `name` is the title of the PDF."""

    html: str
    """HTML with {{bindings}}, whose values are escaped, or {{{bindings}}}, whose values are not."""
    css: NotRequired[str | None]
    """CSS, without bindings."""
    schema: NotRequired[DataSchema | None]
    default_options: NotRequired[GenerationOptions | None]
    e_invoice: NotRequired[EInvoice | None]
    name: NotRequired[str]
    """Name."""


class InsufficientScopeError(TypedDict):
    """The API key lacks the required scope."""

    statusCode: int
    """401"""
    error: str
    """Unauthorized"""
    message: str
    """Message that names the required scope."""
    missingScopes: Sequence[str]
    yourScopes: Sequence[str]
    hint: str
    """Remedy."""


class NestedField(TypedDict):
    """Schema for the items or fields."""

    type: NotRequired[Literal["string", "number", "boolean", "array", "object"]]
    """Type of the value."""
    required: NotRequired[bool]
    """Whether a value is required."""
    default: NotRequired[Any]
    """Default value."""
    description: NotRequired[str]
    """Display name."""
    format: NotRequired[Literal["email", "url", "date"]]
    """Format of a string."""
    minLength: NotRequired[int]
    """Minimum length of a string."""
    maxLength: NotRequired[int]
    """Maximum length of a string."""
    pattern: NotRequired[str]
    """Regular expression that a string must match."""
    min: NotRequired[float]
    """Minimum value of a number."""
    max: NotRequired[float]
    """Maximum value of a number."""
    integer: NotRequired[bool]
    """Whether a number must be an integer."""
    minItems: NotRequired[int]
    """Minimum number of items in an array."""
    maxItems: NotRequired[int]
    """Maximum number of items in an array."""
    items: NotRequired[NestedField]
    properties: NotRequired[Mapping[str, NestedField]]


class Pagination(TypedDict):
    """Position of the page in the list."""

    has_more: bool
    """Whether there are more pages."""
    next_cursor: str | None
    """`cursor` for the next page; null on the last page."""
    total_count: int
    """Total number of entries across all pages."""


class PreviewEmail(TypedDict):
    subject: str
    """One line."""
    preheader: str
    """Preview text, one line."""
    text: str
    """Text alternative."""


class PreviewTimings(TypedDict):
    """Durations in milliseconds; 0 for a step that did not run."""

    check_ms: float
    """Time to check the template, the options and the data."""
    merge_ms: float
    """Time to merge the template with the data."""
    print_ms: float
    """Time to create the file, including the wait for a browser."""


class Preview(TypedDict):
    """A template with data, rendered but not stored."""

    file: str | None
    """The Base64-encoded file, or null. Present if there are no errors, or if only the data is invalid. For an email, the file is its HTML."""
    email: PreviewEmail | None
    """The other parts of an email, or null."""
    warnings: Sequence[DocumentWarning]
    """Possible problems in the document; empty if there are none."""
    errors: Sequence[PreviewError]
    """Problems that prevent a document from being generated; empty if there are none."""
    timings: PreviewTimings
    """Durations in milliseconds; 0 for a step that did not run."""


class PreviewError(TypedDict):
    """A problem with a template, or with its schema, options or data."""

    code: str
    """Error code, as listed in the error reference."""
    path: str | None
    """JSON Pointer into the body, or null."""
    message: str
    """The problem."""
    name: str | None
    """Subject, or null."""
    part: TemplatePart | None
    """Part that contains the problem, or null."""
    line: int | None
    """Line number in the part, or null."""
    column: int | None
    """Column number in the line, or null."""
    rule: str | None
    """Rule that the e-invoice breaks, or null."""
    term: str | None
    """Business term or group that breaks the rule, or null."""


class PreviewRequest(TypedDict):
    html: str
    """HTML with {{bindings}}, whose values are escaped, or {{{bindings}}}, whose values are not."""
    css: NotRequired[str | None]
    """CSS, without bindings."""
    schema: NotRequired[DataSchema | None]
    default_options: NotRequired[GenerationOptions | None]
    email: NotRequired[TemplateEmail | None]
    e_invoice: NotRequired[EInvoice | None]
    data: Mapping[str, Any]
    """Values for the bindings. An integer that a double cannot represent keeps all its digits; other numbers are doubles."""
    options: NotRequired[GenerationOptions]
    format: NotRequired[Literal["pdf", "png", "jpeg", "webp", "html", "docx", "xml", "email"]]
    """File format. Default: pdf. `email` requires the `email` field."""


class Publication(TypedDict):
    version: int | None
    """Stored version of the template, or null for the current one."""


class RequestEInvoice(TypedDict):
    """Your own e-invoice, for the format pdf or xml. It is checked like one that Trifold creates, and it replaces the template's `e_invoice` for this document."""

    profile: str
    """Rules that the invoice must follow. One of: `basic`, `en16931`, `xrechnung`. The invoice's specification identifier (BT-24) must match the profile."""
    xml: str
    """The invoice as a UN/CEFACT Cross Industry Invoice (CII, D16B) in UTF-8. Up to 1 MiB, without a DOCTYPE. The document contains exactly these bytes."""


class RequestEntry(TypedDict):
    """A request in the log."""

    request_id: str
    """ID of the request, as in the X-Request-Id header."""
    created_at: str
    """Time at which the request arrived."""
    method: str
    """HTTP method."""
    route: str
    """Path pattern of the route."""
    status: int
    """HTTP status of the response."""
    code: str | None
    """`code` of the error; null if the request succeeded."""
    resource_id: str | None
    """ID of the document, template or other resource that the request created or that its path names."""
    template_id: str | None
    """ID of the saved template that the request used."""
    key_id: str
    """ID of the API key."""
    key_name: NotRequired[str | None]
    """Name of the API key; null if it has been revoked. Only for keys with the `api-keys:read` scope."""
    duration_ms: int
    """Time from receiving the request headers to sending the complete response, in milliseconds."""


class RequestList(TypedDict):
    """One page of the list, newest first."""

    data: Sequence[RequestEntry]
    pagination: Pagination


class RetriedDeliveries(TypedDict):
    """Result of retrying several deliveries."""

    retried: int
    """Number of deliveries that this request retries."""
    has_more: bool
    """Whether more deliveries match."""
    next_cursor: str | None
    """`cursor` for the next request; null if no more deliveries match."""


class RetryDeliveriesRequest(TypedDict):
    event: NotRequired[EventType]
    """Only events of this type."""
    endpoint: NotRequired[str]
    """Only deliveries to this endpoint: `account`, or the ID of a hook."""
    since: NotRequired[str]
    """Only events created at this time or later."""
    cursor: NotRequired[str]
    """`next_cursor` from the previous response, sent with the same filters."""


class Sample(TypedDict):
    name: str
    """Name, unique within the template."""
    data: Mapping[str, Any]
    """Data as in a document request, at most 1 MiB of JSON. It is not checked against the schema."""


class SavedWebhookSettingsLastDelivery(TypedDict):
    at: str
    """Start of the attempt."""
    delivered: bool
    """Whether the response was 2xx."""
    status: int | None
    """HTTP status of the response, if there was one."""
    duration_ms: int
    """Duration in milliseconds."""


class SavedWebhookSettings(TypedDict):
    """The settings, with the secret if the service generated one."""

    url: str
    """URL that receives events."""
    events: Sequence[Literal["document.completed", "document.failed", "batch.progress", "batch.completed", "batch.failed"]]
    """Event types that the endpoint receives."""
    status: Literal["pending", "active", "failing", "unusable"]
    """`failing`: at least three attempts in a row have failed. `unusable`: nothing can be sent. `pending`: a change has not taken effect yet."""
    message: str | None
    """Description of the status."""
    failing_since: str | None
    """Time of the first failure since the last success."""
    last_delivery: SavedWebhookSettingsLastDelivery | None
    """The last finished attempt; can lag by a few seconds."""
    pending: int
    """Number of pending deliveries; can lag by a few seconds."""
    spooled: int
    """Number of events waiting in the object store because too many deliveries are pending. These events are not listed yet. Can lag by a few seconds."""
    previous_secret_until: str | None
    """Time after which events are no longer signed with the previous secret."""
    created_at: str
    """Time of creation."""
    updated_at: str
    """Time of the last change through `/v1`, or else the creation time."""
    secret: NotRequired[str]
    """Secret that signs deliveries. It is shown only once."""


class Storage(TypedDict):
    """Documents, data, records and template versions in the object store."""

    bytes: int | None
    """null until a controller has counted the objects for the first time."""
    limit: int | None
    """null: no limit."""
    as_of: str | None
    """Time of the count, usually at most five minutes ago."""


class Template(TypedDict):
    """A template."""

    id: str
    """ID, used as `template_id`."""
    name: str
    """Name."""
    description: str | None
    """Description, or null."""
    status: Literal["active", "draft", "archived"]
    """Archived templates do not generate documents."""
    version: int
    """Increases by one with each change, except publishing and samples."""
    created_at: str
    """Time of creation."""
    updated_at: str
    """Time of the last change through `/v1`, or else the creation time. Publishing and samples do not change it."""
    published_version: NotRequired[int]
    """Version that documents use by default. If it is absent, they use the saved version."""
    html: str
    """HTML with bindings."""
    css: str | None
    """CSS, or null."""
    schema: Mapping[str, Any] | None
    """The data schema, or null."""
    default_options: GenerationOptions | None
    """The default generation options, or null."""
    email: TemplateEmail | None
    """Email parts other than html and css, or null."""
    e_invoice: EInvoice | None
    """E-invoice, or null."""


class TemplateChange(TypedDict):
    name: NotRequired[str]
    """Name."""
    description: NotRequired[str | None]
    """Description."""
    status: NotRequired[Literal["active", "draft", "archived"]]
    """Active and draft templates generate documents; archived templates do not."""
    html: NotRequired[str]
    """HTML with {{bindings}}, whose values are escaped, or {{{bindings}}}, whose values are not."""
    css: NotRequired[str | None]
    """CSS, without bindings."""
    schema: NotRequired[DataSchema | None]
    default_options: NotRequired[GenerationOptions | None]
    email: NotRequired[TemplateEmail | None]
    e_invoice: NotRequired[EInvoice | None]
    samples: NotRequired[Sequence[Sample]]
    """At most 2 MiB of JSON."""


class TemplateEmail(TypedDict):
    """Email parts other than html and css. Required by `POST /v1/emails/compile`."""

    subject: str
    """Subject line. Can contain {{bindings}}; values are not escaped."""
    preheader: NotRequired[str]
    """Preview text, which email clients show next to the subject. Can contain {{bindings}}."""
    text: NotRequired[str]
    """Text alternative. Can contain {{bindings}}; values are not escaped. Default: derived from the HTML."""


class TemplateEntry(TypedDict):
    """A template in a list."""

    id: str
    """ID, used as `template_id`."""
    name: str
    """Name."""
    description: str | None
    """Description, or null."""
    status: Literal["active", "draft", "archived"]
    """Archived templates do not generate documents."""
    version: int
    """Increases by one with each change, except publishing and samples."""
    created_at: str
    """Time of creation."""
    updated_at: str
    """Time of the last change through `/v1`, or else the creation time. Publishing and samples do not change it."""
    published_version: NotRequired[int]
    """Version that documents use by default. If it is absent, they use the saved version."""


class TemplateList(TypedDict):
    """One page of the list, newest first."""

    data: Sequence[TemplateEntry]
    pagination: Pagination


class TemplateRequest(TypedDict):
    name: str
    """Name."""
    description: NotRequired[str | None]
    """Description."""
    status: NotRequired[Literal["active", "draft", "archived"]]
    """Active and draft templates generate documents; archived templates do not."""
    html: str
    """HTML with {{bindings}}, whose values are escaped, or {{{bindings}}}, whose values are not."""
    css: NotRequired[str | None]
    """CSS, without bindings."""
    schema: NotRequired[DataSchema | None]
    default_options: NotRequired[GenerationOptions | None]
    email: NotRequired[TemplateEmail | None]
    e_invoice: NotRequired[EInvoice | None]


class TemplateSamples(TypedDict):
    """Named sample data for a template."""

    samples: Sequence[Sample]
    """At most 2 MiB of JSON."""


class TemplateVersion(TypedDict):
    """A stored version of a template."""

    version: int
    """Version of the template."""
    created_at: str
    """Time of the change. For a change made with kubectl, the time at which the service detected it."""
    change: Literal["created", "updated", "restored"]
    """Origin of the content."""
    by: Literal["key", "kubectl"]
    """`key`: through `/v1`. `kubectl`: through the API server."""


class TemplateVersionList(TypedDict):
    """One page of the list, newest first."""

    data: Sequence[TemplateVersion]
    pagination: Pagination


class TestEventData(TypedDict):
    endpoint: str
    """ID of the tested endpoint; `account` for the account webhook."""


class UnfinishedDocument(TypedDict):
    """A document that is waiting for a renderer or being rendered."""

    id: str
    """ID of the document."""
    template_id: str | None
    """ID of the template; null if the request contained the template."""
    template_version: int | None
    """Version of the template; null if the request contained the template, or if the version is not selected yet."""
    request_id: str | None
    """ID of the request that created the document, as in its `X-Request-Id` header; null for a document created with kubectl."""
    format: DocumentFormat
    """File format."""
    status_url: str
    """Path of the status."""
    created_at: str
    """Time of acceptance."""
    expires_at: str
    """Time at which the file expires: 24 hours after `created_at`, or earlier if the GenerationJob sets `expiresAt`."""
    filename: NotRequired[str]
    """The `filename` from the request, if any, made safe and with its extension."""
    metadata: NotRequired[Mapping[str, str]]
    """The `metadata` from the request, if any."""
    key_id: NotRequired[str | None]
    """ID of the API key that created the document; null for a document created with kubectl. Returned only when you read a single document."""
    options: NotRequired[GenerationOptions | None]
    """The `options` from the request; null if the request had none or they are no longer stored. Options are stored for as long as the data. Returned only when you read a single document."""
    status: Literal["pending", "processing"]


Usage = TypedDict(
    "Usage",
    {
        "from": "str",
        "to": "str",
        "data": "Sequence[UsageEntry]",
        "total": "UsageTotal",
        "as_of": "str | None",
        "storage": "Storage",
    },
)


class UsageEntryDocumentsLive(TypedDict):
    """Generated documents by format. Batch items count as documents."""

    pdf: int
    """PDF."""
    png: int
    """PNG."""
    jpeg: int
    """JPEG."""
    webp: int
    """WebP."""
    html: int
    """HTML."""
    docx: int
    """DOCX."""
    xml: int
    """XML."""


class UsageEntryDocumentsTest(TypedDict):
    """Generated documents by format. Batch items count as documents."""

    pdf: int
    """PDF."""
    png: int
    """PNG."""
    jpeg: int
    """JPEG."""
    webp: int
    """WebP."""
    html: int
    """HTML."""
    docx: int
    """DOCX."""
    xml: int
    """XML."""


class UsageEntryDocuments(TypedDict):
    """Counts by key type."""

    live: UsageEntryDocumentsLive
    """Generated documents by format. Batch items count as documents."""
    test: UsageEntryDocumentsTest
    """Generated documents by format. Batch items count as documents."""


class UsageEntry(TypedDict):
    """Usage for one day or month, for both key types."""

    date: str
    """The day (`2026-11-21`) or month (`2026-11`)."""
    documents: UsageEntryDocuments
    """Counts by key type."""
    failed: int
    """Documents that failed."""
    pages: int
    """Total number of pages in completed PDF documents."""
    bytes: int
    """Total size of completed documents, in bytes."""
    batches: int
    """Finished batches."""
    emails: int
    """Emails compiled."""


class UsageTotalDocumentsLive(TypedDict):
    """Generated documents by format. Batch items count as documents."""

    pdf: int
    """PDF."""
    png: int
    """PNG."""
    jpeg: int
    """JPEG."""
    webp: int
    """WebP."""
    html: int
    """HTML."""
    docx: int
    """DOCX."""
    xml: int
    """XML."""


class UsageTotalDocumentsTest(TypedDict):
    """Generated documents by format. Batch items count as documents."""

    pdf: int
    """PDF."""
    png: int
    """PNG."""
    jpeg: int
    """JPEG."""
    webp: int
    """WebP."""
    html: int
    """HTML."""
    docx: int
    """DOCX."""
    xml: int
    """XML."""


class UsageTotalDocuments(TypedDict):
    """Counts by key type."""

    live: UsageTotalDocumentsLive
    """Generated documents by format. Batch items count as documents."""
    test: UsageTotalDocumentsTest
    """Generated documents by format. Batch items count as documents."""


class UsageTotal(TypedDict):
    """Sum of all entries."""

    documents: UsageTotalDocuments
    """Counts by key type."""
    failed: int
    """Documents that failed."""
    pages: int
    """Total number of pages in completed PDF documents."""
    bytes: int
    """Total size of completed documents, in bytes."""
    batches: int
    """Finished batches."""
    emails: int
    """Emails compiled."""


class VersionPreviewRequest(TypedDict):
    data: Mapping[str, Any]
    """Values for the bindings. An integer that a double cannot represent keeps all its digits; other numbers are doubles."""
    options: NotRequired[GenerationOptions]
    format: NotRequired[Literal["pdf", "png", "jpeg", "webp", "html", "docx", "xml", "email"]]
    """File format. Default: pdf. `email` requires the `email` field."""


class WebhookList(TypedDict):
    """One page of the list, newest first."""

    data: Sequence[WebhookSettings]
    pagination: Pagination


class WebhookSettingsLastDelivery(TypedDict):
    at: str
    """Start of the attempt."""
    delivered: bool
    """Whether the response was 2xx."""
    status: int | None
    """HTTP status of the response, if there was one."""
    duration_ms: int
    """Duration in milliseconds."""


class WebhookSettings(TypedDict):
    """The account webhook."""

    url: str
    """URL that receives events."""
    events: Sequence[Literal["document.completed", "document.failed", "batch.progress", "batch.completed", "batch.failed"]]
    """Event types that the endpoint receives."""
    status: Literal["pending", "active", "failing", "unusable"]
    """`failing`: at least three attempts in a row have failed. `unusable`: nothing can be sent. `pending`: a change has not taken effect yet."""
    message: str | None
    """Description of the status."""
    failing_since: str | None
    """Time of the first failure since the last success."""
    last_delivery: WebhookSettingsLastDelivery | None
    """The last finished attempt; can lag by a few seconds."""
    pending: int
    """Number of pending deliveries; can lag by a few seconds."""
    spooled: int
    """Number of events waiting in the object store because too many deliveries are pending. These events are not listed yet. Can lag by a few seconds."""
    previous_secret_until: str | None
    """Time after which events are no longer signed with the previous secret."""
    created_at: str
    """Time of creation."""
    updated_at: str
    """Time of the last change through `/v1`, or else the creation time."""


class WebhookSettingsRequest(TypedDict):
    url: str
    """URL that receives events. By default, it must use HTTPS and point to a public address. It must not contain a user name, password or fragment."""
    events: NotRequired[Sequence[Literal["document.completed", "document.failed", "batch.progress", "batch.completed", "batch.failed"]]]
    """Event types to receive. Default: all."""
    rotate_secret: NotRequired[bool]
    """Whether to generate a new secret. For 24 hours, events are also signed with the previous one."""


class WebhookTestEvent(TypedDict):
    """The account sent a test event. Not retried."""

    id: str
    """Identifier of the event. An event may be delivered more than once: use the identifier to deduplicate."""
    type: Literal["webhook.test"]
    created_at: str
    api_version: Literal["2026-11-01"]
    data: TestEventData


class WebhookTestResultError(TypedDict):
    code: str
    """Stable error code that programs can rely on."""
    message: str
    """Human-readable message."""


class WebhookTestResult(TypedDict):
    """Result of a test event."""

    delivered: bool
    """Whether the endpoint responded with 2xx."""
    status: int | None
    """HTTP status of the response, if there was one."""
    duration_ms: int
    """Duration in milliseconds."""
    error: WebhookTestResultError | None
    """Reason for the failure."""


class PdfRequest(TypedDict):
    """Request of `documents.pdf`."""

    template_id: NotRequired[str]
    """ID of a template. Send either this or `template`."""
    template: NotRequired[InlineTemplate]
    version: NotRequired[int]
    """Stored version of the template to use. Default: the published version, or the current one if none is published."""
    data: Mapping[str, Any]
    """Values for the bindings. An integer that a double cannot represent keeps all its digits; other numbers are doubles."""
    options: NotRequired[GenerationOptions]
    filename: NotRequired[str]
    """File name for the download."""
    metadata: NotRequired[Mapping[str, str]]
    """Up to 20 strings that the service stores and shows with the document. Names have up to 40 characters; the JSON has up to 1,024 bytes."""
    attachments: NotRequired[Sequence[Attachment]]
    """Files to attach to the document. A document has up to 10 attachments with up to 4 MiB in total, each with a different name. Only for PDF, and not with a `conformance` of PDF/A-2."""
    e_invoice: NotRequired[RequestEInvoice]


class ListTemplatesQuery(TypedDict):
    """Query of the operation listTemplates."""

    limit: NotRequired[int]
    """Entries per page."""
    cursor: NotRequired[str]
    """`next_cursor` from the previous page, sent with the same filters."""
    status: NotRequired[Literal["active", "draft", "archived"]]
    """Only entries with this status."""
    email: NotRequired[bool]
    """Only templates with (true) or without (false) email parts."""
    q: NotRequired[str]
    """Only entries whose name contains this string. Case-insensitive."""


class ListTemplateVersionsQuery(TypedDict):
    """Query of the operation listTemplateVersions."""

    limit: NotRequired[int]
    """Entries per page."""
    cursor: NotRequired[str]
    """`next_cursor` from the previous page, sent with the same filters."""


class ListDocumentsQuery(TypedDict):
    """Query of the operation listDocuments."""

    limit: NotRequired[int]
    """Entries per page."""
    cursor: NotRequired[str]
    """`next_cursor` from the previous page, sent with the same filters."""
    status: NotRequired[DocumentStatus]
    """Only entries with this status."""
    template_id: NotRequired[str]
    """Only entries for this template."""
    metadata: NotRequired[Mapping[str, str]]
    """Only entries whose metadata has these fields with exactly these values, such as `metadata[order]=A-17`."""
    q: NotRequired[str]
    """Only entries whose file name or current template name contains this string, or whose ID is this string. Case-insensitive."""


class ListBatchesQuery(TypedDict):
    """Query of the operation listBatches."""

    limit: NotRequired[int]
    """Entries per page."""
    cursor: NotRequired[str]
    """`next_cursor` from the previous page, sent with the same filters."""
    status: NotRequired[DocumentStatus]
    """Only entries with this status."""
    template_id: NotRequired[str]
    """Only entries for this template."""
    metadata: NotRequired[Mapping[str, str]]
    """Only entries whose metadata has these fields with exactly these values, such as `metadata[order]=A-17`."""
    q: NotRequired[str]
    """Only entries whose file name or current template name contains this string, or whose ID is this string. Case-insensitive."""


class ListApiKeysQuery(TypedDict):
    """Query of the operation listApiKeys."""

    limit: NotRequired[int]
    """Entries per page."""
    cursor: NotRequired[str]
    """`next_cursor` from the previous page, sent with the same filters."""
    q: NotRequired[str]
    """Only entries whose name contains this string. Case-insensitive."""


ReadUsageQuery = TypedDict(
    "ReadUsageQuery",
    {
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
        "granularity": "NotRequired[Literal['day', 'month']]",
    },
)


class ReadBillingQuery(TypedDict):
    """Query of the operation readBilling."""

    period: NotRequired[str]
    """The month, in UTC. Default: the current month."""


class ListRequestsQuery(TypedDict):
    """Query of the operation listRequests."""

    limit: NotRequired[int]
    """Entries per page."""
    cursor: NotRequired[str]
    """`next_cursor` from the previous page, sent with the same filters."""
    outcome: NotRequired[Literal["failed", "succeeded"]]
    """`failed`: only requests with a status of 400 or higher. `succeeded`: only successful writes."""
    request_id: NotRequired[str]
    """Only the request with this ID."""


class ListDeliveriesQuery(TypedDict):
    """Query of the operation listDeliveries."""

    limit: NotRequired[int]
    """Entries per page."""
    cursor: NotRequired[str]
    """`next_cursor` from the previous page, sent with the same filters."""
    event: NotRequired[EventType]
    """Only events of this type."""
    endpoint: NotRequired[str]
    """Only deliveries to this endpoint: `account`, or the ID of a hook."""
    subject: NotRequired[str]
    """Only deliveries of events about this document or batch."""
    status: NotRequired[Literal["pending", "delivered", "failed"]]
    """Only entries with this status."""
    state: NotRequired[Literal["pending", "delivered", "failed"]]
    """Alias for `status`. If the two differ, no entries match."""


class ListHooksQuery(TypedDict):
    """Query of the operation listHooks."""

    limit: NotRequired[int]
    """Entries per page."""
    cursor: NotRequired[str]
    """`next_cursor` from the previous page, sent with the same filters."""
    q: NotRequired[str]
    """Only entries whose URL contains this string. Case-insensitive."""


DocumentFormat: TypeAlias = Literal["pdf", "png", "jpeg", "webp", "html", "docx", "xml"]
DocumentStatus: TypeAlias = Literal["pending", "processing", "completed", "failed"]
EventType: TypeAlias = Literal["document.completed", "document.failed", "batch.progress", "batch.completed", "batch.failed", "generation.completed", "generation.failed", "webhook.test"]
Scope: TypeAlias = Literal["templates:read", "templates:write", "documents:generate", "api-keys:read", "api-keys:write", "usage:read", "webhooks:read", "webhooks:write"]
TemplatePart: TypeAlias = Literal["html", "css", "schema", "data", "options", "properties", "email", "e_invoice", "email.subject", "email.preheader", "email.text", "header", "header.first", "header.last", "header.even", "header.odd", "footer", "footer.first", "footer.last", "footer.even", "footer.odd"]
Document: TypeAlias = UnfinishedDocument | CompletedDocument | FailedDocument
DocumentData: TypeAlias = Mapping[str, Any]
