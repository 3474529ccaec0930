import { describe, expect, it } from 'vitest';
import { expectError } from '../support/api.ts';
import { textOf } from '../support/files/pdf.ts';
import { live } from './service-under-test.ts';

type Field = Record<string, unknown>;

async function violations(fields: Field[], data: Record<string, unknown>) {
  const { id } = await live.createTemplate({ schema: { fields } });
  const answer = await live.post('/v1/generate', { template_id: id, data });
  const { details } = expectError(answer, 422);
  return details?.map(({ path }) => path).sort();
}

describe('Data that violates the schema of its template', () => {
  it.each<[string, Field, unknown]>([
    ['a number instead of a string', { type: 'string' }, 7],
    ['a string instead of a number', { type: 'number' }, '7'],
    ['a string instead of a boolean', { type: 'boolean' }, 'true'],
    ['an object instead of an array', { type: 'array' }, {}],
    ['an array instead of an object', { type: 'object' }, []],
    ['null', { type: 'string' }, null],
    ['a string that is too short', { type: 'string', minLength: 3 }, 'ab'],
    ['a string that is too long', { type: 'string', maxLength: 3 }, 'abcd'],
    ['a string that does not match its pattern', { type: 'string', pattern: '^[A-Z]{2}$' }, 'ab'],
    ['an invalid email address', { type: 'string', format: 'email' }, 'nobody'],
    ['an invalid url', { type: 'string', format: 'url' }, 'nowhere'],
    ['an invalid date', { type: 'string', format: 'date' }, '2026-02-30'],
    ['a number below its range', { type: 'number', min: 1 }, 0],
    ['a number above its range', { type: 'number', max: 1 }, 2],
    ['a fraction', { type: 'number', integer: true }, 1.5],
    ['too few items', { type: 'array', minItems: 1 }, []],
    ['too many items', { type: 'array', maxItems: 1 }, [1, 2]],
  ])('is rejected with 422 and the path: %s', async (_what, field, value) => {
    expect(await violations([{ name: 'value', ...field }], { value })).toEqual(['/data/value']);
  });

  it('is reported with an escaped JSON pointer (RFC 6901) for each missing member', async () => {
    expect(
      await violations(
        [
          { name: 'total', type: 'number', required: true },
          { name: 'a/b~c', type: 'string', required: true },
          { name: 'toString', type: 'string', required: true },
        ],
        {},
      ),
    ).toEqual(['/data/a~1b~0c', '/data/toString', '/data/total']);
  });

  it('is reported with all violations at once, at any depth', async () => {
    const fields = [
      { name: 'number', type: 'string', required: true },
      {
        name: 'lines',
        type: 'array',
        items: {
          type: 'object',
          properties: { qty: { type: 'number', required: true }, note: { type: 'string' } },
        },
      },
    ];
    expect(
      await violations(fields, { lines: [{ qty: 1 }, { qty: 'two' }, {}, { qty: 4, note: 5 }] }),
    ).toEqual(['/data/lines/1/qty', '/data/lines/2/qty', '/data/lines/3/note', '/data/number']);
  });

  it('creates no document', async () => {
    const { id } = await live.createTemplate({
      schema: { fields: [{ name: 'n', type: 'number', required: true }] },
    });
    const answer = await live.post('/v1/generate', { template_id: id, data: {}, async: true });
    expect(expectError(answer, 422)).not.toHaveProperty('id');
    const stream = await live.post(
      '/v1/generate',
      { template_id: id, data: {} },
      { accept: 'application/pdf' },
    );
    expectError(stream, 422);
  });

  it('is rejected quickly, even for a slow pattern', async () => {
    const fields = [{ name: 'value', type: 'string', pattern: '^(a+)+$' }];
    expect(await violations(fields, { value: `${'a'.repeat(50_000)}!` })).toEqual(['/data/value']);
  });
});

describe('Data that matches the schema', () => {
  it('receives defaults for the members that it omits', async () => {
    const { id } = await live.createTemplate({
      html: '<p>{{currency}} {{lines.0.unit}} {{flag}} {{seen}}</p>',
      schema: {
        fields: [
          { name: 'currency', type: 'string', required: true, default: 'EUR' },
          { name: 'flag', type: 'boolean', default: true },
          { name: 'seen', type: 'number', default: 7 },
          {
            name: 'lines',
            type: 'array',
            items: { type: 'object', properties: { unit: { type: 'string' } } },
          },
        ],
      },
    });
    expect(await textOf(await live.document(id, { lines: [{ unit: 'h' }], seen: 0 }))).toBe('EUR h true 0');
  });

  it('may have members that the schema does not define', async () => {
    const { id } = await live.createTemplate({
      html: '<p>{{known}} {{other}}</p>',
      schema: { fields: [{ name: 'known', type: 'string' }] },
    });
    expect(await textOf(await live.document(id, { known: 'a', other: 'b' }))).toBe('a b');
  });

  it('is validated against the schema of the rendered version', async () => {
    const { id } = await live.createTemplate({ schema: { fields: [{ name: 'name', type: 'string' }] } });
    await live.generate(id, { name: 'Ada' });
    await live.patch(`/v1/templates/${id}`, { schema: { fields: [{ name: 'name', type: 'number' }] } });
    expectError(await live.post('/v1/generate', { template_id: id, data: { name: 'Ada' } }), 422);
    await live.generate(id, { name: 7 });
  });
});
