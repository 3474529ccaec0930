import type { KeyMode } from '@trifold/crds';
import { layOver, type PrintedBands } from './decoration/lay-over.ts';
import { PageDrawings } from './decoration/page-drawings.ts';
import { PdfFile } from './file/pdf-file.ts';
import { PdfSyntaxError, type Span } from './file/pdf-syntax.ts';
import { pdfDictionary, PdfUpdate } from './file/pdf-update.ts';
import { stampWatermark } from './watermark/stamp-watermark.ts';
import { TaskError } from '../task/task-error.ts';
import { collect, runInSlices, type SlicedWork } from '../time-slices.ts';

export interface FinishedPdf {
  readonly pdf: Buffer;
  readonly pages: number;
}

/** What the file says of the document, or has to show of it. */
export interface DocumentFeatures {
  readonly mode: KeyMode;
  readonly createdAt: Date;
  /** Where the html has no title. */
  readonly title?: string | undefined;
  /** Id and version of the template. */
  readonly template?: string | undefined;
  readonly version?: string | undefined;
}

/**
 * Counts the pages of what the browser printed and appends what is the service's own: header and footer, the watermark
 * when a test key made it, and what tells of the document. What the browser wrote stays as it is before that, but for the
 * time at which it did so. Rejects with TaskError, retryable: `print_failed` for a file that is not a complete PDF of Chromium's,
 * `watermark_failed` when a page cannot be stamped. No document of a test key passes without its watermark.
 */
export function finishPdf(
  pdf: Buffer,
  document: DocumentFeatures,
  bands: readonly PrintedBands[] = [],
): Promise<FinishedPdf> {
  return ofTheBrowser(finish(pdf, document, bands));
}

function* finish(
  pdf: Buffer,
  document: DocumentFeatures,
  bands: readonly PrintedBands[],
): SlicedWork<FinishedPdf> {
  const file = new PdfFile(pdf);
  const pages = file.pageCount;
  const update = new PdfUpdate(file);
  describe(file, update, document);
  if (bands.length > 0 || document.mode !== 'live') yield* draw(file, update, document, bands);
  return { pdf: yield* update.bytes(), pages };
}

/** Runs work on a file of the browser. Rejects with TaskError `print_failed`, retryable, when the file cannot be read. */
export async function ofTheBrowser<T>(work: SlicedWork<T>): Promise<T> {
  try {
    return await runInSlices(work);
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error;
    throw new TaskError('print_failed', 'the browser wrote a file that is not a complete PDF', {
      retryable: true,
      cause: error,
    });
  }
}

function* draw(
  file: PdfFile,
  update: PdfUpdate,
  { mode }: DocumentFeatures,
  bands: readonly PrintedBands[],
): SlicedWork<void> {
  try {
    const drawings = new PageDrawings(file, update, yield* collect(file.pages()));
    for (const part of bands) yield* layOver(file, update, drawings, part);
    if (mode !== 'live') yield* stampWatermark(file, update, drawings);
    yield* drawings.write();
  } catch (error) {
    if (mode === 'live' || !(error instanceof PdfSyntaxError)) throw error;
    const message = 'the watermark of a test document could not be put on every page';
    throw new TaskError('watermark_failed', message, { retryable: true, cause: error });
  }
}

/** The document is as old as its job, however often it was rendered. */
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
  update.point('Info', update.add(pdfDictionary(entries)));
}

/** Two prints of one document shall be the same, to the byte: the browser's own clock must not show. */
function redate(bytes: Buffer, { start, end }: Span, time: string): void {
  if (end - start === time.length) bytes.write(time, start, 'latin1');
}

/** A text as PDF has it (ISO 32000-1, 7.9.2.2). */
function pdfText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replaceAll(/[\\()]/g, String.raw`\$&`)})`;
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex')}>`;
}
