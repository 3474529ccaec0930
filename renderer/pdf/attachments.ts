import type { ConformanceLevel } from '@trifold/crds';
import type { Attachment } from '@trifold/platform/records/documents/attachments.ts';
import type { PdfFile } from './file/pdf-file.ts';
import { bytesOf, pdfDate, pdfText } from './file/pdf-text.ts';
import { pdfDictionary, type PdfUpdate } from './file/pdf-update.ts';
import type { Report } from './standards/report.ts';

interface AttachmentsOptions {
  readonly attachments: readonly Attachment[];
  readonly createdAt: Date;
  readonly conformance?: ConformanceLevel | undefined;
  readonly report: Report;
}

/**
 * Adds files (ISO 32000-1, 7.11.4) that belong to the document as a whole (ISO 19005-3, 6.8). Returns the catalog
 * entries that refer to them. Reports them at a PDF/A-2 level, which allows only PDF/A files.
 */
export function attachFiles(
  file: PdfFile,
  update: PdfUpdate,
  { attachments, createdAt, conformance: level, report }: AttachmentsOptions,
): [name: string, value: string][] {
  if (attachments.length === 0) return [];
  if (level?.startsWith('a-2')) report('6.8-5', 'it has attachments, which need PDF/A-3');
  const files = attachments.map((attachment) => {
    return { name: pdfText(attachment.filename), reference: addFile(update, attachment, createdAt) };
  });
  // Readers search the tree, so its names are sorted by their bytes (ISO 32000-1, 7.9.6).
  const sorted = files.toSorted((a, b) => Buffer.compare(bytesOf(a.name), bytesOf(b.name)));
  const tree = `<</Names [${sorted.map(({ name, reference }) => `${name} ${reference}`).join('\n')}]>>`;
  const names = file.dictionary(file.trailer.get('Root')).get('Names');
  const others = names
    ? Array.from(file.dictionary(names), ([name, value]) => [name, file.text(value)] as const)
    : [];
  return [
    ['Names', pdfDictionary([...others, ['EmbeddedFiles', tree]])],
    ['AF', `[${files.map(({ reference }) => reference).join(' ')}]`],
  ];
}

function addFile(update: PdfUpdate, attachment: Attachment, createdAt: Date): string {
  const { filename, mimeType, description, relationship, bytes } = attachment;
  const parameters = `<</Size ${bytes.length} /ModDate ${pdfDate(createdAt)}>>`;
  const entries = `/Type /EmbeddedFile /Subtype ${pdfName(mimeType)} /Params ${parameters}`;
  const stream = update.addStream(bytes.toString('latin1'), entries);
  const specification: [string, string][] = [
    ['Type', '/Filespec'],
    // Readers of PDF versions before 1.7 ignore UF.
    ['F', pdfText(filename.replaceAll(/[^\x20-\x7e]/gu, '_'))],
    ['UF', pdfText(filename)],
    ...(description === undefined ? [] : [['Desc', pdfText(description)] as [string, string]]),
    ['AFRelationship', `/${relationship.charAt(0).toUpperCase()}${relationship.slice(1)}`],
    ['EF', `<</F ${stream} /UF ${stream}>>`],
  ];
  return update.add(pdfDictionary(specification));
}

/** Encodes a name (ISO 32000-1, 7.3.5). */
function pdfName(text: string): string {
  const escape = (byte: string) => `#${Buffer.from(byte, 'latin1').toString('hex').toUpperCase()}`;
  return `/${Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^\w.+-]/g, escape)}`;
}
