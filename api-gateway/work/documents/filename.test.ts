import { parse } from 'content-disposition';
import { describe, expect, it } from 'vitest';
import { contentDisposition, safeFilename } from './filename.ts';

describe('A file name', () => {
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
    ['\u061c\u200ea\u200f\u2066b\u2069', 'ab.pdf'],
    ['a\u200b\ufeffb.p\u200bdf', 'ab.pdf'],
    ['می\u200cخواهم 👩\u200d🚀', 'می\u200cخواهم 👩\u200d🚀.pdf'],
    ['  spaced  ', 'spaced.pdf'],
    ['"quoted"; x=1', '"quoted"; x=1.pdf'],
    ['a\ud800b', 'a\ufffdb.pdf'],
  ])('is sanitized: %j', (name, safe) => {
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

  it.each(['', '   ', '.', '..', '.pdf', '\u0000', '\n\t', '\u200b\u200e'])(
    'is undefined if no valid character remains: %j',
    (name) => {
      expect(safeFilename(name)).toBeUndefined();
    },
  );

  it.each([
    ['x'.repeat(255), `${'x'.repeat(251)}.pdf`],
    [`${'z'.repeat(251)}.PDF`, `${'z'.repeat(251)}.PDF`],
    ['é'.repeat(200), `${'é'.repeat(125)}.pdf`],
    ['請'.repeat(255), `${'請'.repeat(83)}.pdf`],
    ['🦄'.repeat(127), `${'🦄'.repeat(62)}.pdf`],
    // A combining accent and a joined emoji sequence are kept with their base character.
    [`${'x'.repeat(250)}e\u0301.pdf`, `${'x'.repeat(250)}.pdf`],
    [`${'x'.repeat(240)}👩\u200d👩\u200d👧`, `${'x'.repeat(240)}.pdf`],
    [`a${'\u0301'.repeat(254)}`, `a${'\u0301'.repeat(125)}.pdf`],
  ])('has at most 255 bytes with its extension and never splits a character: %s', (name, safe) => {
    expect(safeFilename(name)).toBe(safe);
    expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(255);
  });

  it('does not change if it is already safe', () => {
    for (const format of ['pdf', 'docx'] as const) {
      const safe = safeFilename('é'.repeat(200), format)!;
      expect(safeFilename(safe, format)).toBe(safe);
    }
  });
});

it.each(['invoice', 'Größe “x”', '請求書 🦄', 'a%20b', 'it\'s; "q"', 'x=1, y'])(
  'The Content-Disposition header keeps the name %j',
  (name) => {
    const header = contentDisposition(name, 'gen-1');
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(parse(header)).toMatchObject({ type: 'attachment', parameters: { filename: `${name}.pdf` } });
  },
);

it('The Content-Disposition header uses the ID if there is no name', () => {
  expect(contentDisposition(undefined, 'gen-1')).toBe('attachment; filename=gen-1.pdf');
  expect(contentDisposition('..', 'gen-1')).toBe('attachment; filename=gen-1.pdf');
});
