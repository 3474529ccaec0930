import { afterEach, describe, expect, it, vi } from 'vitest';
import { ChildProcessError } from '@trifold/platform/child-process/child-process-error.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

const FIELDS = [
  { name: 'name', type: 'string', required: true },
  { name: 'total', type: 'number', min: 0 },
  { name: 'currency', type: 'string', default: 'EUR' },
];
const EMAIL = { engine: 'handlebars-html', subject: 'For {{name}}', html: '<p>Dear {{name}}</p>' };
/** A data field that makes a body small or large. */
const SMALL = '"pad":"x"';
const LARGE = `"pad":"${'x'.repeat(1_200_000)}"`;

const gateway = await GatewayFixture.shared({ config: { emailTimeoutMs: 30_000 } });
const schema = { fields: FIELDS };
const template = await gateway.template({ schema });
const emailTemplate = await gateway.template({ schema, email: { subject: '{{currency}}' } });
const fields = Array.from({ length: 100 }, (_, index) => ({ name: `field${index}`, type: 'string' }));
/** A template with so many fields that the pool checks its data. */
const wide = await gateway.template({ schema: { fields } });
afterEach(() => vi.restoreAllMocks());

const post = async (path: string, body: string, headers: Record<string, string> = {}) =>
  gateway.call('POST', path, { body, headers });
const json = (value: unknown) => JSON.stringify(value);

const document = (data: string, others = '') =>
  `{"template_id":${json(template)},"async":true,"data":${data}${others}}`;
const batch = (items: string[], others = '') =>
  `{"template_id":${json(template)},"format":"pdf","items":[${items.join(',')}]${others}}`;
const email = (data: string) => `{"template_id":${json(emailTemplate)},"data":${data}}`;
const inlineEmail = (data: string) => `{"template":${json(EMAIL)},"data":${data}}`;
const item = (data: string) => `{"data":${data}}`;
const BATCH = '/v1/generate/batch';
const WRONG = [item('{}'), item('{"name":1,"total":-1}')];

describe('A body of more than a megabyte', () => {
  it.each<[string, string, (pad: string) => string, number]>([
    ['data that violates its schema', '/v1/generate', (pad) => document(`{${pad},"total":-1}`), 422],
    ['data that is a list', '/v1/generate', (pad) => document(`[{${pad}}]`), 400],
    ['no data', '/v1/generate', (pad) => `{"template_id":"t","other":{${pad}}}`, 400],
    ['a lone surrogate', '/v1/generate', (pad) => document(`{${pad},"a":{"b":"\\udfff"}}`), 400],
    ['items that violate their schema', BATCH, (pad) => batch([item(`{${pad},"name":"A"}`), ...WRONG]), 422],
    ['101 items', BATCH, (pad) => batch([item(`{${pad}}`), ...Array<string>(100).fill(item('{}'))]), 400],
    ['invalid items', BATCH, (pad) => `{"template_id":"t","format":"pdf","items":{${pad}}}`, 400],
    ['data that violates its schema', '/v1/emails/compile', (pad) => email(`{${pad},"total":"1"}`), 422],
    ['an unknown field', '/v1/templates', (pad) => `{"name":"a","html":"b","data":{${pad}}}`, 400],
  ])('is rejected like a small one: %s', async (_what, path, body, status) => {
    const [small, large] = [await post(path, body(SMALL)), await post(path, body(LARGE))];
    const told = ({ statusCode, json: parse }: typeof small) => ({
      ...parse<{ request_id?: string }>(),
      statusCode,
      request_id: undefined,
    });
    expect(small.statusCode, small.body).toBe(status);
    expect(told(large)).toEqual(told(small));
  });

  it.each(['{', '{"a":1}x', '{"data":{"a":01}}', '\u0000'])(
    'is rejected when it is not JSON: %j',
    async (end) => {
      const response = await post('/v1/generate', `${' '.repeat(1_200_000)}${end}`);
      expect(response.json()).toMatchObject({ statusCode: 400, code: 'invalid_json' });
    },
  );

  it('is rejected when it has too many values outside of data', async () => {
    const options = `{"page_size":[${'{},'.repeat(400_000)}1]}`;
    const response = await post('/v1/generate', document('{}', `,"options":${options}`));
    expect(response.json()).toMatchObject({
      statusCode: 413,
      code: 'body_too_large',
      message: expect.stringContaining('values outside of data') as string,
    });
  });

  it('compiles into an email with the schema defaults', async () => {
    const saved = await post('/v1/emails/compile', email(`{${LARGE},"name":"Ada"}`));
    expect(saved.json()).toMatchObject({ subject: 'EUR', text: 'Dear Ada' });
    const inline = await post('/v1/emails/compile', inlineEmail(`{${LARGE},"name":"Ada"}`));
    expect(inline.json()).toMatchObject({ subject: 'For Ada', text: 'Dear Ada' });
  });
});

it.each<[string, string, (data: string) => string]>([
  ['a document', '/v1/generate', document],
  ['a batch', BATCH, (data) => batch([item('{"name":"A"}'), item(data)])],
])(
  'A large body with an Idempotency-Key is the same request in any JSON notation: %s',
  async (what, path, body) => {
    const headers = { 'idempotency-key': `key of ${what}` };
    const spaces = ' '.repeat(1_200_000);
    const first = await post(path, body(`{"name":"Ada","total":1}${spaces}`), headers);
    expect(first.statusCode, first.body).toBe(202);
    for (const data of ['{"total":1,"name":"Ada"}', `{${spaces}"total":1.0,"name":"\\u0041da"}`]) {
      const again = await post(path, body(data), headers);
      expect(again.json()).toEqual(first.json());
      expect(again.headers['idempotency-replayed']).toBe('true');
    }
    for (const data of [`{"name":"Ada","total":2}${spaces}`, `{"name":"Ada","total":1,${LARGE}}`]) {
      expect((await post(path, body(data), headers)).json()).toMatchObject({
        code: 'idempotency_key_reused',
      });
    }
  },
);

const requests = {
  'a body': async () => post('/v1/generate', document(`{${LARGE},"name":"A"}`)),
  data: async () => post('/v1/generate', json({ template_id: wide, data: {} })),
  'a template': async () => post('/v1/templates', json({ name: 'Long', html: 'y'.repeat(2_000) })),
};

it.each([
  ['a body', 'pool_full', 503, 'unavailable'],
  ['a body', 'ended', 503, 'unavailable'],
  ['a body', 'out_of_memory', 413, 'body_too_large'],
  ['a body', 'time_limit', 413, 'body_too_large'],
  ['data', 'pool_full', 503, 'unavailable'],
  ['data', 'ended', 503, 'unavailable'],
  ['data', 'out_of_memory', 413, 'body_too_large'],
  ['data', 'time_limit', 422, 'data_invalid'],
  ['a template', 'pool_full', 503, 'unavailable'],
  ['a template', 'ended', 503, 'unavailable'],
] as const)(
  'A check pool failure becomes an error response for %s: %s',
  async (what, failure, statusCode, code) => {
    vi.spyOn(gateway.checkPool, 'ask').mockRejectedValueOnce(new ChildProcessError(failure));
    const response = await requests[what]();
    expect(response.json()).toMatchObject({ statusCode, code });
    expect(response.headers['retry-after']).toBe(statusCode === 503 ? '1' : undefined);
  },
);
