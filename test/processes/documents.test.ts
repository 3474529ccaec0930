import { GENERATION_JOB } from '@trifold/crds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GenerationAnswer } from '../support/api.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/cluster-processes.ts';
import { eventually } from '../support/conditions.ts';
import { textOf } from '../support/pdf.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

describe.skipIf(missing)('documents of three services that are processes of their own', () => {
  let cluster: ClusterProcesses;
  let template = '';

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({
      environment: {
        TRIFOLD_TTL_SECONDS_AFTER_FINISHED: '1',
        TRIFOLD_USAGE_INTERVAL: '2s',
        // On a busy machine some would be shown on their way, which is a write more.
        TRIFOLD_PROGRESS_AFTER: '1m',
      },
    });
    template = (await cluster.live.createTemplate({ html: '<p>Invoice for {{name}}</p>' })).id;
  });
  afterAll(() => cluster?.stop());

  /** What was written while `work` ran and until every job it left behind was deleted. */
  async function writesOf(work: () => Promise<void>): Promise<Record<string, number>> {
    await nothingLeft();
    const before = await cluster.writes();
    await work();
    await nothingLeft();
    const after = await cluster.writes();
    const grown = [...after].map(([what, count]) => [what, count - (before.get(what) ?? 0)] as const);
    // Once a minute, whatever is made with the key; and twice an interval at most, whatever was made in it.
    const others = ([what]: readonly [string, number]) => !/apikeys|usagereports/.test(what);
    return Object.fromEntries(grown.filter(([, count]) => count > 0).filter(others));
  }

  const nothingLeft = () =>
    eventually('no job is left', async () => {
      const { items } = await cluster.kubernetes.resource(GENERATION_JOB).list({});
      return items.length === 0;
    });

  it('are made from a template, end to end', async () => {
    expect(await textOf(await cluster.live.document(template, { name: 'Grace Hopper' }))).toContain('Grace');
  });

  it('are answered for after their resource is gone', async () => {
    const { id } = await cluster.live.generate(template, { name: 'Ada' });
    await nothingLeft();
    expect((await cluster.live.finished(id)).status).toBe('completed');
    const file = await cluster.live.get(`/v1/generate/${id}/download`);
    expect(await textOf(file.bytes)).toContain('Ada');
  });

  it('cost three writes each when somebody waits for them: create, one status, delete', async () => {
    const written = await writesOf(async () => {
      for (let count = 0; count < 20; count += 1) await cluster.live.generate(template, { name: 'Ada' });
    });
    expect(written).toEqual({
      'POST generationjobs': 20,
      'PUT generationjobs/status': 20,
      'DELETE generationjobs': 20,
    });
  });

  it('cost three writes each when many are asked for at once', async () => {
    const written = await writesOf(async () => {
      const ask = () =>
        cluster.live.post('/v1/generate', { template_id: template, data: { name: 'Ada' }, async: true });
      const answers = await Promise.all(Array.from({ length: 40 }, ask));
      const ids = answers.map((answer) => answer.json<GenerationAnswer>().id);
      await Promise.all(ids.map((id) => cluster.live.finished(id)));
    });
    expect(written).toEqual({
      'POST generationjobs': 40,
      'PUT generationjobs/status': 40,
      'DELETE generationjobs': 40,
    });
  });
});
