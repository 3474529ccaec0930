import { BATCH, isFinished } from '@trifold/crds';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';
import { textOf } from '../support/files/pdf.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

interface BatchAnswer {
  readonly id: string;
}

const ITEMS = 100;
/** Maximum batches that a test sends until it sees one in progress. */
const MOST_BATCHES = 20;

describe.skipIf(missing)('Batch in progress', () => {
  let cluster: ClusterProcesses;
  let template_id = '';

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({ controllers: 2, renderers: 2 });
    const html = '<p>Number {{number}}</p><table>{{#each rows}}<tr><td>{{this}}</td></tr>{{/each}}</table>';
    template_id = (await cluster.live.createTemplate({ html })).id;
  });
  afterAll(() => cluster?.stop());
  afterEach((context) => {
    if (context.task.result?.state === 'fail') {
      console.error(cluster.processes.map(({ output }) => output).join('\n'));
    }
  });

  const find = (id: string) => cluster.kubernetes.resource(BATCH).find('default', id);

  const isStored = async (id: string, index: number) =>
    (await cluster.live.get(`/v1/generate/batch/${id}/items/${index}/download`)).status === 200;

  async function send(): Promise<string> {
    const rows = Array.from({ length: 300 }, (_, row) => `Row ${row}`);
    const items = Array.from({ length: ITEMS }, (_, number) => ({ data: { number, rows } }));
    const answer = await cluster.live.post('/v1/generate/batch', { template_id, format: 'pdf', items });
    expect(answer.status, answer.text).toBe(202);
    return answer.json<BatchAnswer>().id;
  }

  /** Returns the first unfinished batch that has files, but lacks at least half of them. */
  async function firstMidway(open: Set<string>): Promise<string | undefined> {
    for (const id of open) {
      const batch = await find(id);
      if (!batch || isFinished(batch)) open.delete(id);
      else if ((await isStored(id, 0)) && !(await isStored(id, ITEMS / 2))) return id;
    }
    return undefined;
  }

  /**
   * Returns a batch with some files stored and some not. Keeps two more batches in the queue until it sees one, however
   * fast the renderers are.
   */
  async function midway(): Promise<string> {
    const open = new Set<string>();
    let sent = 0;
    let rejected: Error | undefined;
    return eventually(
      async () => {
        const found = await firstMidway(open);
        if (found !== undefined) return found;
        while (open.size < 2 && sent < MOST_BATCHES) {
          sent += 1;
          open.add(await send().catch((error: Error) => Promise.reject((rejected = error))));
        }
        return false;
      },
      { timeoutMs: 60_000, intervalMs: 10, giveUp: () => rejected },
    );
  }

  async function expectWhole(id: string): Promise<void> {
    const batch = await eventually(
      async () => {
        const found = await find(id);
        return found && isFinished(found) ? found : false;
      },
      { timeoutMs: 120_000, intervalMs: 100 },
    );
    expect(batch.status).toMatchObject({ phase: 'Completed', completed: ITEMS, failed: 0 });
    for (const index of [0, 33, 66, 99]) {
      const file = await cluster.live.get(`/v1/generate/batch/${id}/items/${index}/download`);
      expect(file.status, file.text.slice(0, 300)).toBe(200);
      expect(await textOf(file.bytes)).toContain(`Number ${index}`);
    }
  }

  it('loses no item when the leading controller is lost', async () => {
    const leader = await cluster.leader();
    const [standby] = await cluster.standbys();
    const id = await midway();
    await leader.kill();
    expect(await cluster.leader(30_000)).toBe(standby);
    await expectWhole(id);
  });

  it('loses no item when a renderer is lost', async () => {
    const id = await midway();
    await cluster.renderers.find(({ running }) => running)?.kill();
    await expectWhole(id);
  });

  it('loses no item when Redis loses all its data', async () => {
    const id = await midway();
    await cluster.redis.flushAll();
    await expectWhole(id);
  });
});
