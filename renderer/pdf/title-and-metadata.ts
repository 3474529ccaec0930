import type { ConformanceLevel, DocumentProperties } from '@trifold/crds';
import type { Attachment } from '@trifold/platform/records/documents/attachments.ts';
import type { AccessibleContent } from '../browser/page/accessible-content.ts';
import { attachFiles } from './attachments.ts';
import type { PdfFile } from './file/pdf-file.ts';
import { referenceIn, type Span } from './file/pdf-syntax.ts';
import { pdfDate, pdfText, textOf } from './file/pdf-text.ts';
import { pdfDictionary, type PdfUpdate } from './file/pdf-update.ts';
import { addConformance } from './standards/conform.ts';
import type { Report } from './standards/report.ts';
import { xmlText } from './standards/xmp.ts';

export interface DocumentMetadata {
  readonly createdAt: Date;
  /** Title to use when the HTML has none. */
  readonly title?: string | undefined;
  /** Properties that replace the file's own. */
  readonly properties?: DocumentProperties | undefined;
  /** ID and version of the template. */
  readonly template?: string | undefined;
  readonly version?: string | undefined;
  /** Standard that the file must conform to. */
  readonly conformance?: ConformanceLevel | undefined;
  /** What screen readers say, if that level is tagged. */
  readonly content?: AccessibleContent | undefined;
  /** @default none */
  readonly attachments?: readonly Attachment[] | undefined;
}

interface ReportedMetadata extends DocumentMetadata {
  /** Receives the rules of the standard that the metadata breaks. @default ignored */
  readonly report?: Report | undefined;
}

/**
 * Sets the properties and the other metadata. The title is taken from the properties, or else the HTML, or else the
 * template. The date is the job's creation time, so that retries of a document have the same date.
 */
export function setMetadata(file: PdfFile, update: PdfUpdate, document: ReportedMetadata): void {
  const info = file.trailer.get('Info');
  const properties = infoEntries(file, info, document);
  extendCatalog(file, update, catalogEntries(file, update, properties, document));
  const number = info && referenceIn(file.bytes, info);
  if (number === undefined) update.point('Info', update.add(pdfDictionary(properties)));
  else update.replace(number, pdfDictionary(properties));
}

/** Returns the info dictionary entries, as PDF strings. */
function infoEntries(file: PdfFile, info: Span | undefined, document: DocumentMetadata): Map<string, string> {
  const { createdAt, title, conformance } = document;
  const time = pdfDate(createdAt);
  const entries = new Map<string, string>();
  if (title !== undefined) entries.set('Title', pdfText(title));
  for (const [name, value] of info ? file.dictionary(info) : []) {
    if (name.endsWith('Date')) redate(file.bytes, value, time);
    entries.set(name, file.text(value));
  }
  for (const name of ['Producer', 'Creator']) entries.set(name, '(Trifold)');
  for (const name of ['CreationDate', 'ModDate']) entries.set(name, time);
  for (const [name, value] of textEntries(document)) entries.set(name, pdfText(value));
  if (conformance) keepXmlText(entries);
  return entries;
}

/** Returns the entries that the catalog needs in addition to the browser's. */
function catalogEntries(
  file: PdfFile,
  update: PdfUpdate,
  properties: ReadonlyMap<string, string>,
  document: ReportedMetadata,
): readonly (readonly [string, string])[] {
  const { conformance: level, createdAt, attachments = [], report = () => {} } = document;
  const eInvoice = attachments.find((attachment) => attachment.eInvoice !== undefined)?.eInvoice;
  const language = document.properties?.language ?? document.content?.language;
  return [
    ...(language === undefined ? [] : [['Lang', pdfText(language)] as const]),
    ...(level
      ? addConformance(file, update, { level, properties, createdAt, language, eInvoice, report })
      : []),
    ...attachFiles(file, update, { attachments, createdAt, conformance: level, report }),
  ];
}

/** Replaces the characters that the XML metadata, which repeats the properties, cannot contain. */
function keepXmlText(entries: Map<string, string>): void {
  for (const [name, value] of entries) {
    if (/^[<(]/.test(value)) entries.set(name, pdfText(xmlText(textOf(value))));
  }
}

/** Entries that replace info dictionary entries (ISO 32000-1, 14.3.3), and our own entries. */
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

/** Adds entries to the catalog, such as the document's natural language (ISO 32000-1, 14.9.2). */
function extendCatalog(
  file: PdfFile,
  update: PdfUpdate,
  additions: readonly (readonly [string, string])[],
): void {
  const root = file.trailer.get('Root');
  const number = root && referenceIn(file.bytes, root);
  if (additions.length === 0 || number === undefined) return;
  const entries = Array.from(file.dictionary(root), ([name, value]) => [name, file.text(value)] as const);
  update.replace(number, pdfDictionary(new Map([...entries, ...additions])));
}

/** Replaces the browser's timestamps, so that two prints of the same document are byte-identical. */
function redate(bytes: Buffer, { start, end }: Span, time: string): void {
  if (end - start === time.length) bytes.write(time, start, 'latin1');
}
