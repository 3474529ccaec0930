import {
  GATEWAY_LABEL,
  type Batch,
  type BatchSpec,
  type BatchStatus,
  type GenerationJob,
  type GenerationJobSpec,
  type ObjectMeta,
  type Template,
  type TemplateSpec,
  type WebhookDelivery,
  type WebhookDeliverySpec,
} from '@trifold/crds';

/** Noon on 21 November 2026, when a FakeClock starts, and an id with that time. */
export const NOON = '2026-11-21T12:00:00Z';
export const NOON_ID = 'gen-01m7yzmhg0vaqj9wbz3kmt47vc';

/** What the gateway records about the template and the key. */
const PINNED = { templateRef: { name: 'invoice' }, revision: 'a'.repeat(64), version: 3, keyId: 'key-1' };

/** Returns metadata as the API server does. */
function readMetadata(own: Partial<ObjectMeta>, changed: Partial<ObjectMeta> = {}): ObjectMeta {
  return {
    name: NOON_ID,
    namespace: 'acme',
    uid: 'a8f5c3e2-4b1d-4c67-9f3a-2e8d7b6c5a41',
    resourceVersion: '7',
    generation: 1,
    creationTimestamp: NOON,
    ...own,
    ...changed,
  };
}

/** Returns a job as created by a gateway that waits for the document, read back from the API server. */
export function aJob(
  changes: { metadata?: Partial<ObjectMeta>; spec?: Partial<GenerationJobSpec>; status?: object } = {},
): GenerationJob {
  return {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: 'GenerationJob',
    metadata: readMetadata({ labels: { [GATEWAY_LABEL]: 'gw-1' } }, changes.metadata),
    spec: {
      ...PINNED,
      data: { number: 'R-17' },
      ...changes.spec,
    },
    ...(changes.status !== undefined && { status: changes.status }),
  };
}

/** Returns a template as read from the API server. */
export function aTemplate(
  changes: { metadata?: Partial<ObjectMeta>; spec?: Partial<TemplateSpec>; status?: object } = {},
): Template {
  return {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: 'Template',
    metadata: readMetadata(
      { name: 'invoice', uid: '0d2b7c16-93e4-4f0e-8a55-6c1f9be0d3a7', resourceVersion: '5', generation: 3 },
      changes.metadata,
    ),
    spec: { displayName: 'Invoice', html: '<p>{{number}}</p>', ...changes.spec },
    ...(changes.status !== undefined && { status: changes.status }),
  };
}

export const NOON_BATCH_ID = 'bat-01m7yzmhg0vaqj9wbz3kmt47vc';

/** Returns a batch as the gateway creates it, read back from the API server. */
export function aBatch(
  changes: { metadata?: Partial<ObjectMeta>; spec?: Partial<BatchSpec>; status?: BatchStatus } = {},
): Batch {
  return {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: 'Batch',
    metadata: readMetadata(
      { name: NOON_BATCH_ID, uid: 'c3d1f0a7-5e2b-4a98-8d6c-7b9e0f1a2c34' },
      changes.metadata,
    ),
    spec: {
      ...PINNED,
      itemsRef: { prefix: `documents/20261121T1200Z/acme/${NOON_BATCH_ID}/`, size: 60 },
      total: 3,
      ...changes.spec,
    },
    ...(changes.status !== undefined && { status: changes.status }),
  };
}

/** Returns a delivery to an endpoint, read back from the API server. */
export function aDelivery(
  changes: {
    metadata?: Partial<ObjectMeta>;
    spec?: Partial<WebhookDeliverySpec>;
    status?: WebhookDelivery['status'];
  } = {},
): WebhookDelivery {
  return {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: 'WebhookDelivery',
    metadata: readMetadata({ name: 'whd-1' }, changes.metadata),
    spec: {
      event: { id: 'evt-1', type: 'document.completed', createdAt: NOON, payload: '{}' },
      endpointRef: { name: 'account', uid: 'e-1' },
      ...changes.spec,
    },
    ...(changes.status !== undefined && { status: changes.status }),
  };
}
