import { describe, expect, it } from 'vitest';
import { TEMPLATE } from '@trifold/crds';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

interface Page {
  data: { id: string; status: string; description: string | null }[];
  pagination: { has_more: boolean; next_cursor: string | null; total_count: number };
}

/** Newest first. */
const ids: string[] = [];
const gateway = await GatewayFixture.shared();
for (let count = 0; count < 25; count++) {
  ids.unshift(
    await gateway.template({
      name: `Number ${count}`,
      description: 'A test',
      status: count % 5 === 0 ? 'draft' : 'active',
    }),
  );
  const made = Date.now();
  // IDs with the same millisecond have no defined order.
  while (Date.now() === made);
}

const list = async (query = '', options: object = {}) =>
  gateway.call('GET', `/v1/templates${query}`, options);
const page = async (query = '') => (await list(query)).json<Page>();
const idsOf = ({ data }: Page) => data.map(({ id }) => id);

describe('GET /v1/templates', () => {
  it('returns the newest twenty first, with the documented entries and envelope', async () => {
    const response = await page();
    expect(idsOf(response)).toEqual(ids.slice(0, 20));
    expect(Object.keys(response.data[0]!).sort()).toEqual(
      ['created_at', 'description', 'id', 'name', 'status', 'updated_at', 'version'].sort(),
    );
    expect(response.data[0]?.description).toBe('A test');
    expect(response.pagination).toEqual({ has_more: true, next_cursor: expect.any(String), total_count: 25 });
  });

  it('returns every template once for any page size', async () => {
    for (const limit of [1, 7, 25, 100]) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const response: Page = await page(`?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        seen.push(...idsOf(response));
        cursor = response.pagination.next_cursor;
      }
      expect(seen).toEqual(ids);
    }
  });

  it('counts only the templates that match the filter', async () => {
    const response = await page('?status=draft&limit=2');
    expect(response.data.map(({ status }) => status)).toEqual(['draft', 'draft']);
    expect(response.pagination).toMatchObject({ has_more: true, total_count: 5 });
    const none = { has_more: false, next_cursor: null, total_count: 0 };
    expect((await page('?status=archived')).pagination).toEqual(none);
  });

  it('finds templates by part of the name, ignoring case, alone or with another filter', async () => {
    const found = await page('?q=nUMBER%201&limit=3');
    expect(found.pagination).toMatchObject({ has_more: true, total_count: 11 });
    const rest = await page(`?q=nUMBER%201&limit=100&cursor=${found.pagination.next_cursor}`);
    expect(rest.data).toHaveLength(8);
    expect((await list(`?q=number&cursor=${found.pagination.next_cursor}`)).statusCode).toBe(400);
    expect((await page('?q=number%201&status=draft')).pagination.total_count).toBe(2);
    expect((await page('?q=.*')).data).toEqual([]);
  });

  it('selects templates with or without email parts', async () => {
    const email = await gateway.template({ name: 'Receipt', email: { subject: 'Hello {{name}}' } });
    expect(idsOf(await page('?email=true'))).toEqual([email]);
    expect((await page('?email=false')).pagination.total_count).toBe(25);
    await gateway.call('PATCH', `/v1/templates/${email}`, { body: { email: null } });
    expect(idsOf(await page('?email=true'))).toEqual([]);
    await gateway.kubernetes.resource(TEMPLATE).delete('acme', email);
  });

  it("keeps a cursor's position while templates are created and deleted", async () => {
    const first = await page('?limit=5');
    const created = await gateway.template({ name: 'In between' });
    const resources = gateway.kubernetes.resource(TEMPLATE);
    // The entry at the cursor's position.
    await resources.delete('acme', ids[4]!);
    const second = await page(`?limit=5&cursor=${first.pagination.next_cursor}`);
    expect(idsOf(second)).toEqual(ids.slice(5, 10));
    await resources.delete('acme', created);
    ids.splice(4, 1);
  });

  it('accepts a cursor from another gateway', async () => {
    const other = await gateway.startAnother();
    const first = await page('?limit=3');
    const response = await list(`?limit=3&cursor=${first.pagination.next_cursor}`, { gateway: other });
    expect(idsOf(response.json())).toEqual(ids.slice(3, 6));
  });
});

describe('An invalid query of GET /v1/templates', () => {
  it.each(['0', '101', 'ten', '', '1e9', '0x5', '+5', '5%20'])(
    'gets 400 with the bounds for limit=%s',
    async (limit) => {
      const response = await list(`?limit=${limit}`);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ code: 'invalid_request', details: [{ path: '/limit' }] });
      expect(response.json().message).toMatch(/limit must be/);
    },
  );

  it.each(['?status=deleted', '?limit=1&limit=2', '?page=2', '?__proto__=1', '?cursor=a&cursor=b'])(
    'gets 400 for %s',
    async (query) => {
      expect((await list(query)).statusCode).toBe(400);
    },
  );

  it('gets 400 for a forged or altered cursor, or one from another list', async () => {
    const cursor = (await page('?limit=5')).pagination.next_cursor!;
    const changed = Buffer.from(cursor, 'base64url');
    changed[changed.length - 1]! ^= 1;
    const foreign = await list(`?cursor=${cursor}`, { key: gateway.otherKey });
    const responses = [
      await list('?cursor=made-up'),
      await list('?cursor='),
      await list(`?cursor=${cursor}x`),
      await list(`?cursor=${cursor.slice(0, 10)}`),
      await list(`?cursor=${changed.toString('base64url')}`),
      await list(`?cursor=${Buffer.from(`1 ${ids[3]}`).toString('base64url')}`),
      await list(`?cursor=${cursor}&status=draft`),
      foreign,
    ];
    for (const response of responses) {
      expect(response.statusCode).toBe(400);
      expect(response.json().code).toBe('invalid_cursor');
    }
  });
});
