import { TrifoldClient } from '@trifold/client';
import { describe, expect, it } from 'vitest';
import { expectError, type Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { readPdf } from '../support/files/pdf.ts';
import { clientWith, live, newAccount, previewsDocuments, test, url } from './service-under-test.ts';

const PATH = '/v1/templates/preview';
const AS_JSON = { accept: 'application/json' };
const LETTER = { html: '<p>Dear {{name}}</p>', data: { name: 'Ada' } };

interface Preview {
  readonly file: string | null;
  readonly email: { readonly subject: string } | null;
  readonly warnings: readonly unknown[];
  readonly errors: readonly { readonly code: string; readonly line: number | null }[];
  readonly timings: Readonly<Record<string, number>>;
}

const previewOf = async (body: object, api: Api = live): Promise<Preview> => {
  const answer = await api.post(PATH, { ...LETTER, ...body }, AS_JSON);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<Preview>();
};
const fileOf = ({ file, errors }: Preview): Buffer => {
  expect(errors).toEqual([]);
  return Buffer.from(file ?? '', 'base64');
};
const textsOf = async (pdf: Uint8Array) => (await readPdf(pdf)).map(({ text }) => text);

describe.runIf(previewsDocuments)('A preview of a document', () => {
  it.each([
    ['live', live],
    ['test', test],
  ])('is a PDF with the watermark PREVIEW for a %s key', async (_mode, api) => {
    const answer = await api.post(PATH, { ...LETTER, default_options: { page_size: 'a4' } });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('x-trifold-warnings')).toBe('0');
    const [page] = await readPdf(answer.bytes);
    expect(page?.text).toMatch(/^Dear Ada ?PREVIEW$/);
    expect(Math.round(page?.height ?? 0)).toBe(842);
  });

  it('is the file in Base64 in JSON, with timings', async () => {
    const preview = await previewOf({});
    expect(await textsOf(fileOf(preview))).toEqual([expect.stringMatching(/^Dear Ada ?PREVIEW$/)]);
    expect(preview.warnings).toEqual([]);
    expect(Object.keys(preview.timings)).toEqual(['check_ms', 'merge_ms', 'print_ms']);
  });

  it('exists in every format', async () => {
    const png = await live.post(PATH, { ...LETTER, format: 'png' });
    expect(png.headers.get('content-type')).toBe('image/png');
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    const html = fileOf(await previewOf({ format: 'html' })).toString();
    expect(html).toMatch(/PREVIEW[^]*Dear Ada/);
    expect(
      fileOf(await previewOf({ format: 'docx' }))
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
  });

  it('leaves no document, template or usage', async () => {
    const api = await clientWith({ account: newAccount() });
    fileOf(await previewOf({}, api));
    fileOf(await previewOf({ format: 'email', email: { subject: 'S' } }, api));
    expect((await api.get('/v1/templates')).json()).toMatchObject({ data: [] });
    const asked = Date.now();
    const { total } = await eventually(async () => {
      const usage = (await api.get('/v1/usage')).json<{ total: object; as_of: string | null }>();
      return Date.parse(usage.as_of ?? '') > asked && usage;
    });
    expect(total).toMatchObject({ pages: 0, bytes: 0, failed: 0, emails: 0 });
  });

  it('does not wait for an endless preview of the same session', async () => {
    const endless = '{{#each @root.a}}'.repeat(6) + '{{/each}}'.repeat(6);
    const a = Array.from({ length: 200 }, (_, index) => index);
    const session = { 'preview-session': 'editor-1' };
    const first = live.post(PATH, { html: endless, data: { a } }, session);
    const second = await live.post(PATH, LETTER, session);
    // The first may have reached its own limit before the second arrived.
    const { status } = await first;
    expect([409, 422]).toContain(status);
    expect(second.status, second.text).toBe(200);
  });

  it('can be made through the client', async () => {
    const client = new TrifoldClient({ baseUrl: url, apiKey: String(live.key) });
    const { file, errors } = await client.templates.preview(LETTER, { session: 'client' });
    expect(errors).toEqual([]);
    expect(
      Buffer.from(file ?? '', 'base64')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it('that fails is a problem with its code in JSON, and 422 for a file', async () => {
    const css = '@page { size: 300in 300in }';
    expect((await previewOf({ css })).errors).toMatchObject([{ code: 'options_invalid', line: null }]);
    expectError(await live.post(PATH, { ...LETTER, css }), 422, 'generation_failed');
  });
});

describe.runIf(!previewsDocuments)('A preview of a document without a renderer in the gateway', () => {
  it('is not supported', async () => {
    expectError(await live.post(PATH, LETTER), 501, 'not_supported_yet');
  });
});

describe(`POST ${PATH}`, () => {
  it('compiles an email, also without a renderer', async () => {
    const preview = await previewOf({ format: 'email', email: { subject: 'For {{name}}' } });
    expect(preview.email).toMatchObject({ subject: 'For Ada', text: 'Dear Ada' });
    expect(fileOf(preview).toString()).toContain('Dear Ada');
  });

  it('lists every problem of an email template with its position', async () => {
    const { file, errors } = await previewOf({
      format: 'email',
      html: '<p>\n{{/if}}',
      email: { subject: '{{nosuch a}}' },
      schema: { fields: [{ name: 'city', type: 'string', required: true }] },
    });
    expect(file).toBeNull();
    expect(errors).toMatchObject([
      { code: 'template_does_not_compile', path: '/html', line: 2 },
      { code: 'template_does_not_compile', path: '/email/subject', line: 1, column: 1 },
      { code: 'data_invalid', path: '/data/city', line: null, column: null },
    ]);
  });

  it.each([
    ['without html', { html: undefined }],
    ['without data', { data: undefined }],
    ['of an unknown format', { format: 'doc' }],
    ['of an email without email parts', { format: 'email' }],
    ['with an unknown member', { name: 'x' }],
  ])('answers 400 to a request %s', async (_what, members) => {
    expectError(await live.post(PATH, { ...LETTER, ...members }), 400, 'invalid_request');
  });
});
