import { attachmentsKey, BATCH, documentKeyOf, GENERATION_JOB, type ObjectRef } from '@trifold/crds';
import { unpackAttachments } from '@trifold/platform/records/documents/attachments.ts';
import { E_INVOICE, INVOICE_DATA, WRONG_TOTAL } from '@trifold/test-support/e-invoice.ts';
import { describe, expect, it } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedController } from '../../testing/scripted-controller.ts';

const gateway = await GatewayFixture.shared();
const template_id = await gateway.template({ e_invoice: E_INVOICE });
const xmlOnly = await gateway.template({ e_invoice: { ...E_INVOICE, format: 'xml', syntax: 'ubl' } });
const plain = await gateway.template();

type Options = NonNullable<Parameters<GatewayFixture['call']>[2]>;
const generate = async (more: object = {}, options: Options = {}) =>
  gateway.call('POST', '/v1/generate', {
    body: { template_id, data: INVOICE_DATA, async: true, ...more },
    ...options,
  });
const batch = async (items: readonly object[], more: object = {}) =>
  gateway.call('POST', '/v1/generate/batch', { body: { template_id, format: 'pdf', items, ...more } });

async function filesOf(ref: ObjectRef | undefined) {
  return ref ? unpackAttachments((await gateway.store.read(ref.key)) ?? expect.fail()) : [];
}

/** Returns an accepted document's files. */
async function accepted(response: Awaited<ReturnType<typeof generate>>) {
  expect(response.statusCode, response.body).toBe(202);
  const job = await gateway.kubernetes.resource(GENERATION_JOB).get('acme', response.json().id);
  const { attachmentsRef } = job.spec;
  if (attachmentsRef) expect(attachmentsRef.key).toBe(attachmentsKey(documentKeyOf(job)));
  return filesOf(attachmentsRef);
}

describe("A document's e-invoice", () => {
  it('is created at acceptance, and stored with the attachments', async () => {
    const attachments = [{ filename: 'a.txt', mime_type: 'text/plain', data: '' }];
    const [other, file] = await accepted(await generate({ attachments }));
    expect(other).toMatchObject({ filename: 'a.txt' });
    const about = { filename: 'factur-x.xml', mimeType: 'text/xml', relationship: 'alternative' };
    expect(file).toMatchObject({ ...about, eInvoice: 'en16931' });
    const xml = file?.bytes.toString();
    expect(xml).toContain('Muster &amp; Söhne KG');
    expect(xml).not.toContain('TEST');
  });

  it('contains the note TEST for a test key', async () => {
    const key = await gateway.mint({ mode: 'test' });
    const [file] = await accepted(await generate({}, { key }));
    expect(file?.bytes.toString()).toContain('<ram:Content>TEST</ram:Content>');
  });

  it('is created only for formats that can contain it', async () => {
    expect(await accepted(await generate({ format: 'png', data: {} }))).toEqual([]);
    expect(await accepted(await generate({ template_id: xmlOnly, data: {} }))).toEqual([]);
    const [file] = await accepted(await generate({ template_id: xmlOnly, format: 'xml' }));
    expect(file?.bytes.toString()).toContain('<cbc:ID>INV-2026-0042</cbc:ID>');
  });

  it('is downloaded without permission to run scripts', async () => {
    const { id } = (await generate({ format: 'xml' })).json();
    const job = await gateway.kubernetes.resource(GENERATION_JOB).get('acme', id);
    await new ScriptedController(gateway).complete(job);
    const { headers } = await gateway.call('GET', `/v1/generate/${id}/download`);
    expect(headers).toMatchObject({
      'content-type': 'application/xml',
      'content-security-policy': 'sandbox',
    });
  });

  it('is the same for a request repeated after the template has changed', async () => {
    const changing = await gateway.template({ e_invoice: E_INVOICE });
    const options = { headers: { 'idempotency-key': 'invoice-42' } };
    const [first] = await accepted(await generate({ template_id: changing }, options));
    const mapping = { ...E_INVOICE.mapping, 'BT-1 invoice number': 'X-{{number}}' };
    const body = { e_invoice: { ...E_INVOICE, mapping } };
    expect((await gateway.call('PATCH', `/v1/templates/${changing}`, { body })).statusCode).toBe(200);
    const [again] = await accepted(await generate({ template_id: changing }, options));
    expect(again?.bytes).toEqual(first?.bytes);
    const [next] = await accepted(await generate({ template_id: changing }));
    expect(next?.bytes.toString()).toContain('X-INV-2026-0042');
  });

  it('causes a rejection if it breaks a rule', async () => {
    const response = await generate({ data: WRONG_TOTAL });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({
      code: 'invoice_invalid',
      details: [
        { rule: 'BR-CO-15', term: expect.stringMatching(/^BT-112 /), path: '/data/total', part: 'data' },
      ],
    });
    const { number: _number, ...incomplete } = INVOICE_DATA;
    expect((await generate({ data: incomplete })).json()).toMatchObject({
      code: 'invoice_invalid',
      details: [{ term: 'BT-1 invoice number', path: '/data/number' }],
    });
  });

  it('belongs to one batch item, and all are checked before any is accepted', async () => {
    const second = { ...INVOICE_DATA, number: 'B' };
    const invalid = await batch([{ data: INVOICE_DATA }, { data: WRONG_TOTAL }]);
    expect(invalid.statusCode).toBe(422);
    expect(invalid.json()).toMatchObject({
      code: 'invoice_invalid',
      details: [{ path: '/items/1/data/total' }],
    });
    const response = await batch([{ data: INVOICE_DATA }, { data: second, filename: 'b' }]);
    expect(response.statusCode, response.body).toBe(202);
    const { spec } = await gateway.kubernetes.resource(BATCH).get('acme', response.json().id);
    expect(spec.attachmentsRef).toBeUndefined();
    const files = await Promise.all((spec.items ?? []).map(async (item) => filesOf(item.attachmentsRef)));
    expect(files.map(([file]) => file?.bytes.toString())).toEqual([
      expect.stringContaining(`<ram:ID>${INVOICE_DATA.number}</ram:ID>`),
      expect.stringContaining('<ram:ID>B</ram:ID>'),
    ]);
  });

  it.each<[what: string, body: object, status: number, code: string, path: string | undefined]>([
    [
      'xml without e_invoice',
      { template_id: plain, format: 'xml' },
      422,
      'not_an_e_invoice_template',
      undefined,
    ],
    ['PDF/A-2', { options: { conformance: 'a-2b' } }, 400, 'options_invalid', '/options/conformance'],
    ['PDF/UA alone', { options: { conformance: 'ua-1' } }, 400, 'options_invalid', '/options/conformance'],
    [
      'an attachment with a name reserved for e-invoices',
      { attachments: [{ filename: 'XRechnung.xml', mime_type: 'text/xml', data: '' }] },
      400,
      'invalid_request',
      '/attachments/0/filename',
    ],
  ])('results in an error for %s', async (_what, body, status, code, path) => {
    const response = await generate(body);
    expect(response.statusCode, response.body).toBe(status);
    expect(response.json()).toMatchObject({ code, ...(path !== undefined && { details: [{ path }] }) });
  });
});

