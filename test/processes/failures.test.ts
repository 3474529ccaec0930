import { GENERATION_JOB, isFinished } from '@trifold/crds';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import type { GenerationAnswer } from '../support/api.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';
import type { NodeProcess } from '../support/processes/node-process.ts';
import { textOf } from '../support/files/pdf.ts';
import { descendantsOf, stillRunning, type ProcessIdentity } from '../support/processes/process-tree.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

/** Enough documents to have some waiting, some active and some finished at any moment. */
const MANY = 50;
/** Maximum documents that a test creates until it sees some of them in progress. */
const MOST = 10 * MANY;

/** The processes of the browsers that a renderer started with; they are descendants of the launcher. */
function browsersOf(renderer: NodeProcess, launchers: readonly NodeProcess[]): ProcessIdentity[] {
  const { pids = [] } = (renderer.said('renderer ready') ?? {}) as { pids?: number[] };
  const leaders = launchers.flatMap(({ pid }) => descendantsOf(pid)).filter(({ pid }) => pids.includes(pid));
  return [...leaders, ...pids.flatMap((pid) => descendantsOf(pid))];
}

describe.skipIf(missing)('Failures of components', () => {
  let cluster: ClusterProcesses;
  let slow = '';

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({ controllers: 2, renderers: 2 });
    const { live } = cluster;
    slow = (
      await live.createTemplate({
        html: '<p>Number {{number}}</p><table>{{#each rows}}<tr><td>{{this}}</td></tr>{{/each}}</table>',
      })
    ).id;
  });
  afterAll(() => cluster?.stop());
  afterEach(async (context) => {
    if (context.task.result?.state === 'fail') {
      console.error(cluster.processes.map(({ output }) => output).join('\n'));
    }
    // Every test starts with two controllers and two renderers.
    const running = (processes: ClusterProcesses['processes']) =>
      processes.filter((one) => one.running).length;
    while (running(cluster.controllers) < 2) await cluster.addController();
    while (running(cluster.renderers) < 2) await cluster.addRenderer();
    await cluster.leader();
  });

  /** Creates `count` documents, numbered from `first`, and returns their ids. */
  async function accept(count: number, first: number): Promise<string[]> {
    const rows = Array.from({ length: 400 }, (_, row) => `Row ${row}`);
    const accepted = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        cluster.live.post('/v1/generate', {
          template_id: slow,
          data: { number: first + index, rows },
          async: true,
        }),
      ),
    );
    for (const { status, text } of accepted) expect(status, text).toBe(202);
    return accepted.map((answer) => answer.json<GenerationAnswer>().id);
  }

  /** Expects every document to be completed with the requested file. */
  async function expectAll(ids: readonly string[], timeoutMs = 90_000): Promise<void> {
    const finished = await Promise.all(ids.map((id) => cluster.live.finished(id, timeoutMs)));
    expect(finished.map(({ status, error }) => error?.message ?? status)).toEqual(ids.map(() => 'completed'));
    const files = await Promise.all(ids.map((id) => cluster.live.get(`/v1/generate/${id}/download`)));
    const texts = await Promise.all(files.map(({ bytes }) => textOf(bytes)));
    expect(texts.map((text) => /Number (\d+)/.exec(text)?.[1])).toEqual(
      ids.map((_, number) => String(number)),
    );
  }

  async function unfinished(ids: readonly string[]): Promise<number> {
    const { items } = await cluster.kubernetes.resource(GENERATION_JOB).list({ namespace: 'default' });
    return items.filter((job) => ids.includes(job.metadata.name) && !isFinished(job)).length;
  }

  /**
   * Adds slow documents to the ids until some of the last ones are finished and some are not. Adds more until this
   * process observes that, however late it looks.
   */
  async function midway(ids: string[] = []): Promise<string[]> {
    let last: string[] = [];
    let rejected: Error | undefined;
    return eventually(
      async () => {
        const left = await unfinished(last);
        if (left > 0 && left < last.length) return ids;
        if (left === 0 && ids.length < MOST) {
          last = await accept(MANY, ids.length).catch((error: Error) => Promise.reject((rejected = error)));
          ids.push(...last);
        }
        return false;
      },
      { timeoutMs: 60_000, intervalMs: 10, giveUp: () => rejected },
    );
  }

  /** Acts midway. Undoes the action and retries if all documents were finished before it took effect. */
  async function amid(act: () => unknown, undo: () => unknown = () => undefined): Promise<string[]> {
    const ids: string[] = [];
    return eventually(
      async () => {
        await midway(ids);
        await act();
        if ((await unfinished(ids)) > 0) return ids;
        await undo();
        return false;
      },
      { timeoutMs: 90_000 },
    );
  }

  /** Suspends the process midway. */
  const holdMidway = (controller: NodeProcess) =>
    amid(
      () => controller.signal('SIGSTOP'),
      () => controller.signal('SIGCONT'),
    );

  it('a leader that slept while another took over changes nothing and exits', async () => {
    const sleeper = await cluster.leader();
    const [standby] = await cluster.standbys();
    const ids = await holdMidway(sleeper);
    await eventually(() => standby?.said('started leading') ?? false);
    await expectAll(ids);
    const before = await snapshot(ids);
    sleeper.signal('SIGCONT');
    expect(await sleeper.ended).toEqual({ code: 1, signal: null });
    expect(sleeper.said('lost the lease, exiting so that another controller takes over')).toBeDefined();
    expect(await snapshot(ids)).toEqual(before);
    expect((await cluster.lease()).spec?.holderIdentity).toBe(standby?.said('started leading')?.['identity']);
  });

  async function snapshot(ids: readonly string[]): Promise<Record<string, string>> {
    const { items } = await cluster.kubernetes.resource(GENERATION_JOB).list({ namespace: 'default' });
    const wanted = items.filter(({ metadata }) => ids.includes(metadata.name));
    return Object.fromEntries(wanted.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  }

  it('a renderer that is killed while rendering loses no document and leaves no browser', async () => {
    const [renderer] = cluster.renderers.filter(({ running }) => running);
    const browsers = browsersOf(renderer!, cluster.launchers);
    expect(browsers.length).toBeGreaterThan(0);
    const children = [...descendantsOf(renderer!.pid), ...browsers];
    const ids = await midway();
    await renderer!.kill();
    await expectAll(ids);
    await eventually(() => stillRunning(children).length === 0);
    const { items } = await cluster.kubernetes.resource(GENERATION_JOB).list({ namespace: 'default' });
    for (const { metadata, status } of items) {
      const { attempt = 1, lostAttempts = 0 } = status ?? {};
      if (ids.includes(metadata.name)) expect(lostAttempts).toBe(attempt - 1);
    }
  });

  it('a renderer that is stopped finishes its active tasks and loses no document', async () => {
    const [renderer] = cluster.renderers.filter(({ running }) => running);
    const children = [...descendantsOf(renderer!.pid), ...browsersOf(renderer!, cluster.launchers)];
    const ids = await midway();
    expect(await renderer!.stop()).toEqual({ code: 0, signal: null });
    await expectAll(ids);
    await eventually(() => stillRunning(children).length === 0);
    const { items } = await cluster.kubernetes.resource(GENERATION_JOB).list({ namespace: 'default' });
    const attempts = items
      .filter(({ metadata }) => ids.includes(metadata.name))
      .map(({ status }) => status?.attempt);
    // No task was treated as lost: one attempt each.
    expect(new Set(attempts)).toEqual(new Set([1]));
  });

  it('a renderer without time to finish returns its active tasks', async () => {
    const impatient = await cluster.addRenderer({ TRIFOLD_DRAIN_WAIT: '0s' });
    const ids = await midway();
    expect(await impatient.stop()).toEqual({ code: 0, signal: null });
    await expectAll(ids);
  });
});
