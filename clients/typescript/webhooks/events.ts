/** What every event has (interface, "Envelope"). */
interface Envelope<Type extends string, Data> {
  /** The same on every delivery of the event: use it to see an event once. */
  readonly id: string;
  readonly type: Type;
  /** ISO 8601. */
  readonly created_at: string;
  /** Date of the version of this shape, `2026-11-01`. */
  readonly api_version: string;
  readonly data: Data;
}

/** Data of the events about a document that is there. */
export interface CompletedDocumentData {
  readonly id: string;
  readonly status: 'completed';
  readonly template_id: string;
  /** Below the base URL; `documents.download` takes the id. */
  readonly file_url: string;
  readonly status_url: string;
  /** Bytes. */
  readonly file_size: number;
  readonly render_time_ms: number;
  /** ISO 8601. */
  readonly expires_at: string;
}

/** Data of the events about a document that could not be made. */
export interface FailedDocumentData {
  readonly id: string;
  readonly status: 'failed';
  readonly template_id: string;
  readonly status_url: string;
  readonly error: { readonly code: string; readonly message: string };
  /** ISO 8601. */
  readonly created_at: string;
}

/** Data of the events about a batch. */
export interface BatchData {
  readonly id: string;
  readonly status: 'processing' | 'completed' | 'failed';
  readonly template_id: string;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly status_url: string;
}

/** Data of the event that is sent to try a webhook. */
export interface TestData {
  /** Id of the endpoint; `account` is the account's own. */
  readonly endpoint: string;
}

/** What is delivered, signed, to the account's webhook and to hook destinations. `type` tells them apart. */
export type WebhookEvent =
  | Envelope<'document.completed', CompletedDocumentData>
  | Envelope<'document.failed', FailedDocumentData>
  | Envelope<'batch.progress', BatchData>
  | Envelope<'batch.completed', BatchData>
  | Envelope<'batch.failed', BatchData>
  | Envelope<'webhook.test', TestData>;

/** What is posted to a request's own `webhook_url`. It is not signed: ask the service for the document by its id. */
export type CallbackEvent =
  | Envelope<'generation.completed', CompletedDocumentData>
  | Envelope<'generation.failed', FailedDocumentData>;
