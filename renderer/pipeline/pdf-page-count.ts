/** The end of a file, where its `startxref` is. */
const TAIL = 1024;
/** Longest dictionary of a page tree's root or a catalog that is looked at. */
const OBJECT = 64 * 1024;

/**
 * The number of pages of a PDF that Chromium wrote: trailer → catalog → root of the page tree → its count. Only what
 * the file itself points to is read, so that text of the document cannot pass for structure.
 * Throws an Error for anything else than such a file.
 */
export function countPdfPages(pdf: Buffer): number {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - TAIL));
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1] ?? Number.NaN);
  if (!(start < pdf.length)) throw new Error('the PDF has no startxref');
  const table = pdf.toString('latin1', start);
  const catalog = objectAt(pdf, table, reference(table.slice(table.lastIndexOf('trailer')), 'Root'));
  const pages = objectAt(pdf, table, reference(catalog, 'Pages'));
  const count = Number(/\/Count\s+(\d+)/.exec(pages)?.[1] ?? Number.NaN);
  if (!/\/Type\s*\/Pages\b/.test(pages) || !Number.isInteger(count))
    throw new Error('the PDF has no page tree');
  return count;
}

function reference(dictionary: string, name: string): number {
  const match = new RegExp(`/${name}\\s+(\\d+)\\s+\\d+\\s+R\\b`).exec(dictionary);
  if (!match) throw new Error(`the PDF has no /${name}`);
  return Number(match[1]);
}

/** The text of an object, found through the cross-reference table: entries of 20 bytes, in one section. */
function objectAt(pdf: Buffer, table: string, number: number): string {
  const header = /^xref\s+(\d+) (\d+)\s*?\r?\n/.exec(table);
  if (!header) throw new Error('the PDF has no cross-reference table');
  const entry = header[0].length + (number - Number(header[1])) * 20;
  const offset = Number(/^(\d{10}) \d{5} n/.exec(table.slice(entry, entry + 20))?.[1] ?? Number.NaN);
  if (!(offset < pdf.length)) throw new Error(`the PDF has no object ${number}`);
  const text = pdf.toString('latin1', offset, offset + OBJECT);
  const end = text.indexOf('endobj');
  if (!text.startsWith(`${number} 0 obj`) || end === -1) throw new Error(`the PDF has no object ${number}`);
  return text.slice(0, end);
}
