import { assertConformance } from './standards/conform.ts';
import { addLinkTexts } from './standards/link-texts.ts';
import { layOver, type PrintedDecoration } from './decoration/lay-over.ts';
import { PageDrawings } from './decoration/page-drawings.ts';
import { PdfFile } from './file/pdf-file.ts';
import { PdfSyntaxError } from './file/pdf-syntax.ts';
import { renumberStructureIds } from './file/structure-ids.ts';
import { PdfUpdate } from './file/pdf-update.ts';
import { setMetadata, type DocumentMetadata } from './title-and-metadata.ts';
import { stampWatermark } from './watermark/stamp-watermark.ts';
import { watermarkText, type DocumentMode, type WatermarkText } from './watermark/watermark-tile.ts';
import { DocumentError } from '@trifold/platform/errors/document-error.ts';
import { collect, runInSlices, type SlicedWork } from '../time-slices.ts';

/** Metadata of the file, and marks that its pages must show. */
export interface DocumentFeatures extends DocumentMetadata {
  readonly mode: DocumentMode;
  /** ID of the document; part of the file's identifier. @default none */
  readonly id?: string | undefined;
}

/**
 * Counts the pages of a printed file and adds the service's parts: header and footer, the watermark of a test document
 * or preview, and metadata. A live document keeps the browser's bytes, except for its timestamps and structure IDs; the
 * parts are appended. A document with a watermark is rewritten, so that the file contains no page without it. Rejects with
 * DocumentError, retryable: `print_failed` for a file that is not a complete Chromium PDF, `watermark_failed` when a
 * page cannot be marked. Such a document is never returned without its watermark. A document with a level of
 * conformance is rewritten as well, and rejects with ConformanceError if the finished file does not conform.
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
  await runInSlices(renumberStructureIds(file));
  const update = new PdfUpdate(file);
  setMetadata(file, update, document);
  if (document.content) await runInSlices(addLinkTexts(file, update, document.content.links));
  const watermark = watermarkText(document.mode);
  if (watermark) await mark(file, update, watermark, decorations);
  else if (decorations.length > 0) {
    const drawings = await runInSlices(decorated(file, update, decorations));
    await runInSlices(drawings.append());
  }
  const { conformance, id = '' } = document;
  const isRewritten = watermark !== undefined || conformance !== undefined;
  const finished = await runInSlices(isRewritten ? update.rewritten() : update.appended());
  if (conformance) await assertConformance(finished, conformance, id);
  return { pdf: finished, pages };
}

/**
 * Waits for work on the browser's file. Rejects with DocumentError `print_failed`, retryable, when the file cannot be
 * read.
 */
export async function ofTheBrowser<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error;
    throw new DocumentError('print_failed', 'the file from the browser is not a complete PDF', {
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
    const message = `the watermark ${watermark} could not be added to every page`;
    throw new DocumentError('watermark_failed', message, { cause: error });
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
