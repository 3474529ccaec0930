import {
  comparePdfs,
  type PageDifference,
  type PdfDifferences,
} from '@trifold/platform/pdf-comparison/compare-pdfs.ts';
import type { PdfReader } from '@trifold/platform/pdf-comparison/open-pdf.ts';
import { unifiedDiff } from '../templates/line-diff.ts';
import type { Print, Warning } from './sample.ts';

export interface PrintDifferences {
  /** Empty if readers see no difference. */
  readonly messages: readonly string[];
  readonly pdfs?: PdfDifferences;
}

/**
 * Compares two prints of a sample. Equal bytes are equal prints. Otherwise pages, text, warnings and pixels decide, but
 * never bytes: files that look the same differ in their dates, for example.
 */
export async function printDifferences(
  before: Print,
  after: Print,
  read: PdfReader,
): Promise<PrintDifferences> {
  if (Buffer.from(before.pdf).equals(after.pdf)) return { messages: [] };
  const pdfs = await comparePdfs(before.pdf, after.pdf, read);
  const messages = [
    ...pagesMessages(pdfs),
    ...pdfs.differing.flatMap(pageMessages),
    ...warningMessages('missing', before.warnings, after.warnings),
    ...warningMessages('new', after.warnings, before.warnings),
  ];
  return { messages, pdfs };
}

function pagesMessages({ pages: { before, after } }: PdfDifferences): readonly string[] {
  if (before === after) return [];
  return [`${after} ${after === 1 ? 'page' : 'pages'} instead of ${before}`];
}

function pageMessages({ page, text, pixels }: PageDifference): readonly string[] {
  const messages: string[] = [];
  if (text) {
    const [before, after] = [text.before, text.after].map((lines) =>
      lines.map((line) => `${line}\n`).join(''),
    );
    const [, , ...lines] = unifiedDiff(['before', 'after'], before, after).trimEnd().split('\n');
    messages.push(`page ${page}: the text differs\n${lines.join('\n')}`);
  }
  if (pixels) messages.push(`page ${page}: ${pixels} ${pixels === 1 ? 'pixel differs' : 'pixels differ'}`);
  return messages;
}

/** Lists the warnings that `others` does not contain. */
function warningMessages(
  kind: 'missing' | 'new',
  warnings: readonly Warning[],
  others: readonly Warning[],
): readonly string[] {
  const known = new Set(others.map((warning) => JSON.stringify(warning)));
  return warnings
    .filter((warning) => !known.has(JSON.stringify(warning)))
    .map(({ message, part }) => `${kind} warning: ${message}${part ? ` (${part})` : ''}`);
}
