import { parse } from 'content-disposition';
import { describe, expect, it } from 'vitest';
import { contentDisposition, safeFilename } from './filename.ts';

describe('a file name', () => {
  it.each([
    ['invoice', 'invoice.pdf'],
    ['invoice.pdf', 'invoice.pdf'],
    ['Invoice.PDF', 'Invoice.PDF'],
    ['invoice.docx', 'invoice.docx.pdf'],
    ['Rechnung Größe ß', 'Rechnung Größe ß.pdf'],
    ['請求書', '請求書.pdf'],
    ['🦄', '🦄.pdf'],
    ['a/b\\c', 'a_b_c.pdf'],
    ['a\r\nb\u0000c\u007f', 'abc.pdf'],
    ['report\u202efdp.exe', 'reportfdp.exe.pdf'],
    ['  spaced  ', 'spaced.pdf'],
    ['"quoted"; x=1', '"quoted"; x=1.pdf'],
    ['a\ud800b', 'a\ufffdb.pdf'],
  ])('is made safe: %j', (name, safe) => {
    expect(safeFilename(name)).toBe(safe);
  });

  it.each([
    ['chart', 'png', 'chart.png'],
    ['chart.PNG', 'png', 'chart.PNG'],
    ['letter.pdf', 'docx', 'letter.pdf.docx'],
    ['.html', 'html', undefined],
  ] as const)('ends with the extension of its format: %s as %s', (name, format, safe) => {
    expect(safeFilename(name, format)).toBe(safe);
    expect(contentDisposition(name, 'gen-1', format)).toContain(safe ?? `gen-1.${format}`);
  });

  it.each(['', '   ', '.', '..', '.pdf', '\u0000', '\n\t'])('is none when nothing is left: %j', (name) => {
    expect(safeFilename(name)).toBeUndefined();
  });

  it('is short enough for the resource, and never cut inside a character', () => {
    for (const name of ['x'.repeat(300), '🦄'.repeat(150), 'y'.repeat(252), `${'z'.repeat(251)}.pdf`]) {
      const safe = safeFilename(name)!;
      expect(safe.length).toBeLessThanOrEqual(255);
      expect(safe.endsWith('.pdf') && safe.isWellFormed() && !safe.includes('\ufffd')).toBe(true);
    }
    expect(safeFilename(`${'z'.repeat(251)}.pdf`)).toBe(`${'z'.repeat(251)}.pdf`);
  });
});

describe('the Content-Disposition header', () => {
  it.each(['invoice', 'Größe “x”', '請求書 🦄', 'a%20b', 'it\'s; "q"', 'x=1, y'])(
    'keeps the name %j',
    (name) => {
      const header = contentDisposition(name, 'gen-1');
      expect(header).toMatch(/^[\x20-\x7e]+$/);
      expect(parse(header)).toMatchObject({ type: 'attachment', parameters: { filename: `${name}.pdf` } });
    },
  );

  it('takes the id where there is no name', () => {
    expect(contentDisposition(undefined, 'gen-1')).toBe('attachment; filename=gen-1.pdf');
    expect(contentDisposition('..', 'gen-1')).toBe('attachment; filename=gen-1.pdf');
  });
});
