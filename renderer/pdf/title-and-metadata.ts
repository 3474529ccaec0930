import type { DocumentProperties } from '@trifold/crds';
import type { PdfFile } from './file/pdf-file.ts';
import { referenceIn, type Span } from './file/pdf-syntax.ts';
import { pdfDictionary, type PdfUpdate } from './file/pdf-update.ts';

export interface DocumentMetadata {
  readonly createdAt: Date;
  /** Title to use when the HTML has none. */
  readonly title?: string | undefined;
  /** Properties that replace the file's own. */
  readonly properties?: DocumentProperties | undefined;
  /** Id and version of the template. */
  readonly template?: string | undefined;
  readonly version?: string | undefined;
}

/**
 * Sets the properties and the other metadata. The title is taken from the properties, or else the HTML, or else the
 * template. The date is the job's creation time, so that retries of a document have the same date.
 */
export function setMetadata(file: PdfFile, update: PdfUpdate, document: DocumentMetadata): void {
  const { createdAt, title, properties } = document;
  const info = file.trailer.get('Info');
  const time = `(D:${createdAt.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}+00'00')`;
  const entries = new Map<string, string>();
  if (title !== undefined) entries.set('Title', pdfText(title));
  for (const [name, value] of info ? file.dictionary(info) : []) {
    if (name.endsWith('Date')) redate(file.bytes, value, time);
    entries.set(name, file.text(value));
  }
  entries.set('Producer', '(Trifold)');
  entries.set('Creator', '(Trifold)');
  entries.set('CreationDate', time);
  entries.set('ModDate', time);
  for (const [name, value] of textEntries(document)) entries.set(name, pdfText(value));
  const number = info && referenceIn(file.bytes, info);
  if (number === undefined) update.point('Info', update.add(pdfDictionary(entries)));
  else update.replace(number, pdfDictionary(entries));
  setLanguage(file, update, properties?.language);
}

/** Entries that replace those of the info dictionary (ISO 32000-1, 14.3.3), and our own entries. */
function textEntries({ properties = {}, template, version }: DocumentMetadata): [string, string][] {
  const { title, author, subject, keywords } = properties;
  const entries = {
    Title: title,
    Author: author,
    Subject: subject,
    Keywords: keywords?.join(', '),
    TrifoldTemplate: template,
    TrifoldVersion: version,
  };
  return Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

/** Sets the natural language of the document (ISO 32000-1, 14.9.2). */
function setLanguage(file: PdfFile, update: PdfUpdate, language: string | undefined): void {
  const root = file.trailer.get('Root');
  const number = root && referenceIn(file.bytes, root);
  if (language === undefined || number === undefined) return;
  const entries = Array.from(file.dictionary(root), ([name, value]) => [name, file.text(value)] as const);
  update.replace(number, pdfDictionary(new Map([...entries, ['Lang', pdfText(language)]])));
}

/** Replaces the browser's timestamps, so that two prints of the same document are byte-identical. */
function redate(bytes: Buffer, { start, end }: Span, time: string): void {
  if (end - start === time.length) bytes.write(time, start, 'latin1');
}

/** Encodes a text string for PDF (ISO 32000-1, 7.9.2.2). */
function pdfText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replaceAll(/[\\()]/g, String.raw`\$&`)})`;
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex')}>`;
}
