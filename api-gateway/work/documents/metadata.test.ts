import { describe, expect, it } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedController } from '../../testing/scripted-controller.ts';

const METADATA = { order: 'A-17', größe: '🦄 “x”', empty: '' };

const gateway = await GatewayFixture.shared();
const controller = new ScriptedController(gateway);
const template_id = await gateway.template();

const send = async (metadata: unknown) =>
  gateway.call('POST', '/v1/generate', {
    body: { template_id, data: {}, async: true, metadata },
  });
const status = async (id: string) => (await gateway.call('GET', `/v1/generate/${id}`)).json();

const accepted = async (metadata?: object) => gateway.job({ template_id, metadata });

/** Returns metadata with one field, of the given size as JSON. */
function ofSize(bytes: number, character = 'a') {
  const letters = bytes - JSON.stringify({ a: '' }).length;
  return { a: character.repeat(letters / Buffer.byteLength(character)) };
}

describe('Document metadata', () => {
  it('is in the response, the job and every status', async () => {
    expect((await send(METADATA)).json()).toMatchObject({ status: 'pending', metadata: METADATA });
    const job = await controller.next();
    expect(job.spec.clientMetadata).toEqual(METADATA);
    await controller.start(job);
    expect(await status(job.metadata.name)).toMatchObject({ status: 'processing', metadata: METADATA });
    await controller.complete(job);
    expect(await status(job.metadata.name)).toMatchObject({ status: 'completed', metadata: METADATA });
  });

  it('is not shown if the request has none', async () => {
    const job = await accepted();
    expect(job.spec).not.toHaveProperty('clientMetadata');
    await controller.complete(job);
    expect(await status(job.metadata.name)).not.toHaveProperty('metadata');
    await controller.remove(job);
    expect(await status(job.metadata.name)).not.toHaveProperty('metadata');
  });

  it('does not come from another job with the same ID', async () => {
    const job = await accepted(METADATA);
    await controller.storeFile({ ...job, metadata: { ...job.metadata, uid: 'another' } });
    await controller.fail(job);
    await controller.remove(job);
    const shown = await status(job.metadata.name);
    expect(shown).toMatchObject({ status: 'completed' });
    expect(shown).not.toHaveProperty('metadata');
  });

  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 'x']));

  it.each([
    ['no fields', {}],
    ['20 fields', members(20)],
    ['a name of 40 characters', { ['🦄'.repeat(40)]: 'x' }],
    ['1,024 bytes', ofSize(1024)],
    ['names of members that objects have', { toString: 'x', hasOwnProperty: 'y' }],
  ])('accepts %s', async (_what, metadata) => {
    const job = await accepted(metadata);
    expect((await status(job.metadata.name)).metadata).toEqual(metadata);
  });

  it.each([
    ['21 members', members(21), '/metadata', 'must have at most 20 fields'],
    ['a 41-character name', { ['n'.repeat(41)]: 'x' }, `/metadata/${'n'.repeat(41)}`, '1 to 40 characters'],
    ['an empty name', { '': 'x' }, '/metadata/', 'must have a name of 1 to 40 characters'],
    ['1,025 bytes', ofSize(1025), '/metadata', 'must have at most 1024 bytes of JSON, but has 1025'],
    ['1,026 bytes of UTF-8', ofSize(1026, 'ä'), '/metadata', 'must have at most 1024 bytes of JSON'],
    ['a number', { order: 17 }, '/metadata/order', 'must be a string'],
    ['null', { order: null }, '/metadata/order', 'must be a string'],
    ['a list', [], '/metadata', 'must be an object'],
  ])('rejects %s', async (_what, metadata, path, message) => {
    const response = await send(metadata);
    expect(response.statusCode, response.body).toBe(400);
    expect(response.json()).toMatchObject({
      code: 'invalid_request',
      details: [{ path, message: expect.stringContaining(message) }],
    });
  });
});
