import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { FaultyDisk } from '../support/faults/faulty-disk.ts';
import { clientWithNewKey } from '../support/keys-command.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { randomFrom } from '../support/seeded-random.ts';
import { Events } from './events.ts';
import { FAULTS, fill, restartExited, type Scene } from './faults.ts';
import { Load, sha256, type Account } from './load.ts';
import { SharedClock } from './shared-clock.ts';

/** The order, targets and duration of the faults. */
const SEED = Number(process.env['TRIFOLD_CHAOS_SEED'] ?? 20_261_122);
/** Duration of the faults, in minutes; without it, each fault occurs once. */
const MINUTES = Number(process.env['TRIFOLD_CHAOS_MINUTES'] ?? 0);
const ACCOUNTS = ['chaos-first', 'chaos-second'];
const STARTED_MS = 600_000;
/** Time without faults after each fault. */
const CALM_MS = 1000;
/**
 * Time for work to finish after the last fault: a lost task is found after ten seconds, and failed deliveries are
 * retried.
 */
const SETTLED_MS = 180_000;
/** Number of documents or batches checked concurrently. */
const LANES = 8;

const missing = whyNoClusterProcesses() ?? SharedClock.whyNot();
if (missing) console.warn(`skipped: ${missing}`);

/** A document, or a batch. */
interface WorkResponse {
  readonly status: string;
  /** Number of completed items of a batch. */
  readonly completed?: number;
}

describe.skipIf(missing)(`Faults under load (TRIFOLD_CHAOS_SEED=${SEED})`, () => {
  let disk: FaultyDisk | undefined;
  let clock: SharedClock;
  let events: Events;
  let cluster: ClusterProcesses;
  let load: Load;
  const accounts: Account[] = [];
  let injected = 0;

  beforeAll(async () => {
    disk = await FaultyDisk.create().catch((error: Error) => {
      console.warn(`the object store will not be full: ${error.message.trim()}`);
      return undefined;
    });
    clock = await SharedClock.start();
    events = await Events.start();
    cluster = await ClusterProcesses.start({
      cuttable: true,
      renderers: 2,
      ...(disk && { objectStoreDirectory: disk.path }),
      withoutBrowsers: clock.environment,
      environment: { ...events.environment, TRIFOLD_WEBHOOK_RETRY_SCHEDULE: '0s,1s,5s,10s,30s' },
    });
    await cluster.addGateway();
    load = new Load(cluster);
    for (const name of ACCOUNTS) accounts.push(await accountWith(name));
  }, STARTED_MS);
  afterAll(async () => {
    await cluster?.stop();
    await events?.stop();
    await clock?.stop();
    await disk?.remove();
  });
  afterEach(({ task }) => {
    if (task.result?.state === 'fail')
      console.error(cluster.processes.map(({ output }) => output).join('\n'));
  });

  async function accountWith(name: string): Promise<Account> {
    const api = await clientWithNewKey(cluster.url, cluster.kubeconfig, { account: name });
    const template = (await api.createTemplate({ html: '<p>{{text}}</p>' })).id;
    const settings = await api.post('/v1/webhooks/settings', { url: events.url(name) });
    expect(settings.status, settings.text).toBe(201);
    return { name, key: api.key ?? '', template };
  }

  const get = async <T>(account: Account, path: string) => {
    const response = await load.answered(account, 'GET', path);
    expect(response.status, `${path} ${response.text}`).toBe(200);
    return response.json<T>();
  };
  /** Waits until the document or batch is final. */
  const over = (account: Account, path: string) =>
    eventually(
      async () => {
        const work = await get<WorkResponse>(account, path);
        expect(['completed', 'failed'], `the status of ${path}`).toContain(work.status);
        return work;
      },
      { timeoutMs: SETTLED_MS, intervalMs: 500 },
    );

  it(
    'does not lose documents, events or counts, and does not change files',
    { timeout: (MINUTES + 15) * 60_000 },
    async () => {
      const scene: Scene = { cluster, clock, random: randomFrom(SEED) };
      for (const account of accounts) load.start(account);
      await inject(scene);
      await load.stop();
      await restartExited(scene);

      const completed = new Map<string, number>();
      const count = (account: Account, more: number) =>
        completed.set(account.name, (completed.get(account.name) ?? 0) + more);
      await inLanes(load.documents, async ({ id, text, account }) => {
        const generation = await over(account, `/v1/generate/${id}`);
        expect(generation, id).toMatchObject({ status: 'completed' });
        count(account, 1);
        const file = await load.answered(account, 'GET', `/v1/generate/${id}/download`);
        expect(file.text, `${id} has its own content`).toContain(text);
        expect([undefined, sha256(file.bytes)], `${id} keeps its file`).toContain(load.files.get(id));
      });
      await inLanes(load.batches, async ({ id, account }) => {
        count(account, (await over(account, `/v1/generate/batch/${id}`)).completed ?? 0);
      });

      const ends = [...load.documents, ...load.batches].map(({ id }) => id);
      const received = await eventually(
        () => {
          const all = events.ends();
          expect(ends.filter((id) => !all.has(id))).toEqual([]);
          return all;
        },
        { timeoutMs: SETTLED_MS, intervalMs: 1000 },
      );
      for (const id of ends) expect(received.get(id)?.size, `events of ${id}`).toBe(1);

      for (const account of accounts) {
        await eventually(
          async () => {
            const { total } = await get<{ total: { documents: { live: { html: number } } } }>(
              account,
              '/v1/usage',
            );
            expect(total.documents.live.html).toBe(completed.get(account.name));
          },
          { timeoutMs: SETTLED_MS },
        );
      }
      console.info(`${injected} faults, ${load.documents.length} documents, ${load.batches.length} batches`);
    },
  );

  async function inject(scene: Scene): Promise<void> {
    const faults = [...FAULTS, ...(disk ? [['the object store is full', fill(disk)] as const] : [])];
    const end = performance.now() + MINUTES * 60_000;
    do {
      for (const [name, fault] of shuffled(faults, scene.random)) {
        console.info(name);
        await fault(scene);
        await restartExited(scene);
        await sleep(CALM_MS);
        injected += 1;
      }
    } while (performance.now() < end);
  }
});

/** Checks items sequentially in a few concurrent workers. */
async function inLanes<T>(items: readonly T[], check: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const lane = async () => {
    for (const item of left) await check(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);
}
