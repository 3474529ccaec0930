import { expect, it } from 'vitest';
import { E_INVOICE, INVOICE_DATA, WRONG_TOTAL } from '../support/e-invoice.ts';
import { attachmentsIn, openPdf } from '../support/files/pdf.ts';
import { live, test, typescriptClient } from './service-under-test.ts';

const client = typescriptClient(live);
const data = INVOICE_DATA;
const html = '<title>Invoice</title><h1>Invoice {{number}}</h1>{{#each lines}}<p>{{name}}: {{net}}{{/each}}';
const { id: template_id } = await client.templates.create({ name: 'Invoice', html, e_invoice: E_INVOICE });

/** Returns the only attachment of a PDF, which must have that name. */
async function eInvoiceIn(pdf: Uint8Array, filename = 'factur-x.xml'): Promise<string> {
  const files = await attachmentsIn(pdf);
  expect([...files.keys()]).toEqual([filename]);
  return files.get(filename)?.toString() ?? '';
}

it('An e-invoice is the same in a PDF, as XML, and in a batch', async () => {
  const file = await client.documents.pdf({ template_id, data });
  const pdf = await file.bytes();
  const xml = await eInvoiceIn(pdf);
  expect(xml).toContain('<ram:Name>Light bulb &lt;E27&gt;</ram:Name>');
  const metadata = await openPdf(pdf, async (document) => (await document.getMetadata()).metadata.getRaw());
  expect(metadata).toContain('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>');
  expect(metadata).toContain('<pdfaid:part>3</pdfaid:part>');

  const document = await client.documents.generate({ template_id, data, format: 'xml', filename: 'INV' });
  const alone = await client.documents.download(document.id);
  expect(alone).toMatchObject({ contentType: 'application/xml', filename: 'INV.xml' });
  expect(Buffer.from(await alone.bytes()).toString()).toBe(xml);

  const items = [{ data }, { data: { ...data, number: 'B' } }];
  const { id } = await client.batches.create({ template_id, format: 'pdf', items });
  expect(await client.batches.wait(id)).toMatchObject({ completed: 2 });
  const files = await Promise.all([0, 1].map(async (index) => client.batches.downloadItem(id, index)));
  const [first, second] = await Promise.all(files.map(async (each) => eInvoiceIn(await each.bytes())));
  expect(first).toBe(xml);
  expect(second).toBe(xml.replace(`<ram:ID>${data.number}</ram:ID>`, '<ram:ID>B</ram:ID>'));
});

it('An e-invoice that the caller wrote comes back byte for byte', async () => {
  const { id } = await client.documents.generate({ template_id, data, format: 'xml' });
  const created = Buffer.from(await (await client.documents.download(id)).bytes()).toString();
  const xml = `\uFEFF${created.replaceAll('\n', '\r\n')}<!-- Größe \u{1F600} -->\n`;
  const own = { template: { html }, data, e_invoice: { profile: 'en16931', xml } };
  for (const mode of [live, test]) {
    const caller = typescriptClient(mode);
    const pdf = await (await caller.documents.pdf(own)).bytes();
    expect((await attachmentsIn(pdf)).get('factur-x.xml')).toEqual(Buffer.from(xml));
    const metadata = await openPdf(pdf, async (document) => (await document.getMetadata()).metadata.getRaw());
    expect(metadata).toContain('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>');
    expect(metadata).toContain('<pdfaid:part>3</pdfaid:part>');
    const alone = await caller.documents.generate({ ...own, format: 'xml' });
    expect(Buffer.from(await (await caller.documents.download(alone.id)).bytes())).toEqual(Buffer.from(xml));
  }
  const wrong = xml.replace('>172.19</ram:Grand', '>172.20</ram:Grand');
  await expect(
    client.documents.pdf({ ...own, e_invoice: { profile: 'en16931', xml: wrong } }),
  ).rejects.toMatchObject({ code: 'invoice_invalid', details: [{ rule: 'BR-CO-15' }, { rule: 'BR-CO-16' }] });
});

it('An e-invoice created with a test key contains the note TEST', async () => {
  const { id } = await typescriptClient(test).documents.generate({ template_id, data });
  const pdf = await (await typescriptClient(test).documents.download(id)).bytes();
  expect(await eInvoiceIn(pdf)).toContain('<ram:Content>TEST</ram:Content>');
});

it('A PDF has a warning for each value of its e-invoice that the page does not show', async () => {
  const generated = async (page: string, e_invoice: typeof E_INVOICE & { compare?: boolean } = E_INVOICE) => {
    const { id } = await client.documents.generate({ template: { html: page, e_invoice }, data });
    return client.documents.get(id);
  };
  const shown = '<p>{{number}}<p>{{formatDate date}}<p>{{formatCurrency vat "EUR"}}<p>';
  expect(await generated(`${shown}{{total}}`)).toMatchObject({ warnings: [] });
  expect(await generated(`${shown}{{net}}`)).toMatchObject({
    warnings: [{ code: 'invoice_differs', name: 'BT-115 amount due for payment', part: 'e_invoice' }],
  });
  expect(await generated('<p>', { ...E_INVOICE, compare: false })).toMatchObject({ warnings: [] });
  const preview = await client.templates.preview({ html: shown, e_invoice: E_INVOICE, data });
  expect(preview.warnings).toMatchObject([{ code: 'invoice_differs', part: 'e_invoice' }]);
});

it('An e-invoice that breaks a rule is rejected with the rule and the value', async () => {
  const rejected = client.documents.generate({ template_id, data: WRONG_TOTAL });
  await expect(rejected).rejects.toMatchObject({
    status: 422,
    code: 'invoice_invalid',
    details: [{ rule: 'BR-CO-15', path: '/data/total' }],
  });
});

it('A preview shows the XML, and the rules that it breaks', async () => {
  const template = { html, e_invoice: E_INVOICE };
  const { file, errors } = await client.templates.preview({ ...template, data, format: 'xml' });
  expect(errors).toEqual([]);
  expect(Buffer.from(file ?? '', 'base64').toString()).toContain('<ram:Content>TEST</ram:Content>');
  const wrong = await client.templates.preview({ ...template, data: WRONG_TOTAL });
  expect(wrong).toMatchObject({
    file: expect.any(String),
    errors: [{ code: 'invoice_invalid', rule: 'BR-CO-15', path: '/data/total', part: 'data', name: 'total' }],
  });
});
