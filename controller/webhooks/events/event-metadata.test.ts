import { expect, it } from 'vitest';
import type { Batch, DocumentWarning, Draft, WebhookDelivery } from '@trifold/crds';
import { aBatch, aJob } from '../../testing/objects.ts';
import { reducedBatch, reducedJob } from '../../work/reduced-work.ts';
import { deliveriesOfBatch } from './batch-events.ts';
import { deliveriesOfJob } from './job-events.ts';

const clientMetadata = { order: 'A-17' };
const deliverTo = [{ name: 'account', uid: 'e-1' }];
const finishedAt = '2026-11-21T12:00:04Z';
const error = { code: 'render_failed', message: 'why' };
const warnings: DocumentWarning[] = [{ code: 'binding_missing', message: 'No total.', name: 'total' }];

function dataOf(drafts: readonly Draft<WebhookDelivery>[]) {
  return drafts.map(({ spec }) => (JSON.parse(spec.event.payload) as { data: object }).data);
}

it.each(['Completed', 'Failed'] as const)(
  'the events of a job that is %s have its metadata, template and result',
  (phase) => {
    const result = phase === 'Failed' ? { error } : { warnings };
    const status = { phase, finishedAt, deliverTo, ...result };
    const callbackURL = 'https://hooks.example.com/one';
    const events = (spec: object) =>
      dataOf(deliveriesOfJob(reducedJob(aJob({ spec: { callbackURL, ...spec }, status }))));
    const shown = { metadata: clientMetadata, ...result };
    expect(events({ clientMetadata })).toMatchObject([shown, shown]);
    for (const data of events({})) expect(data).not.toHaveProperty('metadata');
    const templates = [events({}), events({ templateRef: undefined })].flat();
    const ids = templates.map((data) => (data as { template_id: unknown }).template_id);
    expect(ids).toEqual(['invoice', 'invoice', null, null]);
  },
);

it("a batch's events, including progress events, have its metadata and template", () => {
  const progress = { number: 1, at: finishedAt, completed: 1, failed: 0, deliverTo };
  for (const status of [
    { phase: 'Processing' as const, progress },
    { phase: 'Completed' as const, finishedAt, deliverTo },
    { phase: 'Failed' as const, finishedAt, deliverTo, error },
  ]) {
    const cached = (batch: Batch) => (status.phase === 'Processing' ? batch : reducedBatch(batch));
    const events = (spec: object) => dataOf(deliveriesOfBatch(cached(aBatch({ spec, status }))));
    expect(events({ clientMetadata })).toMatchObject([{ metadata: clientMetadata }]);
    expect(events({})[0]).not.toHaveProperty('metadata');
    expect(events({ templateRef: undefined })).toMatchObject([{ template_id: null }]);
  }
});
