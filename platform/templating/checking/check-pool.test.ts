import { afterAll, expect, it } from 'vitest';
import { CheckPool } from './check-pool.ts';

const pool = new CheckPool();
afterAll(() => pool.stop());
const turn = { account: 'acme' };

it('CheckPool distinguishes an unusable schema from one with an invalid default', async () => {
  const field = { name: 'code', type: 'string' } as const;
  const unusable = { fields: [{ ...field, pattern: '(' }] };
  expect(await pool.ask('schema', { schema: JSON.stringify(unusable) }, turn)).toMatchObject({
    problem: { defaultsOnly: false, violations: [{ path: '/schema/fields/0/pattern' }] },
  });
  const wrongDefault = { fields: [{ ...field, default: 5 }] };
  expect(await pool.ask('schema', { schema: JSON.stringify(wrongDefault) }, turn)).toEqual({
    problem: {
      defaultsOnly: true,
      violations: [{ path: '/schema/fields/0/default', message: 'must be a string' }],
    },
  });
  expect(await pool.ask('schema', { schema: JSON.stringify({ fields: [field] }) }, turn)).toEqual({});
});
