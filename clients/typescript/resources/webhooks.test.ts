import { expect, it } from 'vitest';
import { json, scriptedServer } from '../testing/scripted-server.ts';

it('deliveries.retryAll retries page by page with the same filters and returns the total', async () => {
  const { client, received } = await scriptedServer([
    json(202, { retried: 1000, has_more: true, next_cursor: 'one' }),
    // Another client has retried these.
    json(202, { retried: 0, has_more: true, next_cursor: 'two' }),
    json(202, { retried: 7, has_more: false, next_cursor: null }),
  ]);
  const filters = { endpoint: 'account', since: '2026-11-21T10:00:00Z' };
  expect(await client.webhooks.deliveries.retryAll(filters)).toBe(1007);
  const path = '/v1/webhooks/deliveries/retry';
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(Array(3).fill(`POST ${path}`));
  const bodies = received.map(({ body }) => JSON.parse(body) as object);
  expect(bodies).toEqual([filters, { ...filters, cursor: 'one' }, { ...filters, cursor: 'two' }]);
});
