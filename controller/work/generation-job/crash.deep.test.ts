import { join } from 'node:path';
import { dataKey, newId, recordKey, type GenerationJob } from '@trifold/crds';
import { failed, renderInto } from '../../testing/scripted-renderer.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import type { RenderOutcome, RenderQueue, RenderTask } from '@trifold/platform/render-queue/port.ts';
import { TakenTasksFile } from '@trifold/platform/render-queue/in-process/taken-tasks.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { CrashingProcess, itSurvivesEachStep } from '../../testing/crashing-process.ts';
import { ControllerFixture, type Service } from '../../testing/controller-fixture.ts';

const fixture = ControllerFixture.forEachTest();

interface Scenario {
  readonly name: string;
  /** Whether the queue carries small data, as the in-process queue does. */
  readonly carried?: boolean;
  readonly fails: boolean;
  readonly make: () => Promise<GenerationJob>;
}

const scenarios: Scenario[] = [
  { name: 'a document from the gateway', fails: false, make: () => fixture.gatewayJob() },
  { name: 'a document that fails', fails: true, make: () => fixture.gatewayJob() },
  { name: 'a document carried in its task', carried: true, fails: false, make: () => fixture.gatewayJob() },
  {
    name: 'a document created with kubectl under one of our IDs',
    fails: false,
    make: async () => {
      await fixture.template({ schema: { fields: [{ name: 'currency', type: 'string', default: 'EUR' }] } });
      return fixture.kubectlJob(newId('gen', fixture.clock.now()));
    },
  },
];

/** Runs the process until the job is deleted or the process crashes. */
async function live(process: CrashingProcess, service: Service, name: string): Promise<void> {
  await eventually(async () => {
    if (process.dead) return true;
    const job = await fixture.find(name);
    if (!job) return true;
    // Only a finished job needs the clock to advance; a second or two also triggers a retry.
    fixture.clock.advance(job.status?.finishedAt ? 600_000 : service.tasks.length > 0 ? 500 : 0);
    return false;
  });
}

function boot(process: CrashingProcess, { fails, carried }: Scenario): Promise<Service> {
  const store = process.store(fixture.store);
  return fixture.boot({
    wrap: process.wrap,
    dead: () => process.dead,
    carriedDataBytes: carried ? 8192 : 0,
    render: async (task) =>
      fails ? failed('print_failed', false) : renderInto(store, task, fixture.clock.now()),
  });
}

async function expectDocument(name: string, fails: boolean): Promise<void> {
  const key = fixture.documentKey(name);
  expect(await fixture.find(name)).toBeUndefined();
  // The data of a failed document is kept.
  expect((await fixture.store.head(dataKey(key))) !== undefined).toBe(fails);
  const document = (await fixture.store.read(key))?.toString();
  const record = await fixture.store.read(recordKey(key));
  if (fails)
    expect(JSON.parse(record?.toString() ?? '{}')).toMatchObject({ error: { code: 'print_failed' } });
  else expect(record).toBeUndefined();
  expect(document !== undefined).toBe(!fails);
}

describe.each(scenarios)('$name', (scenario) => {
  itSurvivesEachStep('survives a crash at every step', async (process) => {
    await fixture.renew();
    const first = await boot(process, scenario);
    const { metadata } = await scenario.make();
    await live(process, first, metadata.name);

    const survivor = new CrashingProcess(Infinity, false);
    const second = await boot(survivor, scenario);
    await live(survivor, second, metadata.name);
    await expectDocument(metadata.name, scenario.fails);
    expect(first.tasks.length + second.tasks.length).toBeLessThanOrEqual(2);
  });
});

describe('A document whose renderer process exits each time', () => {
  let folder: string;
  beforeEach(() => void (folder = testDirectory()));

  /** Starts a process whose queue persists its active tasks; also returns the tasks it received. */
  async function bootWith(render: (task: RenderTask) => Promise<RenderOutcome>, dead: () => boolean) {
    const logger = createLogger({ level: 'silent', name: 'test' });
    const takenTasks = new TakenTasksFile(join(folder, 'tasks-in-hand'), logger);
    const queue = new InProcessQueue({ clock: fixture.clock, carriedDataBytes: 0, takenTasks });
    const tasks: RenderTask[] = [];
    const handler = (task: RenderTask) => {
      tasks.push(task);
      return render(task);
    };
    const worker = queue.work(handler, { concurrency: 2 });
    const service = await fixture.boot({ dead, wrap: { queue: () => queue } });
    return { service, tasks, worker };
  }

  it('does not lose an attempt if the process puts the document back in the queue each time', async () => {
    const { promise, resolve } = Promise.withResolvers<RenderOutcome>();
    let name = '';
    for (let stops = 0; stops < 4; stops += 1) {
      let ended = false;
      const { service, tasks, worker } = await bootWith(
        () => promise,
        () => ended,
      );
      if (name === '') ({ name } = (await fixture.gatewayJob()).metadata);
      await fixture.clock.passUntil(500, () => tasks.length > 0);
      expect(tasks).toEqual([expect.objectContaining({ id: expect.stringMatching(/-1$/) })]);
      expect(tasks[0]).not.toHaveProperty('exclusive');
      service.abandonWork();
      ended = true;
      let closed = false;
      void worker.close(0).then(() => (closed = true));
      await fixture.clock.passUntil(500, () => closed);
    }
    resolve(failed('aborted', true));
    await bootWith(
      (task) => renderInto(fixture.store, task, fixture.clock.now()),
      () => false,
    );
    expect((await fixture.finished(name)).status).toMatchObject({ phase: 'Completed', attempt: 1 });
    expect((await fixture.find(name))?.status).not.toHaveProperty('lostAttempts');
  });
});

it('A queue that loses data completes a job by polling if the result notification is lost', async () => {
  const service = await fixture.boot({
    wrap: {
      queue: (inner) =>
        Object.assign(Object.create(inner) as RenderQueue, {
          add: (task: Parameters<RenderQueue['add']>[0]) => inner.add(task),
          state: (id: string) => inner.state(id),
          onFinished: () => () => undefined,
        }),
    },
  });
  const { metadata } = await fixture.gatewayJob();
  await eventually(async () => (await fixture.store.head(fixture.documentKey(metadata.name))) ?? false);
  expect((await fixture.find(metadata.name))?.status).toBeUndefined();
  const { name } = metadata;
  await fixture.clock.passUntil(1000, async () => (await fixture.find(name))?.status?.phase === 'Completed');
  expect(service.tasks).toHaveLength(1);
});
