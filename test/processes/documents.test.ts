import { isDeepStrictEqual } from 'node:util';
import { GENERATION_JOB } from '@trifold/crds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GenerationResponse } from '../support/api.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

describe.skipIf(missing)('Documents from three services in separate processes', () => {
  let cluster: ClusterProcesses;
  let template = '';

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({
      environment: { TRIFOLD_TTL_SECONDS_AFTER_FINISHED: '1' },
      // On a busy machine, some documents would report progress, which takes one more write.
      constants: { usageIntervalMs: 2_000, progressAfterMs: 60_000 },
    });
    template = (await cluster.live.createTemplate({ html: '<p>Invoice for {{name}}</p>' })).id;
  });
  afterAll(() => cluster?.stop());

  /** Expects exactly these writes while `work` runs and until every job it left is deleted. */
  async function expectWrites(work: () => Promise<void>, expected: Record<string, number>): Promise<void> {
    await nothingLeft();
    const before = await settledWrites();
    await work();
    await nothingLeft();
    const grown = (after: ReadonlyMap<string, number>) => {
      const growth = [...after].map(([what, count]) => [what, count - (before.get(what) ?? 0)] as const);
      return Object.fromEntries(growth.filter(([, count]) => count > 0));
    };
    await eventually(async () => expect(grown(await writes())).toEqual(expected));
    expect(grown(await settledWrites())).toEqual(expected);
  }

  /**
   * Returns the writes, except those that do not depend on the documents: one per minute for a key, and at most two per
   * interval for usage.
   */
  async function writes(): Promise<ReadonlyMap<string, number>> {
    const all = await cluster.writes();
    return new Map([...all].filter(([what]) => !/apikeys|usagereports/.test(what)));
  }

  /** The API server counts a request shortly after its response. */
  async function settledWrites(): Promise<ReadonlyMap<string, number>> {
    let last = await writes();
    const settled = async () => {
      const before = last;
      last = await writes();
      return isDeepStrictEqual(last, before) && last;
    };
    return eventually(settled, { intervalMs: 250 });
  }

  const nothingLeft = () =>
    eventually(async () => {
      const { items } = await cluster.kubernetes.resource(GENERATION_JOB).list({});
      return items.length === 0;
    });

  it('need three writes each if many are requested concurrently', async () => {
    const generate = async () => {
      const ask = () =>
        cluster.live.post('/v1/generate', { template_id: template, data: { name: 'Ada' }, async: true });
      const responses = await Promise.all(Array.from({ length: 40 }, ask));
      const ids = responses.map((response) => response.json<GenerationResponse>().id);
      await Promise.all(ids.map((id) => cluster.live.finished(id)));
    };
    await expectWrites(generate, {
      'POST generationjobs': 40,
      'PUT generationjobs/status': 40,
      'DELETE generationjobs': 40,
    });
  });
});
