import { describe, expect, it } from 'vitest';
import { expectError, type Api } from '../support/api.ts';
import { readPdf } from '../support/files/pdf.ts';
import { live, previewsDocuments, test, typescriptClient } from './service-under-test.ts';

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
  const response = await api.post(PATH, { ...LETTER, ...body }, AS_JSON);
  expect(response.status, response.text).toBe(200);
  return response.json<Preview>();
};
const fileOf = ({ file, errors }: Preview): Buffer => {
  expect(errors).toEqual([]);
  return Buffer.from(file ?? '', 'base64');
};

describe.runIf(previewsDocuments)('A preview of a document', () => {
  it.each([
    ['live', live],
    ['test', test],
  ])('is a PDF with the watermark PREVIEW for a %s key', async (_mode, api) => {
    const response = await api.post(PATH, { ...LETTER, default_options: { page_size: 'a4' } });
    expect(response.status, response.text).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('x-trifold-warnings')).toBe('0');
    const [page] = await readPdf(response.bytes);
    expect(page?.text).toMatch(/^Dear Ada ?PREVIEW$/);
    expect(Math.round(page?.height ?? 0)).toBe(842);
  });

  it('is returned as JSON by the client, with failures as problems with a code', async () => {
    const { templates } = typescriptClient(live);
    const { file, timings } = await templates.preview(LETTER, { session: 'client' });
    expect(
      Buffer.from(file ?? '', 'base64')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(Object.keys(timings)).toEqual(['check_ms', 'merge_ms', 'print_ms']);
    const css = '@page { size: 300in 300in }';
    expect((await previewOf({ css })).errors).toMatchObject([{ code: 'options_invalid', line: null }]);
    expectError(await live.post(PATH, { ...LETTER, css }), 422, 'generation_failed');
  });
});

describe(`POST ${PATH}`, () => {
  it('compiles an email, even without a renderer', async () => {
    const preview = await previewOf({ format: 'email', email: { subject: 'For {{name}}' } });
    expect(preview.email).toMatchObject({ subject: 'For Ada', text: 'Dear Ada' });
    expect(fileOf(preview).toString()).toContain('Dear Ada');
  });
});
