import { GENERATION_JOB, USAGE_REPORT } from '@trifold/crds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';
import { clientWithNewKey } from '../support/keys-command.ts';
import type { NodeProcess } from '../support/processes/node-process.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

interface Usage {
  readonly total: {
    readonly documents: { readonly live: { readonly pdf: number } };
    readonly emails: number;
  };
  readonly as_of: string | null;
}

describe.skipIf(missing)('Usage while processes are killed', () => {
  let cluster: ClusterProcesses;

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({
      environment: {
        TRIFOLD_TTL_SECONDS_AFTER_FINISHED: '1',
        TRIFOLD_USAGE_INTERVAL: '500ms',
        TRIFOLD_SYNC_WAIT: '2m',
      },
    });
  });
  afterAll(() => cluster?.stop());

  /** Returns a client of the first gateway for an account that no other test uses. */
  const clientOf = (account: string) => clientWithNewKey(cluster.url, cluster.kubeconfig, { account });

  async function usageOf(api: Api): Promise<Usage> {
    // Starts yesterday, in case the month ends during the test.
    const from = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);
    const answer = await api.get(`/v1/usage?from=${from}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json<Usage>();
  }
  const usage = async (api: Api) => (await usageOf(api)).total;

  /** Returns a client with the same key for another gateway. */
  async function at(gateway: NodeProcess, api: Api): Promise<Api> {
    const other = new Api(String((await gateway.says('listening'))['address']), api.key);
    await eventually(async () => (await other.get('/v1/templates')).status === 200);
    return other;
  }

  const letter = { engine: 'handlebars-html', subject: 'Hi', html: '<p>Hi</p>' };
  async function compile(api: Api, count: number): Promise<void> {
    for (let sent = 0; sent < count; sent += 1) {
      const answer = await api.post('/v1/emails/compile', { template: letter, data: {} });
      expect(answer.status, answer.text).toBe(200);
    }
  }

  it('is counted once although the leader is killed repeatedly while it counts', async () => {
    const api = await clientOf('usage-documents');
    const { id } = await api.createTemplate({ html: '<p>{{name}}</p>' });
    const selection = { namespace: 'usage-documents' };
    const jobsLeft = async () =>
      (await cluster.kubernetes.resource(GENERATION_JOB).list(selection)).items.length;
    const pending = async () => {
      const { items } = await cluster.kubernetes.resource(USAGE_REPORT).list(selection);
      return items.reduce((sum, { status }) => sum + (status?.pendingCount ?? 0), 0);
    };
    let made = 0;
    // The reported count may be late. It must not decrease, and not exceed what was made.
    const deviations: object[] = [];
    let last = 0;
    const check = async () => {
      const count = (await usage(api)).documents.live.pdf;
      if (count < last || count > made) deviations.push({ count, last, made });
      last = count;
    };
    for (let kills = 0; kills < 3; kills += 1) {
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          await api.generate(id, { name: 'Ada' });
          made += 1;
        }),
      );
      const leader = await cluster.leader();
      // Usually the kill happens during the counting. If the counting is over by then, nothing can be lost.
      await eventually(async () => {
        await check();
        const [jobs, reports] = await Promise.all([jobsLeft(), pending()]);
        return jobs === 0 || reports > 0;
      });
      await leader.kill();
      await cluster.addController();
      await cluster.leader();
    }
    expect(deviations).toEqual([]);
    await eventually(async () => (await jobsLeft()) === 0 && (await pending()) === 0);
    await eventually(async () => expect((await usage(api)).documents.live.pdf).toBe(made));
  });

  it('includes every email of a gateway that was stopped', async () => {
    const api = await clientOf('usage-stopped');
    const gateway = await cluster.addGateway();
    await compile(await at(gateway, api), 7);
    await gateway.stop();
    await eventually(async () => expect((await usage(api)).emails).toBe(7));
  });

  it('includes every email of a gateway that was killed, except those of the last seconds', async () => {
    const api = await clientOf('usage-killed');
    const gateway = await cluster.addGateway();
    const there = await at(gateway, api);
    await compile(there, 7);
    await eventually(async () => (await usage(api)).emails === 7);
    await compile(there, 1);
    await gateway.kill();
    const asked = Date.now();
    const { total } = await eventually(async () => {
      const read = await usageOf(api);
      return Date.parse(read.as_of ?? '') > asked && read;
    });
    expect([7, 8]).toContain(total.emails);
  });
});
