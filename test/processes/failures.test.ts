import { GENERATION_JOB, isFinished } from '@trifold/crds';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import type { GenerationAnswer } from '../support/api.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/cluster-processes.ts';
import { eventually } from '../support/conditions.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { textOf } from '../support/pdf.ts';
import { descendantsOf, stillRunning } from '../support/process-tree.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

/** Enough to have some waiting, some in hand and some done at any moment. */
const MANY = 50;
/** Handed in by one test, until it sees some of them under way. */
const MOST = 10 * MANY;

describe.skipIf(missing)('when something fails', () => {
  let cluster: ClusterProcesses;
  let quick = '';
  let slow = '';

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({ controllers: 2, renderers: 2 });
    const { live } = cluster;
    quick = (await live.createTemplate({ html: '<p>Number {{number}}</p>' })).id;
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
    // Every test finds two controllers and two renderers.
    const running = (processes: ClusterProcesses['processes']) =>
      processes.filter((one) => one.running).length;
    while (running(cluster.controllers) < 2) await cluster.addController();
    while (running(cluster.renderers) < 2) await cluster.addRenderer();
    await cluster.leader();
  });

  /** Accepts that many documents, numbered from `first` on, and answers their ids. */
  async function accept(template_id: string, count: number, first = 0): Promise<string[]> {
    const rows = template_id === slow ? Array.from({ length: 400 }, (_, row) => `Row ${row}`) : [];
    const accepted = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        cluster.live.post('/v1/generate', {
          template_id,
          data: { number: first + index, rows },
          async: true,
        }),
      ),
    );
    for (const { status, text } of accepted) expect(status, text).toBe(202);
    return accepted.map((answer) => answer.json<GenerationAnswer>().id);
  }

  /** Each is complete, and its file is there and the one that was asked for. */
  async function expectAll(ids: readonly string[], deadlineMs = 90_000): Promise<void> {
    const finished = await Promise.all(ids.map((id) => cluster.live.finished(id, deadlineMs)));
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
   * Adds slow documents to the ids until some of the last are finished and some are not. However late this process
   * comes to look: as long as nobody sees that, more are in line.
   */
  async function midway(ids: string[] = []): Promise<string[]> {
    let last: string[] = [];
    let refused: Error | undefined;
    return eventually(
      'some are finished and some are not',
      async () => {
        const left = await unfinished(last);
        if (left > 0 && left < last.length) return ids;
        if (left === 0 && ids.length < MOST) {
          last = await accept(slow, MANY, ids.length).catch((error: Error) =>
            Promise.reject((refused = error)),
          );
          ids.push(...last);
        }
        return undefined;
      },
      { deadlineMs: 60_000, intervalMs: 10, giveUp: () => refused },
    );
  }

  /** Does that midway; takes it back and does it again when all were finished before it was done. */
  async function amid(act: () => unknown, undo: () => unknown = () => undefined): Promise<string[]> {
    const ids: string[] = [];
    return eventually(
      'some are not finished when it is done',
      async () => {
        await midway(ids);
        await act();
        if ((await unfinished(ids)) > 0) return ids;
        await undo();
        return undefined;
      },
      { deadlineMs: 90_000 },
    );
  }

  /** Stops the process in its tracks midway. */
  const holdMidway = (controller: NodeProcess) =>
    amid(
      () => controller.signal('SIGSTOP'),
      () => controller.signal('SIGCONT'),
    );

  it('a controller that leads and is killed is followed by the standby, and no document is lost', async () => {
    const leader = await cluster.leader();
    const [standby] = await cluster.standbys();
    const ids = await holdMidway(leader);
    await leader.kill();
    const killed = Date.now();
    // The lease runs 10 s from when the standby saw it renewed last.
    expect(await cluster.leader(30_000)).toBe(standby);
    console.info(`the standby led ${Date.now() - killed} ms after the kill`);
    await expectAll(ids);
    console.info(`all were finished ${Date.now() - killed} ms after the kill`);
  });

  it('a controller that ends cleanly gives the lease up, and the standby goes on at its next turn', async () => {
    const leader = await cluster.leader();
    const [standby] = await cluster.standbys();
    // Not so many that the writes that give it up are late among theirs.
    const ids = await accept(slow, 10);
    expect(await leader.stop()).toEqual({ code: 0, signal: null });
    expect(leader.said('released the lease')).toBeDefined();
    expect(await cluster.leader(30_000)).toBe(standby);
    await expectAll(ids);
  });

  it('a leader that slept while another took over changes nothing, and ends', async () => {
    const sleeper = await cluster.leader();
    const [standby] = await cluster.standbys();
    const ids = await holdMidway(sleeper);
    await eventually('the standby leads', () => standby?.said('started leading'));
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

  it('a Redis that forgets everything loses no document', async () => {
    const ids = await amid(() => cluster.redis.flushAll());
    await expectAll(ids);
  });

  it('a Redis that is away for a while holds documents up and loses none', async () => {
    const ids = await midway();
    await cluster.redis.kill();
    const more = await accept(quick, 1);
    await cluster.redis.start();
    await expectAll(ids);
    await expectAll(more);
  });

  it('a renderer that is killed in the middle of its work loses no document, and leaves no browser', async () => {
    const [renderer] = cluster.renderers.filter(({ running }) => running);
    const children = descendantsOf(renderer!.pid);
    expect(children.length).toBeGreaterThan(0);
    const ids = await midway();
    await renderer!.kill();
    await expectAll(ids);
    await eventually('its browsers have gone', () => stillRunning(children).length === 0);
    const { items } = await cluster.kubernetes.resource(GENERATION_JOB).list({ namespace: 'default' });
    for (const { metadata, status } of items) {
      const { attempt = 1, lostAttempts = 0 } = status ?? {};
      if (ids.includes(metadata.name)) expect(lostAttempts).toBe(attempt - 1);
    }
  });

  it('a renderer that is told to end finishes what it has in hand, and loses no document', async () => {
    const [renderer] = cluster.renderers.filter(({ running }) => running);
    const children = descendantsOf(renderer!.pid);
    const ids = await midway();
    expect(await renderer!.stop()).toEqual({ code: 0, signal: null });
    await expectAll(ids);
    await eventually('its browsers have gone', () => stillRunning(children).length === 0);
    const { items } = await cluster.kubernetes.resource(GENERATION_JOB).list({ namespace: 'default' });
    const attempts = items
      .filter(({ metadata }) => ids.includes(metadata.name))
      .map(({ status }) => status?.attempt);
    // Nothing was taken for lost: one attempt each.
    expect(new Set(attempts)).toEqual(new Set([1]));
  });

  it('a renderer that may not wait hands back what it has in hand', async () => {
    const impatient = await cluster.addRenderer({ TRIFOLD_DRAIN_WAIT: '0s' });
    const ids = await midway();
    expect(await impatient.stop()).toEqual({ code: 0, signal: null });
    await expectAll(ids);
  });
});
