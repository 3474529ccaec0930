import { isFinished, newId } from '@trifold/crds';
import { eventually } from '@trifold/test-support/eventually.ts';
import { expect, it } from 'vitest';
import { ControllerFixture } from '../testing/controller-fixture.ts';
import { renderInto } from '../testing/scripted-renderer.ts';

const DEADLINE = { timeoutMs: 120_000 };

const fixture = ControllerFixture.forEachTest();

it('a controller dispatches 500 asynchronous jobs at a time, lets a synchronous one pass and finishes all of them', async () => {
  const asynchronous = Promise.withResolvers<void>();
  const { queue } = await fixture.boot({
    render: async (task) => {
      if (task.queue === 'asynchronous') await asynchronous.promise;
      return renderInto(fixture.store, task, fixture.clock.now());
    },
  });
  const { metadata, spec } = await fixture.gatewayJob();
  await fixture.finished(metadata.name);
  for (let index = 0; index < 520; index += 1) {
    const name = newId('gen', fixture.clock.now());
    await fixture.jobs.create({ metadata: { name, namespace: 'default' }, spec });
  }
  // One is being rendered, and the last slot is reserved for synchronous documents.
  const waiting = { interactive: 0, asynchronous: 499, batch: 0 };
  await eventually(async () => expect(await queue.depth()).toEqual(waiting), DEADLINE);
  const person = await fixture.gatewayJob();
  expect((await fixture.finished(person.metadata.name)).status?.phase).toBe('Completed');
  expect(await queue.depth()).toEqual(waiting);

  asynchronous.resolve();
  await eventually(async () => {
    const { items } = await fixture.jobs.list();
    expect(items.filter(isFinished)).toHaveLength(522);
  }, DEADLINE);
});
