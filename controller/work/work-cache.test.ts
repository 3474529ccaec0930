import { newId } from '@trifold/crds';
import type { ApiRequest } from '@trifold/platform/kubernetes/client/transport.ts';
import { UNFINISHED_WORK } from '@trifold/platform/records/usage/work-usage.ts';
import { expect, it } from 'vitest';
import { ControllerFixture } from '../testing/controller-fixture.ts';
import { finishedJob } from '../testing/usage.ts';

const fixture = ControllerFixture.forEachTest();

function readsFinishedWork({ method, path, query }: ApiRequest): boolean {
  const isList = method === 'GET' && path.endsWith('v1alpha1/generationjobs');
  return isList && query?.['fieldSelector'] !== UNFINISHED_WORK;
}

it('a controller finishes documents before it can read finished jobs, and deletes finished jobs later', async () => {
  const name = newId('gen', fixture.clock.now());
  await finishedJob(fixture, { name });
  fixture.clock.advance(600_000);
  const waiting = await fixture.gatewayJob();

  const service = fixture.prepare();
  service.transport.fault = (request) => (readsFinishedWork(request) ? new Error('too many') : undefined);
  await service.controllers.start();
  expect((await fixture.finished(waiting.metadata.name)).status?.phase).toBe('Completed');
  const { metadata } = await fixture.gatewayJob();
  expect((await fixture.finished(metadata.name)).status?.phase).toBe('Completed');
  expect(await fixture.find(name)).toBeDefined();

  service.transport.fault = undefined;
  await fixture.clock.passUntil(1_000, async () => (await fixture.find(name)) === undefined);
  expect((await fixture.reports.get('default', '2026-11-21')).status?.live).toBe(1);
});
