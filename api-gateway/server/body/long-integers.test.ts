import { describe, expect, it } from 'vitest';
import { dataKey, documentKeyOf } from '@trifold/crds';
import type { PreviewRenderer } from '@trifold/platform/previews/port.ts';
import { randomFrom } from '@trifold/test-support/seeded-random.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedBatches } from '../../testing/scripted-batches.ts';
import { ScriptedController } from '../../testing/scripted-controller.ts';
import { ScriptedPreviews } from '../../testing/scripted-previews.ts';

const SEED = 20_261_127;
const LONG = '-9007199254740993';
/** Makes the data too large for a resource and the body too large for the main thread. */
const PADS = { small: '', stored: `,"pad":"${'x'.repeat(9_000)}"`, large: `,"pad":"${'x'.repeat(200_000)}"` };

const renderer = new ScriptedPreviews();
const previewRenderer: PreviewRenderer = { render: async (...call) => renderer.render(...call) };
const gateway = await GatewayFixture.shared({ previewRenderer });
const schema = {
  fields: [
    { name: 'id', type: 'number', integer: true, min: -1e16, max: 1e16 },
    { name: 'currency', type: 'string', default: 'EUR' },
  ],
};
const template = await gateway.template({ schema });

const call = async (path: string, body: string, headers: Record<string, string> = {}) =>
  gateway.call(path.endsWith('samples') ? 'PUT' : 'POST', path, { body, headers });

/** Data of the last document that was requested. */
async function dataOfJob(id: string): Promise<unknown> {
  const jobs = await new ScriptedController(gateway).jobs();
  const job = jobs.find(({ metadata }) => metadata.name === id);
  if (!job) throw new Error('the job is missing');
  return job.spec.data ?? JSON.parse(String(await gateway.store.read(dataKey(documentKeyOf(job)))));
}

function randomNumbers(): string[] {
  const random = randomFrom(SEED);
  const below = (limit: number) => Math.floor(random() * limit);
  const digits = (count: number) =>
    Array.from({ length: count }, (_, index) => below(index === 0 ? 9 : 10) + Number(index === 0)).join('');
  const forms: (() => string)[] = [
    () => digits(1 + below(40)),
    () => digits(15 + below(4)),
    () => String(2n ** 53n + BigInt(below(9)) - 4n),
    () => `${digits(1 + below(20))}.${digits(1 + below(20))}`,
    () => `${digits(1 + below(20))}e${below(40) - 20}`,
    () => String((below(2 ** 31) + 1) * 2 ** below(60)),
  ];
  return Array.from({ length: 500 }, () => (below(2) === 0 ? '-' : '') + forms[below(forms.length)]?.());
}

describe('An integer that a double cannot represent', () => {
  it('keeps all its digits, while every other number prints as String(Number)', async () => {
    const numbers = randomNumbers();
    const text = '{{#each n}}{{this}}\n{{/each}}';
    const each = { engine: 'handlebars-html', subject: 's', html: '-', text };
    const body = `{"template":${JSON.stringify(each)},"data":{"n":[${numbers.join(', ')}]}}`;
    const printed = (await call('/v1/emails/compile', body)).json<{ text: string }>().text.trim().split('\n');
    expect(printed).toEqual(numbers.map((n) => (/^-?\d+$/.test(n) ? n : String(Number(n)))));
    const long = printed.filter((each, index) => each !== String(Number(numbers[index])));
    expect(long.length).toBeGreaterThan(50);
  });

  it.each(Object.entries(PADS))(
    'is a string in a document and an item with data that is %s',
    async (_size, pad) => {
      const data = `{"id": ${LONG},"more":{"":[1,${LONG}.5]}${pad}}`;
      const expected = { id: LONG, more: { '': [1, Number(`${LONG}.5`)] }, currency: 'EUR' };
      const document = await call(
        '/v1/generate',
        `{"template_id":"${template}","async":true,"data":${data}}`,
      );
      expect(await dataOfJob(document.json<{ id: string }>().id), document.body).toMatchObject(expected);
      const items = `{"template_id":"${template}","format":"pdf","items":[{"data":{"id":1}},{"data":${data}}]}`;
      const batch = await call('/v1/generate/batch', items);
      const stored = await new ScriptedBatches(gateway).data(batch.json<{ id: string }>().id);
      expect(stored).toMatchObject([{ id: 1 }, expected]);
    },
  );

  it('is a string in a preview, and a number in a sample', async () => {
    const samples = `{"samples":[{"name":"A","data":{"id":${LONG},"list":[${LONG},1.50]}}]}`;
    for (const body of [samples, `${' '.repeat(200_000)}${samples}`]) {
      const path = `/v1/templates/${template}/samples`;
      const saved = await call(path, body);
      expect(saved.body).toBe(samples.replace('1.50', '1.5'));
      expect((await gateway.call('GET', path)).body).toBe(saved.body);
    }
    const accept = { accept: 'application/json' };
    await call(
      '/v1/templates/preview',
      `{"html":"-","data":{"id":${LONG}},"schema":${JSON.stringify(schema)}}`,
      accept,
    );
    await gateway.call('GET', `/v1/templates/${template}/thumbnail`);
    const rendered = renderer.taken.map(
      ({ task }) => JSON.parse(Buffer.from(task.data).toString()) as object,
    );
    expect(rendered).toMatchObject([{ id: LONG }, { id: LONG, list: [LONG, 1.5] }]);
  });

  it('is a number for the schema', async () => {
    for (const [type, message] of [
      ['{"type":"string"}', 'must be a string'],
      ['{"type":"number","integer":true,"max":1}', 'must be at most 1'],
      ['{"type":"number","integer":true,"min":1e300}', 'must be at least 1e+300'],
    ] as const) {
      const one = { fields: [{ name: 'id', ...(JSON.parse(type) as object) }] };
      const body = `{"html":"-","data":{"id":9007199254740993},"schema":${JSON.stringify(one)}}`;
      const { errors } = (await call('/v1/templates/preview', body, { accept: 'application/json' })).json<{
        errors: object[];
      }>();
      expect(errors).toMatchObject([{ path: '/data/id', message }]);
    }
  });

  it('makes a request with the same Idempotency-Key a different one', async () => {
    const headers = { 'idempotency-key': 'long' };
    const body = (id: string) => `{"template_id":"${template}","async":true,"data":{"id":${id}}}`;
    const first = await call('/v1/generate', body(LONG), headers);
    expect((await call('/v1/generate', body(` ${LONG}`), headers)).json()).toEqual(first.json());
    const other = await call('/v1/generate', body('-9007199254740992'), headers);
    expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('is not accepted outside of data', async () => {
    const options = await call(
      '/v1/generate',
      `{"template_id":"${template}","data":{},"options":{"scale":${LONG}}}`,
    );
    expect(options.json()).toMatchObject({ statusCode: 400, code: 'invalid_request' });
    const data = await call('/v1/generate', `{"template_id":"${template}","data":${LONG}}`);
    expect(data.json()).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  });
});
