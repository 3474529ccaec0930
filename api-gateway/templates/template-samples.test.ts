import { expect, it } from 'vitest';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

const SAMPLES = { samples: [{ name: 'Two pages', data: { number: 'A-17', lines: [{ total: '1' }] } }] };

const gateway = await GatewayFixture.shared();

const save = async (id: string, body: object) => gateway.call('PUT', `/v1/templates/${id}/samples`, { body });
const read = async (id: string) => (await gateway.call('GET', `/v1/templates/${id}/samples`)).json<unknown>();

it('samples are kept with the template and change no version', async () => {
  const id = await gateway.template();
  expect(await read(id)).toEqual({ samples: [] });
  expect((await save(id, SAMPLES)).json()).toEqual(SAMPLES);
  const changed = await gateway.call('PATCH', `/v1/templates/${id}`, { body: { name: 'Renamed' } });
  expect(changed.json()).toMatchObject({ version: 2 });
  expect(await read(id)).toEqual(SAMPLES);
  await save(id, { samples: [] });
  expect(await read(id)).toEqual({ samples: [] });
});

it('samples are saved with a change of the template, or alone without a new version', async () => {
  const id = await gateway.template();
  const patch = async (body: object) => gateway.call('PATCH', `/v1/templates/${id}`, { body });
  expect((await patch({ name: 'Renamed', ...SAMPLES })).json()).toMatchObject({
    name: 'Renamed',
    version: 2,
  });
  expect(await read(id)).toEqual(SAMPLES);
  expect((await patch({ samples: [] })).json()).toMatchObject({ name: 'Renamed', version: 2 });
  expect(await read(id)).toEqual({ samples: [] });
  const [sample] = SAMPLES.samples;
  const rejected = await patch({ name: 'Twice', samples: [sample, sample] });
  expect(rejected.json()).toMatchObject({ code: 'invalid_request' });
  expect((await gateway.call('GET', `/v1/templates/${id}`)).json()).toMatchObject({ name: 'Renamed' });
});

it.each([
  ['two of one name', ['A', 'A'].map((name) => ({ name, data: {} }))],
  ['more than 128 KiB', [{ name: 'A', data: { text: 'x'.repeat(131_072) } }]],
  ['data that is a list', [{ name: 'A', data: [] }]],
])('samples are rejected: %s', async (_, samples) => {
  const id = await gateway.template();
  expect((await save(id, { samples })).json()).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(await read(id)).toEqual({ samples: [] });
});
