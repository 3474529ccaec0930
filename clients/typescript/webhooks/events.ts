import type { Schemas } from '../resources/schemas.ts';

/** Data of the events about a document that is there. */
export type CompletedDocumentData = Readonly<Schemas['CompletedDocumentData']>;

/** Data of the events about a document that could not be made. */
export type FailedDocumentData = Readonly<Schemas['FailedDocumentData']>;

/** Data of the events about a batch. */
export type BatchData = Readonly<Schemas['BatchEventData']>;

/** Data of the event that is sent to try a webhook. */
export type TestData = Readonly<Schemas['TestEventData']>;

/** What is delivered, signed, to the account's webhook and to hook destinations. `type` tells them apart. */
export type WebhookEvent = Readonly<
  | Schemas['DocumentCompletedEvent']
  | Schemas['DocumentFailedEvent']
  | Schemas['BatchProgressEvent']
  | Schemas['BatchCompletedEvent']
  | Schemas['BatchFailedEvent']
  | Schemas['WebhookTestEvent']
>;

/** What is posted to a request's own `webhook_url`. It is not signed: ask the service for the document by its id. */
export type CallbackEvent = Readonly<Schemas['GenerationCompletedEvent'] | Schemas['GenerationFailedEvent']>;
