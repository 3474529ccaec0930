import type { FieldDefinition, TemplateSchema } from '@trifold/crds';
import { E_INVOICE, INVOICE_DATA, WRONG_TOTAL } from '@trifold/test-support/e-invoice.ts';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { RawJson, type RequestData } from '../../request-body/raw-json.ts';
import { DataSchema } from '../schema/data-schema.ts';
import { StepBudget } from '../schema/linear-patterns.ts';
import { CheckPool } from './check-pool.ts';
import { DataChecker, LOCAL_STEPS, WARM_UP_SCHEMA } from './data-checker.ts';

/** Takes 22 million steps for 12,000 characters. */
const SLOW_PATTERN = '([a-z]{1,30}){30}[0-9]';
/** Takes as many steps, but the first character decides. */
const QUICK_PATTERN = '^([0-9]{1,30}){30}';
/** Small enough to be compiled in this process; 640 steps per character. */
const SMALL_PATTERN = '([a-z]{1,10}){20}[0-9]';
const LIMITS = { each: 2 ** 20, together: 4 * 2 ** 20 };

const pool = new CheckPool();
afterAll(() => pool.stop());

const schemaOf = (...fields: FieldDefinition[]): TemplateSchema => ({ fields });
const check = (data: readonly RequestData[], limits = LIMITS) => ({
  items: data.map((one, index) => ({ data: one, pointer: `/items/${index}/data` })),
  limits,
});
const held = (data: unknown) => new RawJson(Buffer.from(JSON.stringify(data)), false);

/** A checker, the types of checks that it sends to the pool, and the budgets that it creates. */
function observedChecker() {
  const asked: string[] = [];
  const budgets: StepBudget[] = [];
  const observed: Pick<CheckPool, 'ask'> = {
    async ask(kind, request, turn) {
      asked.push(kind);
      return pool.ask(kind, request, turn);
    },
  };
  const newBudget = () => {
    const budget = new StepBudget(LOCAL_STEPS);
    budgets.push(budget);
    return budget;
  };
  const checker = new DataChecker(observed, newBudget);
  type Limits = typeof LIMITS;
  const apply = async (schema: TemplateSchema | undefined, data: readonly RequestData[], limits?: Limits) => {
    const reply = await checker.apply({ schema }, check(data, limits), { account: 'acme' });
    return reply.status === 'valid'
      ? { ...reply, json: reply.json.map((json) => Buffer.from(json).toString()) }
      : reply;
  };
  return { apply, asked, budgets };
}

it('DataChecker compiles a schema at creation, not on the first request', () => {
  void new DataChecker(pool);
  const compile = vi.spyOn(Ajv.prototype, 'compile');
  void new DataSchema(WARM_UP_SCHEMA);
  expect(compile).not.toHaveBeenCalled();
  compile.mockRestore();
});

