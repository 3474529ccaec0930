import type { Schemas } from '../resources/resource.ts';

/** Data of events about a completed document. */
export type CompletedDocumentData = Readonly<Schemas['CompletedDocumentData']>;

/** Data of events about a failed document. */
export type FailedDocumentData = Readonly<Schemas['FailedDocumentData']>;

/** Data of events about a batch. */
export type BatchData = Readonly<Schemas['BatchEventData']>;

/** Data of the test event. */
export type TestData = Readonly<Schemas['TestEventData']>;

/** A signed event, delivered to the account's webhook and to hook destinations. `type` distinguishes the variants. */
export type WebhookEvent = Readonly<
  | Schemas['DocumentCompletedEvent']
  | Schemas['DocumentFailedEvent']
  | Schemas['BatchProgressEvent']
  | Schemas['BatchCompletedEvent']
  | Schemas['BatchFailedEvent']
  | Schemas['WebhookTestEvent']
>;

/** An event posted to a request's `webhook_url`. It is not signed, so read the document from the service by its ID. */
export type CallbackEvent = Readonly<Schemas['GenerationCompletedEvent'] | Schemas['GenerationFailedEvent']>;
