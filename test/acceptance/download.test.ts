import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/api.ts';
import { live } from './service-under-test.ts';

let template: string;
beforeAll(async () => {
  template = (await live.createTemplate()).id;
});

const download = async (more: Record<string, unknown>) => {
  const { file_url } = await live.generate(template, {}, more);
  const answer = await live.get(file_url as string);
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  return answer;
};

/** Returns the name that a browser saves the file under: `filename*` (RFC 8187) before `filename`. */
function nameIn(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  const quoted = /filename="((?:[^"\\]|\\.)*)"/.exec(disposition)?.[1];
  if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, '$1');
  return /filename=([^;]+)/.exec(disposition)?.[1] ?? '';
}

describe('GET /v1/generate/:id/download', () => {
  it('returns a PDF as an attachment with its length, nosniff and private caching', async () => {
    const answer = await download({});
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-length')).toBe(String(answer.bytes.length));
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment\b/);
    expect(nameIn(answer.headers.get('content-disposition') as string)).toMatch(/\.pdf$/);
    expect(answer.headers.get('cache-control') ?? 'private').toMatch(/private|no-store/);
    expect(answer.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(answer.bytes.subarray(-8).toString().trim()).toMatch(/%%EOF$/);
  });

  it.each([
    'invoice.pdf',
    'Rechnung Nr. 7 (Entwurf).pdf',
    'Łódź – „Żuraw”.pdf',
    '請求書 №42.pdf',
    'דוח.pdf',
    '📄🧾.pdf',
    "it's 100% & more; a=b, c.pdf",
    'quote " and \\ backslash.pdf',
    'e\u0301 decomposed.pdf',
    `${'長'.repeat(80)}.pdf`,
  ])('keeps the file name %j', async (filename) => {
    const disposition = (await download({ filename })).headers.get('content-disposition') as string;
    expect(disposition).toMatch(/^attachment\b/);
    // Headers must be ASCII.
    expect(disposition).toMatch(/^[\x20-\x7e]+$/);
    // Path separators and quotes may be replaced; the rest must match the request.
    const comparable = (name: string) => name.normalize('NFC').replaceAll(/["\\_-]/g, '');
    expect(comparable(nameIn(disposition))).toBe(comparable(filename));
  });

  it.each([
    ['a path', '../../etc/passwd'],
    ['a line break', 'a\r\nSet-Cookie: x=1.pdf'],
    ['a NUL', 'a\u0000b.pdf'],
    ['a lone surrogate', 'a\ud83d.pdf'],
    ['characters that change the text direction', 'a\u202Efdp.exe'],
    ['a lone dot', '.'],
    ['spaces alone', '   '],
  ])('never sends a dangerous file name: %s', async (_what, filename) => {
    const answer = await live.post('/v1/generate', { template_id: template, data: {}, filename });
    if (answer.status === 200) {
      const file = await live.get(answer.json<{ file_url: string }>().file_url);
      expect(file.status).toBe(200);
      expect(file.headers.get('set-cookie')).toBeNull();
      const name = nameIn(file.headers.get('content-disposition') as string);
      expect(name).not.toMatch(/[/\\\p{Cc}\p{Cs}\u202E]|^\s*\.*\s*$/u);
    } else {
      expectError(answer, 400);
    }
  });

  it('can be repeated', async () => {
    const { file_url } = await live.generate(template, { name: 'again' });
    const [first, ...others] = await Promise.all(
      Array.from({ length: 8 }, async () => (await live.get(file_url as string)).bytes),
    );
    for (const other of others) expect(other.equals(first!)).toBe(true);
  });

  it('returns the same file and headers as a request with Accept: application/pdf', async () => {
    const body = { template_id: template, data: { name: 'same' }, filename: 'same „name”.pdf' };
    const streamed = await live.post('/v1/generate', body, { accept: 'application/pdf' });
    const stored = await download({ filename: body.filename });
    for (const header of ['content-type', 'content-disposition']) {
      expect(streamed.headers.get(header)).toBe(stored.headers.get(header));
    }
  });
});
