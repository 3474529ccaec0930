import { layOver, type PrintedDecoration } from './decoration/lay-over.ts';
import { PageDrawings } from './decoration/page-drawings.ts';
import { PdfFile } from './file/pdf-file.ts';
import { PdfSyntaxError, referenceIn, type Span } from './file/pdf-syntax.ts';
import { pdfDictionary, PdfUpdate } from './file/pdf-update.ts';
import { stampWatermark } from './watermark/stamp-watermark.ts';
import { watermarkText, type DocumentMode, type WatermarkText } from './watermark/watermark-tile.ts';
import { TaskError } from '../task/task-error.ts';
import { collect, runInSlices, type SlicedWork } from '../time-slices.ts';

/** Metadata of the file, and marks that its pages must show. */
export interface DocumentFeatures {
  readonly mode: DocumentMode;
  readonly createdAt: Date;
  /** Title to use when the HTML has none. */
  readonly title?: string | undefined;
  /** Id and version of the template. */
  readonly template?: string | undefined;
  readonly version?: string | undefined;
}

/**
 * Counts the pages of a printed file and adds the service's own parts: header and footer, the watermark of a test
 * document or a preview, and metadata. A live document keeps the browser's bytes, except for its timestamps; the parts
 * are appended. A document with a watermark is written anew, so that the file contains no page without it. Rejects with
 * TaskError, retryable: `print_failed` for a file that is not a complete PDF by Chromium, `watermark_failed` when a page
 * cannot be marked. Such a document never passes without its watermark.
 */
export function finishPdf(
  pdf: Buffer,
  document: DocumentFeatures,
  decorations: readonly PrintedDecoration[] = [],
): Promise<{ pdf: Buffer; pages: number }> {
  return ofTheBrowser(finish(pdf, document, decorations));
}

async function finish(
  pdf: Buffer,
  document: DocumentFeatures,
  decorations: readonly PrintedDecoration[],
): Promise<{ pdf: Buffer; pages: number }> {
  const file = new PdfFile(pdf);
  const pages = file.pageCount;
  const update = new PdfUpdate(file);
  describe(file, update, document);
  const watermark = watermarkText(document.mode);
  if (watermark) {
    await mark(file, update, watermark, decorations);
    return { pdf: await runInSlices(update.rewritten()), pages };
  }
  if (decorations.length > 0) {
    const drawings = await runInSlices(decorated(file, update, decorations));
    await runInSlices(drawings.append());
  }
  return { pdf: await runInSlices(update.appended()), pages };
}

/**
 * Waits for work on a file of the browser. Rejects with TaskError `print_failed`, retryable, when the file cannot be
 * read.
 */
export async function ofTheBrowser<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error;
    throw new TaskError('print_failed', 'the browser wrote a file that is not a complete PDF', {
      cause: error,
    });
  }
}

async function mark(
  file: PdfFile,
  update: PdfUpdate,
  watermark: WatermarkText,
  decorations: readonly PrintedDecoration[],
): Promise<void> {
  try {
    const drawings = await runInSlices(decorated(file, update, decorations));
    await runInSlices(stampWatermark(file, update, drawings, watermark));
    await drawings.merge();
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error;
    const message = `the watermark ${watermark} could not be put on every page`;
    throw new TaskError('watermark_failed', message, { cause: error });
  }
}

function* decorated(
  file: PdfFile,
  update: PdfUpdate,
  decorations: readonly PrintedDecoration[],
): SlicedWork<PageDrawings> {
  const drawings = new PageDrawings(file, update, yield* collect(file.pages()));
  for (const part of decorations) yield* layOver(file, update, drawings, part);
  return drawings;
}

/** Uses the creation time of the job, so that retries of a document have the same date. */
function describe(file: PdfFile, update: PdfUpdate, document: DocumentFeatures): void {
  const { createdAt, title, template, version } = document;
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
  if (template !== undefined) entries.set('TrifoldTemplate', pdfText(template));
  if (version !== undefined) entries.set('TrifoldVersion', pdfText(version));
  const number = info && referenceIn(file.bytes, info);
  if (number === undefined) update.point('Info', update.add(pdfDictionary(entries)));
  else update.replace(number, pdfDictionary(entries));
}

/** Replaces the browser's timestamps, so that two prints of the same document are identical to the byte. */
function redate(bytes: Buffer, { start, end }: Span, time: string): void {
  if (end - start === time.length) bytes.write(time, start, 'latin1');
}

/** Encodes a text string for PDF (ISO 32000-1, 7.9.2.2). */
function pdfText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replaceAll(/[\\()]/g, String.raw`\$&`)})`;
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex')}>`;
}
