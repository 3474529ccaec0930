import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { clientWith, MAY_FAIL, newAccount, typescriptClient } from './service-under-test.ts';

it("usage and billing count an account's documents and emails by key type", async () => {
  const account = newAccount();
  const client = typescriptClient(await clientWith({ account }));
  const test = typescriptClient(await clientWith({ account, type: 'test' }));
  const { id: template_id, created_at } = await client.templates.create({ name: 'Counted', html: MAY_FAIL });
  const request = { template_id, data: { name: 'Ada' } };
  const documents = [await client.documents.generate(request), await test.documents.generate(request)];
  await client.documents.generate({ template_id, data: { bad: true } });
  const png = await client.documents.generate({ ...request, format: 'png' });
  const batch = await client.batches.create({ template_id, format: 'pdf', items: [{ data: request.data }] });
  const { items } = await client.batches.wait(batch.id);
  const template = { engine: 'handlebars-html', subject: 'Hi', html: '<p>Hi</p>' } as const;
  for (const one of [client, client, test]) await one.emails.compile({ template, data: {} });

  const none = { pdf: 0, png: 0, jpeg: 0, webp: 0, html: 0, docx: 0, xml: 0 };
  const sizes = [...documents, png, ...items].map((made) => ('file_size' in made ? made.file_size : 0));
  // Starts on the day the template was created, in case the month ends during the test.
  const from = created_at.slice(0, 10);
  const usage = await eventually(
    async () => {
      const read = await client.usage.get({ from });
      expect(read.total).toEqual({
        documents: { live: { ...none, pdf: 2, png: 1 }, test: { ...none, pdf: 1 } },
        failed: 1,
        pages: 3,
        bytes: sizes.reduce((sum, size) => sum + size),
        batches: 1,
        emails: 3,
      });
      return read;
    },
    { timeoutMs: 30_000 },
  );
  // Both key types see the same account.
  await eventually(async () => expect((await test.usage.get({ from })).total).toEqual(usage.total));
  expect((await client.usage.get({ from, granularity: 'month' })).total).toEqual(usage.total);

  const period = from.slice(0, 7);
  const bill = await client.billing.get({ period });
  expect(bill).toMatchObject({ period, from: `${period}-01` });
  expect(bill.units.map(({ unit, quantity }) => [unit, quantity])).toEqual([
    ['pdf', 2],
    ['png', 1],
    ['jpeg', 0],
    ['webp', 0],
    ['html', 0],
    ['docx', 0],
    ['xml', 0],
    ['email', 2],
  ]);
  const other = await typescriptClient(await clientWith({ account: newAccount() })).usage.get({ from });
  expect(other.total).toMatchObject({ documents: { live: none, test: none }, pages: 0, emails: 0 });
});

it('the request log shows the failed requests and the successful writes of an account', async () => {
  const client = typescriptClient(await clientWith({ account: newAccount() }));
  const { id } = await client.templates.create({ name: 'Logged', html: '<p>Hi</p>' });
  await expect(client.documents.get('gen-unknown')).rejects.toMatchObject({ status: 404 });
  // Another gateway may respond.
  await eventually(async () => {
    const entries = [];
    for await (const { status, code, resource_id } of client.requests.list({ limit: 1 }))
      entries.push([status, code, resource_id]);
    expect(entries).toEqual([
      [404, 'document_not_found', 'gen-unknown'],
      [201, null, id],
    ]);
  });
});
