import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import { Api, expectError } from '../support/api.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';
import { clientWithNewKey } from '../support/keys-command.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

describe.skipIf(missing)('The rate limit across two gateways', () => {
  /** More than twice the requests that a polling test can use. */
  const LIMIT = 2_000;
  let cluster: ClusterProcesses;
  let otherUrl = '';

  beforeAll(async () => {
    const environment = { TRIFOLD_RATE_LIMIT: `${LIMIT}/1h` };
    cluster = await ClusterProcesses.start({ controllers: 1, renderers: 0, environment });
    const other = await cluster.addGateway();
    otherUrl = String((await other.says('listening'))['address']);
  });
  afterAll(() => cluster?.stop());

  /** Returns clients with a new key that has been used only to check that both gateways know it. */
  async function freshKey(): Promise<Api[]> {
    const here = await clientWithNewKey(cluster.url, cluster.kubeconfig, { account: 'default' });
    const there = new Api(otherUrl, here.key);
    await eventually(async () => {
      return (await there.get('/v1/templates')).status === 200;
    });
    return [here, there];
  }

  const remaining = async (api: Api) =>
    Number((await api.get('/v1/templates')).headers.get('ratelimit-remaining'));

  it('counts requests to one gateway against the limit at the other', async () => {
    const [here, there] = (await freshKey()) as [Api, Api];
    let allowed = 0;
    let looks = 0;
    // A gateway that gets Redis's response late admits the request as if it were the first.
    await eventually(
      async () => {
        await inParallel(Array.from({ length: LIMIT / 40 }), 10, async () => {
          if ((await there.get('/v1/templates?limit=1')).status === 200) allowed += 1;
        });
        looks += 1;
        return (await remaining(here)) === 0;
      },
      { timeoutMs: 90_000, intervalMs: 5 },
    );
    // Too few requests were sent here to exhaust the limit.
    expect(looks).toBeLessThan(LIMIT / 4);
    expect(allowed).toBeGreaterThan(LIMIT * 0.75);
    const rejected = await eventually(async () => {
      const response = await there.get('/v1/templates');
      return response.status === 429 && response;
    });
    expect(expectError(rejected, 429).code).toBe('rate_limited');
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await cluster.live.get('/v1/templates')).status).toBe(200);
  });

  it('admits every request without counting while Redis is silent or unavailable, and counts again afterwards', async () => {
    const [here] = (await freshKey()) as [Api];
    const counts = async () => eventually(async () => (await remaining(here)) < LIMIT);
    const admitsWithoutCount = async () => {
      const { status, headers } = await here.get('/v1/templates');
      expect([status, headers.get('ratelimit-remaining')]).toEqual([200, String(LIMIT)]);
    };
    await counts();
    cluster.redis.pause();
    await admitsWithoutCount();
    cluster.redis.resume();
    await counts();
    await cluster.redis.kill();
    await admitsWithoutCount();
    await cluster.redis.start();
    await here.get('/v1/templates');
    await counts();
  });
});