describe("A request's e-invoice", () => {
  const xmlOf = async (more: object = {}) => {
    const [file] = await accepted(await generate({ format: 'xml', ...more }));
    return file?.bytes.toString() ?? '';
  };
  const supplied = (xml: string, profile = 'en16931') => ({ profile, xml });

  it('is stored byte for byte, even for a template without e_invoice or with a test key', async () => {
    const xml = `\uFEFF${(await xmlOf()).replaceAll('\n', '\r\n')}<!-- Größe \u{1F600} -->\n`;
    const key = await gateway.mint({ mode: 'test' });
    for (const format of ['pdf', 'xml']) {
      const body = { template_id: plain, data: {}, format, e_invoice: supplied(xml) };
      const [file] = await accepted(await generate(body, { key }));
      expect(file).toMatchObject({ filename: 'factur-x.xml', eInvoice: 'en16931' });
      expect(file?.bytes).toEqual(Buffer.from(xml));
    }
  });

  it('is reported for a failed document, even after its GenerationJob is deleted', async () => {
    const controller = new ScriptedController(gateway);
    const reported = async (more: object) => {
      const { id } = (await generate(more)).json();
      const job = await gateway.kubernetes.resource(GENERATION_JOB).get('acme', id);
      await controller.fail(job);
      const before = (await gateway.call('GET', `/v1/generate/${id}`)).json();
      await controller.remove(job);
      return [before, (await gateway.call('GET', `/v1/generate/${id}`)).json()];
    };
    const own = { has_own_e_invoice: true };
    expect(await reported({ e_invoice: supplied(await xmlOf()) })).toMatchObject([own, own]);
    const none = { has_own_e_invoice: false };
    expect(await reported({})).toMatchObject([none, none]);
  });

  it("replaces the template's, and is stored with the attachments", async () => {
    const xml = (await xmlOf()).replace('INV-2026-0042', 'OTHER');
    const attachments = [{ filename: 'a.txt', mime_type: 'text/plain', data: '' }];
    const body = { data: WRONG_TOTAL, attachments, e_invoice: supplied(xml) };
    const [other, file, ...more] = await accepted(await generate(body));
    expect([other?.filename, file?.bytes.toString(), more]).toEqual(['a.txt', xml, []]);
  });

  it('causes a rejection if it breaks a rule', async () => {
    const e_invoice = supplied((await xmlOf()).replace('>172.19</ram:Grand', '>172.20</ram:Grand'));
    const response = await generate({ template_id: plain, data: {}, e_invoice });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({
      code: 'invoice_invalid',
      details: [
        {
          rule: 'BR-CO-15',
          term: expect.stringMatching(/^BT-112 /),
          path: '/e_invoice/xml',
          part: 'e_invoice',
        },
        { rule: 'BR-CO-16' },
      ],
    });
  });

  it.each<[what: string, body: object, status: number, code: string, detail: object]>([
    [
      'a profile that cannot be checked',
      { e_invoice: supplied('<a/>', 'extended') },
      422,
      'invoice_invalid',
      { path: '/e_invoice/profile', message: expect.stringContaining('basic, en16931, xrechnung') },
    ],
    [
      'a profile without CII',
      { e_invoice: supplied('<a/>', 'peppol-bis-3') },
      422,
      'invoice_invalid',
      { path: '/e_invoice/profile' },
    ],
    [
      'another document',
      { e_invoice: supplied('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>') },
      422,
      'invoice_invalid',
      { path: '/e_invoice/xml', rule: 'xml-invalid', message: expect.stringContaining('DOCTYPE') },
    ],
    [
      'more than 1 MiB',
      { e_invoice: supplied('ß'.repeat(2 ** 19 + 1)) },
      422,
      'invoice_invalid',
      { path: '/e_invoice/xml', rule: 'xml-invalid', message: expect.stringContaining('1 MiB') },
    ],
    ['no xml', { e_invoice: { profile: 'basic' } }, 400, 'invalid_request', { path: '/e_invoice/xml' }],
    [
      'an image',
      { format: 'png', e_invoice: supplied('<a/>') },
      400,
      'invalid_request',
      { path: '/e_invoice' },
    ],
    [
      'PDF/A-2',
      { template_id: plain, options: { conformance: 'a-2b' }, e_invoice: supplied('<a/>') },
      400,
      'options_invalid',
      { path: '/options/conformance' },
    ],
  ])('is rejected with %s', async (_what, body, status, code, detail) => {
    const response = await generate(body);
    expect(response.statusCode, response.body).toBe(status);
    expect(response.json()).toMatchObject({ code, details: [detail] });
  });

  it('is not allowed in a batch', async () => {
    const response = await batch([{ data: INVOICE_DATA, e_invoice: supplied('<a/>') }]);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ details: [{ path: '/items/0/e_invoice' }] });
  });
});

