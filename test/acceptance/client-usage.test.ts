import { TrifoldClient } from '@trifold/client';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { clientWith, newAccount, url } from './service-under-test.ts';

async function newClient(): Promise<TrifoldClient> {
  const { key } = await clientWith({ account: newAccount() });
  return new TrifoldClient({ baseUrl: url, apiKey: String(key) });
}

describe('Usage and billing through the client', () => {
  it('report the generated documents', async () => {
    const client = await newClient();
    const { id } = await client.templates.create({ name: 'Counted', html: '<p>{{name}}</p>' });
    const made = await client.documents.generate({ template_id: id, data: {} });
    if (made.status !== 'completed') return expect.unreachable(made.status);
    const usage = await eventually(async () => {
      const seen = await client.usage.get({ granularity: 'month' });
      return seen.total.documents.live.pdf === 1 && seen;
    });
    expect(usage.total).toMatchObject({ failed: 0, pages: 1, bytes: made.file_size, batches: 0 });
    expect(usage.data.at(-1)?.documents).toEqual(usage.total.documents);

    const { units, from } = await client.billing.get();
    expect(units.find(({ unit }) => unit === 'pdf')).toMatchObject({ quantity: 1 });
    expect(from).toMatch(/^\d{4}-\d\d-01$/);
    expect((await client.billing.get({ period: '2024-02' })).to).toBe('2024-02-29');
  });

  it('report the requested period', async () => {
    const client = await newClient();
    const { data, from, to } = await client.usage.get({ from: '2024-02-28', to: '2024-03-01' });
    expect([from, to]).toEqual(['2024-02-28', '2024-03-01']);
    expect(data.map(({ date }) => date)).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
    await expect(client.usage.get({ from: '2024-02-30' })).rejects.toMatchObject({
      name: 'ValidationError',
      status: 400,
      details: [{ path: '/from' }],
    });
  });
});
