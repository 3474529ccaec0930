import type { RequestSource } from '@trifold/platform/kubernetes/controller/request-source.ts';

/** Requests for reconciles that are not triggered by a change to an object. */
export interface WebhookRequests {
  readonly deliveries: Pick<RequestSource, 'enqueue'>;
  readonly endpoints: Pick<RequestSource, 'enqueue'>;
  /** A request names a spool's account and destination. */
  readonly spools: Pick<RequestSource, 'enqueue'>;
}
