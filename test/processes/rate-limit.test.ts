import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import { Api, expectError } from '../support/api.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';
import { clientWithNewKey } from '../support/keys-command.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

describe.skipIf(missing)('Rate limit across two gateways', () => {
  /** More than twice the requests that a polling test can use up. */
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

  /** Returns clients with a new key, used only for the requests that check that both gateways know it. */
  async function freshKey(): Promise<Api[]> {
    const here = await clientWithNewKey(cluster.url, cluster.kubeconfig, { account: 'default' });
    const there = new Api(otherUrl, here.key);
    await eventually(async () => {
      return (await there.get('/v1/templates')).status === 200;
    });
    return [here, there];
  }

  /** A gateway announces itself every five seconds, and then reads the number of gateways. */
  async function bothKnowOfBoth(): Promise<void> {
    const count = async (command: string) => Number(await cluster.redis.command(command));
    const set = 'trifold:gateways';
    await eventually(async () => (await count(`ZCARD ${set}`)) === 2);
    const since = Date.now();
    await eventually(async () => (await count(`ZCOUNT ${set} (${since} +inf`)) === 2);
  }

  const remaining = async (api: Api) =>
    Number((await api.get('/v1/templates')).headers.get('ratelimit-remaining'));

  it('counts requests to one gateway against the limit at the other', async () => {
    const [here, there] = (await freshKey()) as [Api, Api];
    let allowed = 0;
    let looks = 0;
    // A gateway that gets Redis' response late counts locally for two seconds; the test then has to send more.
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
    // Fewer requests were sent here than the share of a gateway that counts locally, so they did not use up the limit.
    expect(looks).toBeLessThan(LIMIT / 4);
    expect(allowed).toBeGreaterThan(LIMIT * 0.75);
    const refused = await eventually(async () => {
      const answer = await there.get('/v1/templates');
      return answer.status === 429 && answer;
    });
    expect(expectError(refused, 429).code).toBe('rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await cluster.live.get('/v1/templates')).status).toBe(200);
  });

  it('lets each gateway continue with its share when Redis is unavailable', async () => {
    const [here, there] = (await freshKey()) as [Api, Api];
    await bothKnowOfBoth();
    await cluster.redis.kill();
    for (const api of [here, there]) {
      await eventually(async () => {
        const left = await remaining(api);
        return left > 0 && left <= LIMIT / 2;
      });
    }
    await cluster.redis.start();
  });
});
