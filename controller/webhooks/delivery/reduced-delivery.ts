import { RETRY_ANNOTATION, retryOf, type WebhookDelivery } from '@trifold/crds';
import { identityMetadata } from '@trifold/platform/kubernetes/cache/identity-metadata.ts';
import { originOf } from './delivery-indexes.ts';

/** Maximum length of the scheme, host and port, in characters. The API server accepts strings that are not URLs. */
const MAX_ORIGIN = 300;

/**
 * Returns the cached part of a delivery: its destination, due time and outcome. An account can have hundreds of
 * thousands, and the receivers' responses take up most of the memory. Attempts read the delivery from the API server.
 */
export function reducedDelivery(delivery: WebhookDelivery): WebhookDelivery {
  const { apiVersion, kind, metadata, spec } = delivery;
  const { attempts: _, conditions: _conditions, lastError: _error, ...status } = delivery.status ?? {};
  const retry = retryOf(delivery);
  return {
    apiVersion,
    kind,
    metadata: {
      ...identityMetadata(metadata),
      ...(retry !== undefined && { annotations: { [RETRY_ANNOTATION]: retry } }),
    },
    spec: {
      ...spec,
      event: { ...spec.event, payload: '' },
      // Attempts to one host share a queue.
      ...(spec.url !== undefined && { url: originOf(spec.url).slice(0, MAX_ORIGIN) }),
    },
    status,
  };
}