describe('Request data', () => {
  const row: FieldDefinition = {
    name: 'rows',
    type: 'array',
    maxItems: 200,
    items: {
      type: 'object',
      properties: {
        total: { type: 'number', min: 0, required: true },
        currency: { type: 'string', pattern: '^[A-Z]{3}$', default: 'EUR' },
      },
    },
  };
  const mail: FieldDefinition = { name: 'mail', type: 'string', format: 'email', required: true };
  const many = (value: unknown) => Array.from({ length: 150 }, () => value);

  it.each<[string, TemplateSchema | undefined, Record<string, unknown>[], typeof LIMITS?]>([
    ['no schema', undefined, [{ b: 1, a: 'ä"\u0001' }, {}]],
    ['no schema and a large item', undefined, [{}, { v: 'x'.repeat(100) }], { each: 100, together: 999 }],
    [
      'no schema and items that are too large together',
      undefined,
      [{ v: 'x'.repeat(80) }, { v: 'x'.repeat(80) }],
      { each: 100, together: 150 },
    ],
    [
      'valid data and defaults',
      schemaOf(row, mail),
      [{ mail: 'a@b.example', rows: [{ total: 1 }, { total: 2, currency: 'USD' }] }, { mail: 'c@d.example' }],
    ],
    [
      'violations of several items',
      schemaOf(row, mail),
      [{ rows: [{ total: -1 }, {}] }, { mail: 7, rows: 1 }, { mail: 'a@b.example' }],
    ],
    ['too many violations', schemaOf(row, mail), [{ rows: many({}) }, { rows: many({ currency: 'x' }) }]],
    [
      'defaults that make an item too large',
      schemaOf(row, mail),
      [{ mail: 'a@b.example', rows: many({ total: 1 }) }],
      { each: 3000, together: 9999 },
    ],
    ['a schema that cannot be used', schemaOf({ ...mail, pattern: '(' }), [{ mail: 'a@b.example' }]],
  ])('has the same result in both processes: %s', async (_what, schema, data, limits) => {
    const { apply, asked } = observedChecker();
    const inChild = await apply(schema, data.map(held), limits);
    expect(asked).toEqual(schema ? ['data'] : []);
    expect(await apply(schema, structuredClone(data), limits)).toEqual(inChild);
    expect(asked).toHaveLength(schema ? 1 : 0);
  });

  it('has one budget in this process for all items and goes to a check process when it is exhausted', async () => {
    const { apply, asked, budgets } = observedChecker();
    const schema = schemaOf({ name: 'v', type: 'string', pattern: SMALL_PATTERN });
    const items = (count: number) => Array.from({ length: count }, () => ({ v: 'a'.repeat(200) }));
    expect(await apply(schema, items(3))).toMatchObject({ status: 'invalid', violations: { length: 3 } });
    expect(asked).toEqual([]);
    expect(await apply(schema, items(6))).toMatchObject({ status: 'invalid', violations: { length: 6 } });
    expect(asked).toEqual(['data']);
    expect(budgets.map(({ exhausted }) => exhausted)).toEqual([false, true]);
    for (const { taken } of budgets) {
      expect(taken).toBeGreaterThan(LOCAL_STEPS / 2);
      expect(taken).toBeLessThanOrEqual(LOCAL_STEPS);
    }
  });

  it('also has one budget for all items in a check process', async () => {
    const { apply } = observedChecker();
    const schema = schemaOf({ name: 'v', type: 'string', pattern: QUICK_PATTERN });
    const reply = await apply(
      schema,
      Array.from({ length: 6 }, () => ({ v: 'a'.repeat(12_000) })),
    );
    expect(reply).toEqual({
      status: 'invalid',
      violations: [
        { path: '/items/0/data/v', message: `must match the pattern ${QUICK_PATTERN}` },
        {
          path: '/items/1/data',
          message: expect.stringContaining('too long for the patterns') as string,
        },
      ],
    });
  });

  it('keeps the defaults that were set before the budget was exhausted', async () => {
    const { apply, asked } = observedChecker();
    const schema = schemaOf(
      { name: 'currency', type: 'string', default: 'EUR' },
      { name: 'v', type: 'string', pattern: '^([a-z]{1,10}){20}' },
    );
    const data = [{ v: 'a'.repeat(2000) }];
    expect(await apply(schema, data)).toEqual({
      status: 'valid',
      json: [JSON.stringify({ v: 'a'.repeat(2000), currency: 'EUR' })],
    });
    expect(asked).toEqual(['data']);
  });

  it.each<[string, TemplateSchema, Record<string, unknown>]>([
    [
      'many fields',
      schemaOf(
        ...Array.from({ length: 100 }, (_, index) => ({ name: `f${index}`, type: 'string' as const })),
      ),
      {},
    ],
    [
      'large patterns',
      schemaOf(
        { name: 'v', type: 'string', pattern: '(a{1,30}){1,30}' },
        { name: 'w', type: 'string', pattern: '(b{1,30}){1,30}' },
      ),
      {},
    ],
    [
      'a default for every element of a long list',
      schemaOf({
        name: 'v',
        type: 'array',
        items: { type: 'object', properties: { w: { type: 'string', default: 'x'.repeat(2000) } } },
      }),
      { v: Array.from({ length: 10_000 }, () => ({})) },
    ],
  ])('goes to a check process for a costly check: %s', async (_what, schema, data) => {
    const { apply, asked, budgets } = observedChecker();
    await apply(schema, [data]);
    expect(asked).toEqual(['data']);
    expect(budgets).toEqual([]);
  });

  it('is not checked against a schema that is nested deeper than a body may be', async () => {
    const { apply, asked } = observedChecker();
    let value: unknown = 0;
    for (let level = 0; level < 100; level += 1) value = [value];
    expect(await apply(schemaOf({ name: 'v', type: 'array', default: value }), [{}])).toEqual({
      status: 'schema_unusable',
      violations: [{ path: '/schema', message: 'is nested deeper than 100 levels' }],
    });
    expect(asked).toEqual([]);
  });

  it('does not block this process during a check', async () => {
    const schema = schemaOf({ name: 'v', type: 'string', pattern: SLOW_PATTERN });
    const abort = new AbortController();
    let turns = 0;
    const turn = setInterval(() => {
      turns += 1;
      if (turns === 20) abort.abort(new Error('so many turns'));
    }, 1);
    const items = Array.from({ length: 6 }, () => ({ v: 'a'.repeat(12_000) }));
    const checked = new DataChecker(pool).apply({ schema }, check(items), {
      account: 'a',
      signal: abort.signal,
    });
    await expect(checked).rejects.toThrow('so many turns');
    clearInterval(turn);
  });
});

it('A batch of e-invoices is created in several checks, in the order of its items', async () => {
  const checker = new DataChecker(pool);
  const data = Array.from({ length: 25 }, (_, index) => ({ ...INVOICE_DATA, number: `N-${index}` }));
  const rules = { eInvoice: { spec: E_INVOICE, test: false } };
  const turn = { account: 'acme' };
  const created = await checker.apply(rules, check(data), turn);
  const eInvoices = created.status === 'valid' ? (created.eInvoices ?? []) : [];
  expect(eInvoices.map(({ xml }) => /<ram:ID>(N-\d+)</.exec(Buffer.from(xml).toString())?.[1])).toEqual(
    data.map(({ number }) => number),
  );
  const wrong = await checker.apply(rules, check([...data, WRONG_TOTAL]), turn);
  expect(wrong).toMatchObject({ status: 'invoice_invalid', problems: [{ path: '/items/25/data/total' }] });
  const small = { ...LIMITS, together: 100_000 };
  expect(await checker.apply(rules, check(data, small), turn)).toEqual({ status: 'too_large' });
  const few = { ...LIMITS, together: 10_000 };
  expect(await checker.apply(rules, check(data.slice(0, 2), few), turn)).toEqual({ status: 'too_large' });
});