describe("A template's e-invoice", () => {
  it('is returned as sent, and removed with null', async () => {
    const url = `/v1/templates/${await gateway.template({ e_invoice: E_INVOICE })}`;
    expect((await gateway.call('GET', url)).json()).toMatchObject({ e_invoice: E_INVOICE, version: 1 });
    const renamed = await gateway.call('PATCH', url, { body: { name: 'Other' } });
    expect(renamed.json()).toMatchObject({ e_invoice: E_INVOICE, version: 2 });
    const removed = await gateway.call('PATCH', url, { body: { e_invoice: null } });
    expect(removed.json()).toMatchObject({ e_invoice: null, version: 3 });
    expect((await gateway.call('GET', `${url}/versions/2`)).json()).toMatchObject({ e_invoice: E_INVOICE });
    const restored = await gateway.call('POST', `${url}/versions/2/restore`);
    expect(restored.json()).toMatchObject({ e_invoice: E_INVOICE, version: 4 });
  });

  const { 'BT-1 invoice number': _number, ...withoutNumber } = E_INVOICE.mapping;
  const mapped = (mapping: object) => ({ ...E_INVOICE, mapping });
  it.each<[what: string, e_invoice: object, status: number, path: RegExp]>([
    ['a term that is missing', mapped(withoutNumber), 422, /^\/e_invoice\/mapping/],
    [
      'an unknown term',
      mapped({ ...E_INVOICE.mapping, 'BT-999 x': 'y' }),
      422,
      /^\/e_invoice\/mapping\/BT-999 x$/,
    ],
    ['an unknown profile', { ...E_INVOICE, profile: 'extended' }, 400, /^\/e_invoice\/profile$/],
    ['UBL in a PDF', { ...E_INVOICE, syntax: 'ubl' }, 422, /^\/e_invoice\/syntax$/],
    [
      'more than 32 KiB',
      mapped({ ...E_INVOICE.mapping, 'BT-20 payment terms': 'x'.repeat(33_000) }),
      422,
      /^\/e_invoice\/mapping$/,
    ],
  ])('is rejected with %s', async (_what, e_invoice, status, path) => {
    const response = await gateway.call('POST', '/v1/templates', {
      body: { name: 'x', html: 'x', e_invoice },
    });
    expect(response.statusCode, response.body).toBe(status);
    expect(response.json()).toMatchObject({ details: [{ path: expect.stringMatching(path) }] });
    if (status === 422) expect(response.json()).toMatchObject({ details: [{ line: expect.any(Number) }] });
    const template = { html: 'x', e_invoice };
    const inline = await generate({ template_id: undefined, template });
    expect(inline.json().details[0].path).toBe(`/template${response.json().details[0].path}`);
  });

  it('conflicts with a conformance level that does not allow attachments', async () => {
    const body = { name: 'x', html: 'x', e_invoice: E_INVOICE, default_options: { conformance: 'a-2b' } };
    const response = await gateway.call('POST', '/v1/templates', { body });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ details: [{ path: '/default_options/conformance' }] });
    const url = `/v1/templates/${await gateway.template({ e_invoice: E_INVOICE })}`;
    const { default_options } = body;
    expect((await gateway.call('PATCH', url, { body: { default_options } })).statusCode).toBe(400);
  });
});
