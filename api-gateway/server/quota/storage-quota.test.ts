import { beforeEach, describe, expect, it } from 'vitest';
import { STORED_BYTES_KEY, writeStoredBytes } from '@trifold/platform/records/usage/stored-totals.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import type { GatewayConfig } from '../../config.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedPreviews } from '../../testing/scripted-previews.ts';

const LIMIT = 10_000;
const COUNTED = '2026-11-21T11:58:00.000Z';

let clock: FakeClock;
let gateway: GatewayFixture;
let logged: string;
let template: string;
async function start(config: Partial<GatewayConfig> = {}): Promise<void> {
  clock = new FakeClock();
  logged = '';
  gateway = await GatewayFixture.forTest({
    clock,
    config: { maxStoredBytes: LIMIT, ...config },
    previewRenderer: new ScriptedPreviews(),
    log: (line) => (logged += line),
  });
  template = await gateway.template();
}
beforeEach(async () => start());

const storage = async () =>
  (await gateway.call('GET', '/v1/usage')).json<{ storage: { bytes: number | null } }>().storage;

/** Writes a count as the controller does, and waits until the gateway has read it. */
async function count(bytes: number): Promise<void> {
  await writeStoredBytes(gateway.store, { asOf: COUNTED, accounts: new Map([['acme', bytes]]) });
  await clock.passUntil(10_000, async () => expect(await storage()).toMatchObject({ bytes }));
}

/** The statuses of the requests that store something. */
async function responses(key = gateway.key, id = template) {
  const document = { template_id: id, data: {} };
  const requests = [
    ['POST', '/v1/generate', { ...document, async: true }],
    ['POST', '/v1/generate/batch', { template_id: id, format: 'pdf', items: [{ data: {} }] }],
    ['POST', '/v1/templates', { name: 'Another', html: '<p></p>' }],
    ['PATCH', `/v1/templates/${id}`, { description: 'changed' }],
    ['POST', `/v1/templates/${id}/versions/1/restore`, undefined],
    ['PUT', `/v1/templates/${id}/samples`, { samples: [{ name: 'A', data: {} }] }],
    ['PATCH', `/v1/templates/${id}`, { samples: [{ name: 'A', data: {} }] }],
  ] as const;
  const statuses: number[] = [];
  for (const [method, url, body] of requests) {
    statuses.push((await gateway.call(method, url, { key, body })).statusCode);
  }
  return statuses;
}

const ADMITTED = [202, 202, 201, 200, 200, 200, 200];

describe('The quota for stored bytes', () => {
  it('returns 507 for every write by an account while it is at the limit, but not for other accounts', async () => {
    await count(LIMIT - 1);
    expect(await responses()).toEqual(ADMITTED);
    await count(LIMIT);
    expect(await responses()).toEqual(ADMITTED.map(() => 507));
    await count(5);
    expect(await responses()).toEqual(ADMITTED);
    await count(LIMIT);
    const other = await gateway.template({}, gateway.otherKey);
    expect(await responses(gateway.otherKey, other)).toEqual(ADMITTED);
  });

  it('states the stored bytes, the limit and the remedy, and does not log a failure', async () => {
    await count(12_345);
    const body = { template_id: template, data: {} };
    const response = await gateway.call('POST', '/v1/generate', { body });
    expect(response.json()).toMatchObject({
      statusCode: 507,
      error: 'Insufficient Storage',
      code: 'storage_full',
      message: expect.stringMatching(/stores 12345 bytes; the limit is 10000\. Delete documents, or wait/),
    });
    expect(logged).not.toContain('service or dependency unavailable');
  });

  it('admits everything until the first count, and keeps the last count while the stored one is damaged', async () => {
    expect(await storage()).toEqual({ bytes: null, limit: LIMIT, as_of: null });
    expect(await responses()).toEqual(ADMITTED);
    await count(LIMIT);
    await gateway.store.put(STORED_BYTES_KEY, 'nonsense');
    await clock.passUntil(10_000, () => expect(logged).toContain('stored-bytes'));
    expect(await responses()).toContain(507);
  });

  it('admits requests that store nothing', async () => {
    await count(LIMIT);
    const email = { template: { engine: 'handlebars-html', subject: 'Hi', html: '<p></p>' }, data: {} };
    expect((await gateway.call('POST', '/v1/emails/compile', { body: email })).statusCode).toBe(200);
    const samples = `/v1/templates/${template}/samples`;
    expect((await gateway.call('PUT', samples, { body: { samples: [] } })).statusCode).toBe(200);
    const thumbnail = await gateway.call('GET', `/v1/templates/${template}/thumbnail`);
    expect(thumbnail).toMatchObject({ statusCode: 200, body: 'a file' });
    const { objects } = await gateway.store.list('history/');
    expect(objects.filter(({ key }) => key.endsWith('-thumbnail'))).toEqual([]);
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await gateway.call(method, `/v1/templates/${template}`)).statusCode).toBe(200);
    }
  });

  it('has no limit if the setting is 0', async () => {
    await gateway.stop();
    await start({ maxStoredBytes: 0 });
    await count(2 ** 40);
    expect(await responses()).toEqual(ADMITTED);
    expect(await storage()).toEqual({ bytes: 2 ** 40, limit: null, as_of: COUNTED });
  });
});
