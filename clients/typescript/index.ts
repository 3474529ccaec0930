/** Typed client for the Trifold document service. */
export { TrifoldClient, type ClientOptions } from './client.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  ExpiredError,
  ForbiddenError,
  GenerationFailedError,
  MissingScopesError,
  NotFoundError,
  RateLimitError,
  ServiceUnavailableError,
  TimeoutError,
  ValidationError,
} from './errors/errors.ts';
export { TrifoldError, type ErrorDetail } from './errors/trifold-error.ts';
export { parseJson } from './transport/long-integers.ts';
export type { ApiKey, ApiKeys, CreatedApiKey, NewApiKey, Scope } from './resources/api-keys.ts';
export type {
  Batch,
  Batches,
  BatchItem,
  BatchQuery,
  BatchRequest,
  BatchWaitOptions,
  BatchWithItems,
  FinishedBatch,
} from './resources/batches.ts';
export type { DocumentQuery, Documents } from './resources/documents.ts';
export type { Download } from './resources/download.ts';
export type { CompiledEmail, CompileRequest, Emails, InlineEmailTemplate } from './resources/emails.ts';
export type {
  CompletedGeneration,
  DocumentFormat,
  FailedGeneration,
  FinishedGeneration,
  GenerateRequest,
  Generation,
  GenerationOptions,
  InlineTemplate,
  Length,
  PageEdge,
  PdfRequest,
  UnfinishedGeneration,
} from './resources/generation.ts';
export type { Page, PageQuery } from './resources/resource.ts';
export type { WaitOptions } from './resources/polling.ts';
export type { RequestEntry, RequestQuery, Requests } from './resources/requests.ts';
export type {
  FieldDefinition,
  NestedField,
  NewTemplate,
  Preview,
  PreviewError,
  PreviewOptions,
  PreviewRequest,
  Template,
  TemplateChange,
  TemplateEmail,
  TemplateEntry,
  TemplateQuery,
  Templates,
  TemplateSample,
  TemplateSchema,
  TemplateStatus,
  TemplateVersion,
  TemplateVersionQuery,
  TemplateVersions,
  UpdateOptions,
  VersionPreviewRequest,
} from './resources/templates.ts';
export type {
  BilledUnit,
  Billing,
  BillingQuery,
  BillingReports,
  Usage,
  UsageCounts,
  UsageQuery,
  UsageReports,
} from './resources/usage.ts';
export type {
  AccountWebhook,
  CreatedHook,
  Deliveries,
  DeliveryAttempt,
  DeliveryEntry,
  DeliveryQuery,
  Hook,
  Hooks,
  NewHook,
  NewWebhookSettings,
  RetriedDeliveries,
  RetryDeliveriesRequest,
  SavedWebhookSettings,
  SubscribableEvent,
  WebhookDelivery,
  WebhookDestination,
  Webhooks,
  WebhookSettings,
  WebhookTestResult,
} from './resources/webhooks.ts';
export type { CallOptions, CreateOptions } from './transport/call.ts';
export type {
  BatchData,
  CallbackEvent,
  CompletedDocumentData,
  FailedDocumentData,
  TestData,
  WebhookEvent,
} from './webhooks/events.ts';
export {
  verifyWebhook,
  WebhookVerificationError,
  type Delivery,
  type DeliveryHeaders,
  type VerificationFailure,
} from './webhooks/verify-webhook.ts';
