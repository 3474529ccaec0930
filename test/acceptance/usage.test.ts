import { expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { clientWith, newAccount } from './service-under-test.ts';
import { eventually } from '../support/eventually.ts';

interface Counters {
  readonly documents: Readonly<Record<'live' | 'test', Readonly<Record<string, number>>>>;
  readonly failed: number;
  readonly pages: number;
  readonly bytes: number;
  readonly batches: number;
  readonly emails: number;
}

interface Usage {
  readonly from: string;
  readonly to: string;
  readonly data: readonly (Counters & { readonly date: string })[];
  readonly total: Counters;
  readonly as_of: string | null;
}

interface Billing {
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly units: readonly { readonly unit: string; readonly quantity: number }[];
}

const NO_DOCUMENTS = { pdf: 0, png: 0, html: 0, docx: 0 };
const NOTHING: Counters = {
  documents: { live: NO_DOCUMENTS, test: NO_DOCUMENTS },
  failed: 0,
  pages: 0,
  bytes: 0,
  batches: 0,
  emails: 0,
};

async function read<T>(api: Api, path: string): Promise<T> {
  const answer = await api.get(path);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<T>();
}

/** Live and test keys of an account without usage. */
async function freshAccount(): Promise<{ live: Api; test: Api }> {
  const account = newAccount();
  return { live: await clientWith({ account }), test: await clientWith({ account, type: 'test' }) };
}

const dayOf = (text: string) => text.slice(0, 10);

it('a new account has zeros for every day of the current month', async () => {
  const { live } = await freshAccount();
  const usage = await read<Usage>(live, '/v1/usage');
  expect(usage.from).toBe(`${usage.to.slice(0, 8)}01`);
  expect(usage.data).toHaveLength(Number(usage.to.slice(8)));
  for (const { date, ...counters } of usage.data) expect(counters, date).toEqual(NOTHING);
  expect(usage.total).toEqual(NOTHING);
});

it('usage counts documents, failures and emails by key type soon after they are answered', async () => {
  const { live, test } = await freshAccount();
  const { id, created_at: from } = await live.createTemplate();
  const documents = [
    await live.generate(id, { name: 'Ada' }),
    await live.generate(id, { name: 'Grace' }),
    await test.generate(id, { name: 'Edsger' }),
  ];
  const { id: broken } = await live.createTemplate({ html: '{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}' });
  const failing = await live.post('/v1/generate', { template_id: broken, data: {} });
  expect(failing.json(), failing.text).toMatchObject({ status: 'failed' });
  const letter = { engine: 'handlebars-html', subject: 'Hi', html: '<p>Hi</p>' };
  for (const api of [live, live, test]) {
    const compiled = await api.post('/v1/emails/compile', { template: letter, data: {} });
    expect(compiled.status, compiled.text).toBe(200);
  }

  const usageOf = async (api: Api) => read<Usage>(api, `/v1/usage?from=${dayOf(from)}`);
  await eventually(
    async () =>
      expect((await usageOf(live)).total).toEqual({
        documents: { live: { ...NO_DOCUMENTS, pdf: 2 }, test: { ...NO_DOCUMENTS, pdf: 1 } },
        failed: 1,
        pages: 3,
        bytes: documents.reduce((sum, { file_size: size = 0 }) => sum + size, 0),
        batches: 0,
        emails: 3,
      }),
    { timeoutMs: 30_000 },
  );
  const { total, data, as_of } = await usageOf(live);
  expect(new Date(as_of ?? '').toISOString()).toBe(as_of);
  expect(data.at(-1)?.emails ?? 0).toBeGreaterThan(0);
  // Live and test keys see the same account.
  await eventually(async () => expect((await usageOf(test)).total).toEqual(total), { timeoutMs: 30_000 });
});

it('usage counts a batch once and its items as documents', async () => {
  const { live } = await freshAccount();
  const { id } = await live.createTemplate();
  const items = [{ data: { name: 'Ada' } }, { data: { name: 'Grace' } }];
  const answer = await live.post('/v1/generate/batch', { template_id: id, format: 'pdf', items });
  expect(answer.status, answer.text).toBe(202);
  const batch = answer.json<{ status_url: string; created_at: string }>();
  await eventually(
    async () => expect((await live.get(batch.status_url)).json()['status']).toBe('completed'),
    { timeoutMs: 30_000 },
  );
  await eventually(
    async () =>
      expect((await read<Usage>(live, `/v1/usage?from=${dayOf(batch.created_at)}`)).total).toMatchObject({
        documents: { live: { pdf: 2 } },
        pages: 2,
        batches: 1,
      }),
    { timeoutMs: 30_000 },
  );
});

it('usage of a year is grouped by month, and the months add up to the total', async () => {
  const { live } = await freshAccount();
  const { id } = await live.createTemplate();
  await live.generate(id, { name: 'Ada' });
  const { to } = await read<Usage>(live, '/v1/usage');
  const from = `${Number(to.slice(0, 4)) - 1}${to.slice(4, 8)}01`;
  const usage = await eventually(async () => {
    const answer = await read<Usage>(live, `/v1/usage?from=${from}&to=${to}&granularity=month`);
    return answer.total.pages > 0 && answer;
  });
  expect(usage.data).toHaveLength(13);
  expect(usage.data.map(({ date }) => date).toSorted()).toEqual(usage.data.map(({ date }) => date));
  const made = usage.data.reduce((sum, { documents }) => sum + (documents.live['pdf'] ?? 0), 0);
  expect([made, usage.total.documents.live['pdf']]).toEqual([1, 1]);
});

it('billing counts the documents of live keys in the month and none of test keys', async () => {
  const { live, test } = await freshAccount();
  const { id, created_at: from } = await live.createTemplate();
  await live.generate(id, { name: 'Ada' });
  await test.generate(id, { name: 'Ada' });
  const period = from.slice(0, 7);
  await eventually(async () =>
    expect((await read<Usage>(live, `/v1/usage?from=${from.slice(0, 10)}`)).total.pages).toBe(2),
  );
  const bill = await read<Billing>(live, `/v1/billing?period=${period}`);
  expect(bill).toMatchObject({ period, from: `${period}-01` });
  expect(bill.units.map(({ unit, quantity }) => [unit, quantity])).toEqual([
    ['pdf', 1],
    ['png', 0],
    ['html', 0],
    ['docx', 0],
    ['email', 0],
  ]);
  const before = await read<Billing>(live, '/v1/billing?period=2020-02');
  expect(before).toMatchObject({ from: '2020-02-01', to: '2020-02-29' });
  expect(before.units.every(({ quantity }) => quantity === 0)).toBe(true);
});

it('usage of another account is not visible', async () => {
  const [one, other] = [await freshAccount(), await freshAccount()];
  const { id } = await one.live.createTemplate();
  await one.live.generate(id, { name: 'Ada' });
  await eventually(async () => (await read<Usage>(one.live, '/v1/usage')).total.pages === 1);
  expect((await read<Usage>(other.live, '/v1/usage')).total).toEqual(NOTHING);
});
