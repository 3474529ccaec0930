import type { RequestSource } from '@trifold/platform/kubernetes/controller/request-source.ts';

/** Requests for reconciles that follow from no change of an object. */
export interface WebhookRequests {
  readonly deliveries: Pick<RequestSource, 'enqueue'>;
  readonly endpoints: Pick<RequestSource, 'enqueue'>;
  /** A request names the account and the destination of a spool. */
  readonly spools: Pick<RequestSource, 'enqueue'>;
}
