import { API_KEY } from '@trifold/crds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

describe.skipIf(missing)('API keys at two gateways with a real API server', () => {
  let cluster: ClusterProcesses;
  let otherUrl = '';

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({ controllers: 1, renderers: 0 });
    const other = await cluster.addGateway();
    otherUrl = String((await other.says('listening'))['address']);
  });
  afterAll(() => cluster?.stop());

  const make = async (name: string) => {
    const answer = await cluster.live.post('/v1/api-keys', { name });
    expect(answer.status, answer.text).toBe(201);
    return answer.json<{ id: string; key: string }>();
  };

  it('work at both after their creation, and at none after they are revoked at one', async () => {
    for (const name of ['one', 'two', 'three']) {
      const { id, key } = await make(name);
      const here = new Api(cluster.url, key);
      const there = new Api(otherUrl, key);
      const status = async (api: Api) => (await api.get('/v1/templates')).status;
      await eventually(async () => (await status(here)) === 200);
      await eventually(async () => (await status(there)) === 200);
      expect((await cluster.live.delete(`/v1/api-keys/${id}`)).status).toBe(200);
      expect(await status(here)).toBe(401);
      await eventually(async () => (await status(there)) === 401, { intervalMs: 5 });
    }
  });

  it('have their last use written once, however often and at whichever gateway they are used', async () => {
    const { id, key } = await make('busy');
    const clients = [new Api(cluster.url, key), new Api(otherUrl, key)];
    await eventually(async () => {
      const answers = await Promise.all(clients.map((api) => api.get('/v1/templates')));
      return answers.every(({ status }) => status === 200);
    });
    const before = await cluster.kubernetes.resource(API_KEY).get('default', id);
    const used = await eventually(async () => {
      await Promise.all(clients.map((api) => api.get('/v1/templates')));
      const now = await cluster.kubernetes.resource(API_KEY).get('default', id);
      return now.status?.lastUsedAt !== undefined && now;
    });
    expect(Date.parse(used.status?.lastUsedAt ?? '')).toBeGreaterThan(0);
    // When a key that was used later is written, both gateways have tried to write this one.
    const marker = await make('marker');
    const markers = [new Api(cluster.url, marker.key), new Api(otherUrl, marker.key)];
    await eventually(async () => {
      await Promise.all([...clients, ...markers].map((api) => api.get('/v1/templates')));
      const now = await cluster.kubernetes.resource(API_KEY).get('default', marker.id);
      return now.status?.lastUsedAt !== undefined;
    });
    const after = await cluster.kubernetes.resource(API_KEY).get('default', id);
    expect(after.metadata.resourceVersion).toBe(used.metadata.resourceVersion);
    expect(after.metadata.generation).toBe(before.metadata.generation);
  });
});
