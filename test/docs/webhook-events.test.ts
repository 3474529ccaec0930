import { deliveriesOfBatch } from '@trifold/controller/webhooks/events/batch-events.ts';
import { deliveriesOfJob } from '@trifold/controller/webhooks/events/job-events.ts';
import {
  encodeEvent,
  EVENT_TYPES,
  eventIdOf,
  type Batch,
  type Draft,
  type GenerationJob,
  type WebhookDelivery,
} from '@trifold/crds';
import { expect, it } from 'vitest';
import { blocks, page, quoted } from './pages.ts';

const webhooks = await page('docs/webhooks.md');
const [, section = ''] = /^## Events$([\s\S]*?)^## /m.exec(webhooks) ?? [];

const API = 'trifold.dev/v1alpha1';
const BEGIN = '2026-11-21T09:59:57Z';
const END = '2026-11-21T09:59:59.120Z';
const UID = '6b1c9d0a-3f62-4b8e-9d5f-1f0a6f7c2e10';
const endpointRef = { name: 'account', uid: UID };
const templateRef = { name: 'tpl-01m7yr3vq8c5t0x2n4b6d8f0ha' };

const metadata = (name: string) => ({
  name,
  namespace: 'default',
  uid: UID,
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: BEGIN,
});

function job(status: Partial<GenerationJob['status']>): GenerationJob {
  return {
    apiVersion: API,
    kind: 'GenerationJob',
    metadata: metadata('gen-01m7yr47s8mf3c9w2k5hq7x4tz'),
    spec: { templateRef, data: {} },
    status: { finishedAt: END, deliverTo: [endpointRef], ...status },
  };
}

function batch(status: Partial<Batch['status']>): Batch {
  return {
    apiVersion: API,
    kind: 'Batch',
    metadata: metadata('bat-01m7yr47s8d1r6v3p0j8yb2n5e'),
    spec: { templateRef, total: 100 } as Batch['spec'],
    status: { ...status },
  };
}

const at = new Date(END);
const bodiesOf = (drafts: readonly Draft<WebhookDelivery>[]) => drafts.map(({ spec }) => spec.event.payload);

/** The payloads that the service sends for these objects. */
const bodies = [
  ...bodiesOf(deliveriesOfJob(job({ phase: 'Completed', size: 48_213, renderTimeMs: 164 }))),
  ...bodiesOf(
    deliveriesOfJob(
      job({
        phase: 'Failed',
        error: { code: 'deadline_exceeded', message: 'rendering took longer than the limit of 60 s' },
      }),
    ),
  ),
  ...bodiesOf(
    deliveriesOfBatch(
      batch({
        phase: 'Processing',
        progress: { number: 4, at: END, completed: 39, failed: 1, deliverTo: [endpointRef] },
      }),
    ),
  ),
  ...bodiesOf(
    deliveriesOfBatch(
      batch({ phase: 'Completed', finishedAt: END, completed: 98, failed: 2, deliverTo: [endpointRef] }),
    ),
  ),
  encodeEvent({
    id: eventIdOf('webhook.test', { uid: UID, at }),
    type: 'webhook.test',
    createdAt: at,
    data: { endpoint: 'account' },
  }),
];

it('docs/webhooks.md shows the events that the service sends, with the same fields', () => {
  const shown = blocks(section, 'json').map((text) => JSON.stringify(JSON.parse(text)));
  expect(shown).toEqual(bodies);
});

it('docs/webhooks.md describes the content of every event type', () => {
  expect(quoted(section)).toEqual(expect.arrayContaining([...EVENT_TYPES]));
});
