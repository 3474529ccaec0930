import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BATCH, dataKey, documentKeyOf } from '@trifold/crds';
import type { ApiRequest } from '@trifold/platform/kubernetes/client/transport.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { losing } from '@trifold/test-support/faults/losing-writes.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';
import { ScriptedBatches } from '../testing/scripted-batches.ts';
import { ScriptedController } from '../testing/scripted-controller.ts';

/** Too large to be inlined in the resource. */
const TEXT = 'x'.repeat(10_000);
type CreatedWork = { readonly version: number | undefined; readonly data: readonly unknown[] };

const KINDS = [
  {
    what: 'a document',
    path: '/generationjobs',
    url: '/v1/generate',
    members: { data: { text: TEXT }, async: true },
    made: async (gateway: GatewayFixture): Promise<CreatedWork[]> => {
      const jobs = await new ScriptedController(gateway).jobs();
      return Promise.all(
        jobs.map(async (job) => {
          const body = await gateway.store.read(dataKey(documentKeyOf(job)));
          return { version: job.spec.version, data: [JSON.parse(String(body))] };
        }),
      );
    },
  },
  {
    what: 'a batch',
    path: '/batches',
    url: '/v1/generate/batch',
    members: { format: 'pdf', items: [{ data: { text: TEXT } }, { data: { text: '' } }] },
    made: async (gateway: GatewayFixture): Promise<CreatedWork[]> => {
      const { items } = await gateway.kubernetes.resource(BATCH).list({ namespace: 'acme' });
      const batches = new ScriptedBatches(gateway);
      return Promise.all(
        items.map(async ({ metadata, spec }) => ({
          version: spec.version,
          data: await batches.data(metadata.name),
        })),
      );
    },
  },
] as const;

describe.each(KINDS)(
  'The data of $what with an Idempotency-Key, while its template changes',
  ({ path, url, members, made }) => {
    let gateway: GatewayFixture;
    let template: string;
    let isLosing = false;
    let letGo = Promise.withResolvers<void>();
    let held = 0;
    let holding: string | undefined;

    beforeEach(async () => {
      isLosing = false;
      held = 0;
      letGo = Promise.withResolvers<void>();
      const isLost = (request: ApiRequest) =>
        isLosing && request.method === 'POST' && request.path.endsWith(path);
      gateway = await GatewayFixture.forTest({ intercept: losing(isLost, 'before', Infinity) });
      template = await gateway.template(withDefault('version 1'));
      const put = gateway.store.put.bind(gateway.store);
      vi.spyOn(gateway.store, 'put').mockImplementation(async (key, ...rest) => {
        if (holding !== undefined && key.includes(holding)) {
          held += 1;
          await letGo.promise;
        }
        return put(key, ...rest);
      });
    });
    afterEach(() => vi.restoreAllMocks());

    const withDefault = (text: string) => ({
      schema: { fields: [{ name: 'greeting', type: 'string', default: text }] },
    });
    const change = async (more = {}) =>
      gateway.call('PATCH', `/v1/templates/${template}`, {
        body: { ...withDefault('version 2'), ...more },
      });
    const send = async () =>
      gateway.call('POST', url, {
        body: { template_id: template, ...members },
        headers: { 'idempotency-key': 'run-17' },
      });

    /** Starts an attempt that stops right before it stores an object whose key contains `before`. */
    async function beginSlowly(before: string): Promise<{ response: ReturnType<typeof send> }> {
      holding = before;
      const response = send();
      await eventually(() => held > 0);
      holding = undefined;
      return { response };
    }

    async function expectOne(version: number): Promise<void> {
      const [one, ...others] = await made(gateway);
      expect(others).toEqual([]);
      expect(one?.version).toBe(version);
      for (const data of one?.data ?? []) expect(data).toMatchObject({ greeting: `version ${version}` });
    }

    it.each([
      ['has not claimed its version', 'idempotency-', 2],
      ['has not stored its data', '.data', 1],
    ])('belongs to one version even if a slower repetition %s', async (_what, before, version) => {
      const slow = await beginSlowly(before);
      await change();
      const quick = await send();
      expect(quick.statusCode, quick.body).toBe(202);
      letGo.resolve();
      expect((await slow.response).json()).toEqual(quick.json());
      await expectOne(version);
    });

    it('keeps its template version if the gateway crashes before it creates the resource', async () => {
      isLosing = true;
      expect((await send()).statusCode).toBe(503);
      isLosing = false;
      await change({ status: 'archived' });
      expect((await send()).statusCode).toBe(202);
      await expectOne(1);
    });
  },
);
