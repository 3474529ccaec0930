import { SAMPLES_ANNOTATION, SAMPLES_REF_ANNOTATION, TEMPLATE, templateHistoryPrefix } from '@trifold/crds';
import { expect, it } from 'vitest';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

const SAMPLES = { samples: [{ name: 'Two pages', data: { number: 'A-17', lines: [{ total: '1' }] } }] };

const gateway = await GatewayFixture.shared();

const save = async (id: string, body: object) => gateway.call('PUT', `/v1/templates/${id}/samples`, { body });
const templates = gateway.kubernetes.resource(TEMPLATE);
const annotationsOf = async (id: string) => (await templates.get('acme', id)).metadata.annotations ?? {};
const stored = async (id: string) => {
  const { uid } = (await templates.get('acme', id)).metadata;
  const { objects } = await gateway.store.list(`${templateHistoryPrefix('acme', uid)}samples-`);
  return objects.map(({ key, size }) => ({ key, size }));
};
/** Returns data that has this many bytes as JSON. */
const dataOf = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
const MIB = 2 ** 20;

const read = async (id: string) => (await gateway.call('GET', `/v1/templates/${id}/samples`)).json<unknown>();

it('samples are kept with the template and do not change its version', async () => {
  const id = await gateway.template();
  expect(await read(id)).toEqual({ samples: [] });
  expect((await save(id, SAMPLES)).json()).toEqual(SAMPLES);
  const changed = await gateway.call('PATCH', `/v1/templates/${id}`, { body: { name: 'Renamed' } });
  expect(changed.json()).toMatchObject({ version: 2 });
  expect(await read(id)).toEqual(SAMPLES);
  await save(id, { samples: [] });
  expect(await read(id)).toEqual({ samples: [] });
});

it('samples are saved with a template change, or alone without a new version', async () => {
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

it('the resource has only a reference to the samples, and the store only the latest samples', async () => {
  const id = await gateway.template();
  await save(id, SAMPLES);
  const [first] = await stored(id);
  const large = { samples: ['A', 'B'].map((name) => ({ name, data: dataOf(MIB) })) };
  expect((await save(id, large)).json()).toEqual(large);
  const [object, ...others] = await stored(id);
  expect(others).toEqual([]);
  expect(object).not.toEqual(first);
  const reference: unknown = JSON.parse((await annotationsOf(id))[SAMPLES_REF_ANNOTATION] ?? '');
  expect(reference).toEqual({ ...object, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await read(id)).toEqual(large);
  await save(id, { samples: [] });
  expect(await stored(id)).toEqual([]);
  expect(await annotationsOf(id)).not.toHaveProperty(SAMPLES_REF_ANNOTATION);
});

it('samples written to the annotation with kubectl replace the others until the next save', async () => {
  const id = await gateway.template();
  await save(id, { samples: [{ name: 'Before', data: {} }] });
  const annotate = async (value: string) =>
    templates.patch(
      { namespace: 'acme', name: id },
      { metadata: { annotations: { [SAMPLES_ANNOTATION]: value } } },
    );
  await annotate(JSON.stringify([...SAMPLES.samples, 'not a sample']));
  expect(await read(id)).toEqual(SAMPLES);
  const named = { samples: [{ name: 'After', data: {} }] };
  await save(id, named);
  expect(await read(id)).toEqual(named);
  expect(await annotationsOf(id)).not.toHaveProperty(SAMPLES_ANNOTATION);
  await annotate('not JSON');
  expect(await read(id)).toEqual({ samples: [] });
});

it('a reference resolves only to samples of its own template', async () => {
  const [id, other] = [await gateway.template(), await gateway.template()];
  await save(other, SAMPLES);
  const reference = (await annotationsOf(other))[SAMPLES_REF_ANNOTATION];
  const annotations = { [SAMPLES_REF_ANNOTATION]: reference };
  await templates.patch({ namespace: 'acme', name: id }, { metadata: { annotations } });
  expect(await read(id)).toEqual({ samples: [] });
});

it('concurrent readers and writers see complete samples, and none are left over', async () => {
  const id = await gateway.template();
  const saved = Array.from({ length: 8 }, (_, version) => ({ samples: [{ name: 'A', data: { version } }] }));
  await save(id, saved[0] ?? {});
  const [responses] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, async () => read(id))),
    ...saved.map(async (samples) => save(id, samples)),
  ]);
  for (const response of responses) expect(saved).toContainEqual(response);
  expect(await stored(id)).toHaveLength(1);
});

it.each([
  ['two of one name', ['A', 'A'].map((name) => ({ name, data: {} }))],
  ['one of more than 1 MiB', [{ name: 'A', data: dataOf(MIB + 1) }]],
  ['more than 2 MiB together', ['A', 'B', 'C'].map((name) => ({ name, data: dataOf(MIB * 0.7) }))],
  ['more than 20', Array.from({ length: 21 }, (_, index) => ({ name: `${index}`, data: {} }))],
  ['a large list that is not one of samples', [{ name: 'A', data: dataOf(MIB), more: 1 }]],
  ['data that is a list', [{ name: 'A', data: [] }]],
])('samples are rejected: %s', async (_, samples) => {
  const id = await gateway.template();
  expect((await save(id, { samples })).json()).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(await read(id)).toEqual({ samples: [] });
});
