import { aBatch, aJob } from '@trifold/controller/testing/objects.ts';
import { deliveriesOfBatch } from '@trifold/controller/webhooks/events/batch-events.ts';
import { deliveriesOfJob } from '@trifold/controller/webhooks/events/job-events.ts';
import { encodeEvent, EVENT_TYPES, eventIdOf, type BatchStatus, type GenerationJob } from '@trifold/crds';
import { expect, it } from 'vitest';
import { blocks, page, quoted } from './pages.ts';

const webhooks = await page('docs/webhooks.md');
const [, section = ''] = /^## Events$([\s\S]*?)^## /m.exec(webhooks) ?? [];

const BEGIN = '2026-11-21T09:59:57Z';
const END = '2026-11-21T09:59:59.120Z';
const UID = '6b1c9d0a-3f62-4b8e-9d5f-1f0a6f7c2e10';
const deliverTo = [{ name: 'account', uid: UID }];
const templateRef = { name: 'tpl-01m7yr3vq8c5t0x2n4b6d8f0ha' };

const ofJob = (status: Partial<GenerationJob['status']>) => {
  const metadata = { uid: UID, creationTimestamp: BEGIN, name: 'gen-01m7yr47s8mf3c9w2k5hq7x4tz' };
  return deliveriesOfJob(
    aJob({ metadata, spec: { templateRef }, status: { finishedAt: END, deliverTo, ...status } }),
  );
};
const ofBatch = (status: BatchStatus) => {
  const metadata = { uid: UID, name: 'bat-01m7yr47s8d1r6v3p0j8yb2n5e' };
  return deliveriesOfBatch(aBatch({ metadata, spec: { templateRef, total: 100 }, status }));
};
const tooLong = { code: 'deadline_exceeded', message: 'rendering took longer than the limit of 60 s' };
const progress = { number: 4, at: END, completed: 39, failed: 1, deliverTo };
const at = new Date(END);

/** The payloads that the service sends for these objects. */
const bodies = [
  ...[
    ...ofJob({ phase: 'Completed', size: 48_213, renderTimeMs: 164 }),
    ...ofJob({ phase: 'Failed', error: tooLong }),
    ...ofBatch({ phase: 'Processing', progress }),
    ...ofBatch({ phase: 'Completed', finishedAt: END, completed: 98, failed: 2, deliverTo }),
  ].map(({ spec }) => spec.event.payload),
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
