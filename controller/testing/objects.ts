import {
  GATEWAY_LABEL,
  type Batch,
  type GenerationJob,
  type KubernetesObject,
  type ObjectMeta,
  type Template,
  type WebhookDelivery,
} from '@trifold/crds';

/** Noon on 21 November 2026, when a FakeClock starts, and an ID with that time. */
export const NOON = '2026-11-21T12:00:00Z';
export const NOON_ID = 'gen-01m7yzmhg0vaqj9wbz3kmt47vc';

/** The gateway's record of the template, and the key. */
const PINNED = { templateRef: { name: 'invoice' }, revision: 'a'.repeat(64), version: 3, keyId: 'key-1' };

interface WithSpec extends KubernetesObject {
  readonly spec: object;
}

interface Changes<R extends WithSpec> {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: Partial<R['spec']>;
  readonly status?: object;
}

/** Returns a function that creates objects of a kind, as read from the API server. */
function creatorOf<R extends WithSpec>(kind: string, own: Partial<ObjectMeta>, spec: R['spec']) {
  return ({ status, ...changes }: Changes<R> = {}): R => {
    const metadata = {
      name: NOON_ID,
      namespace: 'acme',
      uid: 'a8f5c3e2-4b1d-4c67-9f3a-2e8d7b6c5a41',
      resourceVersion: '7',
      generation: 1,
      creationTimestamp: NOON,
      ...own,
      ...changes.metadata,
    };
    const content = { spec: { ...structuredClone(spec), ...changes.spec }, ...(status && { status }) };
    const object: WithSpec = { apiVersion: 'trifold.dev/v1alpha1', kind, metadata, ...content };
    return object as R;
  };
}

/** Creates a job as a gateway that waits for the document does. */
export const aJob = creatorOf<GenerationJob>(
  'GenerationJob',
  { labels: { [GATEWAY_LABEL]: 'gw-1' } },
  { ...PINNED, data: { number: 'R-17' } },
);

export const aTemplate = creatorOf<Template>(
  'Template',
  { name: 'invoice', uid: '0d2b7c16-93e4-4f0e-8a55-6c1f9be0d3a7', resourceVersion: '5', generation: 3 },
  { displayName: 'Invoice', html: '<p>{{number}}</p>' },
);

export const NOON_BATCH_ID = 'bat-01m7yzmhg0vaqj9wbz3kmt47vc';

/** Creates a batch as the gateway does. */
export const aBatch = creatorOf<Batch>(
  'Batch',
  { name: NOON_BATCH_ID, uid: 'c3d1f0a7-5e2b-4a98-8d6c-7b9e0f1a2c34' },
  {
    ...PINNED,
    itemsRef: { prefix: `documents/20261121T1200Z/acme/${NOON_BATCH_ID}/`, size: 60 },
    total: 3,
  },
);

/** Creates a delivery to an endpoint. */
export const aDelivery = creatorOf<WebhookDelivery>(
  'WebhookDelivery',
  { name: 'whd-1' },
  {
    event: { id: 'evt-1', type: 'document.completed', createdAt: NOON, payload: '{}' },
    endpointRef: { name: 'account', uid: 'e-1' },
  },
);
