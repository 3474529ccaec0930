import { isRetryAsked, RETRY_ANNOTATION, timeOfId, type WebhookDelivery } from '@trifold/crds';
import { slimMetadata } from '../../server/pagination/slim-metadata.ts';

/** Reduces a delivery to the fields that lists show and sort by, and that a retry checks: an account may have hundreds of thousands. */
export function slimDelivery(delivery: WebhookDelivery): WebhookDelivery {
  const { apiVersion, kind, metadata, spec, status } = delivery;
  const { id, type, createdAt } = spec.event;
  return {
    apiVersion,
    kind,
    metadata: {
      ...slimMetadata(metadata),
      // Evaluated here: the slimmed status has no `retry`.
      ...(isRetryAsked(delivery) && { annotations: { [RETRY_ANNOTATION]: 'asked' } }),
    },
    spec: {
      // Most names contain the time.
      event: { id, type, createdAt: timeOfId(metadata.name) ? '' : createdAt, payload: '' },
      ...(spec.endpointRef && { endpointRef: { name: spec.endpointRef.name, uid: '' } }),
    },
    ...(status && { status: slimStatus(status) }),
  };
}

function slimStatus(status: NonNullable<WebhookDelivery['status']>) {
  const { phase, attemptCount, nextAttemptAt, lastError } = status;
  return {
    ...(phase && { phase }),
    ...(attemptCount !== undefined && { attemptCount }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt }),
    // Its code says whether a retry can succeed.
    ...(lastError && { lastError: { code: lastError.code, message: '' } }),
  };
}
