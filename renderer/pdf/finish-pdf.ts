import type { AccessibleContent } from '../browser/page/accessible-content.ts';
import { completeStructure } from './standards/accessible-structure.ts';
import { assertConformance } from './standards/conform.ts';
import { ContentArtifacts } from './standards/content-artifacts.ts';
import { isAccessible } from './standards/level.ts';
import { addLinkTexts } from './standards/link-texts.ts';
import { Violations } from './standards/violations.ts';
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

/** The file's metadata, and the marks that its pages must show. */
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
 * page cannot be marked. Such a document is never returned without its watermark. A document with a
 * conformance level is rewritten, too; rejects with ConformanceError, which contains all rules that the file breaks.
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
  const { conformance, id = '', content } = document;
  const violations = conformance && new Violations(conformance);
  setMetadata(file, update, { ...document, report: violations?.report });
  const artifacts = await runInSlices(described(file, update, content, violations));
  const watermark = watermarkText(document.mode);
  const parts = { file, update, decorations, artifacts };
  if (watermark) await mark(parts, watermark);
  else await decorate(parts);
  const isRewritten = watermark !== undefined || conformance !== undefined;
  const finished = await runInSlices(isRewritten ? update.rewritten() : update.appended());
  if (violations) await assertConformance(finished, violations, id, content);
  return { pdf: finished, pages };
}

/** Adds what screen readers need. Returns how page content is rewritten for the level; undefined if it is kept. */
function* described(
  file: PdfFile,
  update: PdfUpdate,
  content: AccessibleContent | undefined,
  violations: Violations | undefined,
): SlicedWork<ContentArtifacts | undefined> {
  if (content) yield* addLinkTexts(file, update, content.links);
  if (!violations || !isAccessible(violations.level)) return undefined;
  yield* completeStructure(file, update, content?.tables ?? []);
  return new ContentArtifacts(file, update, violations);
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

/** A file, and the drawings to add to its pages. */
interface Parts {
  readonly file: PdfFile;
  readonly update: PdfUpdate;
  readonly decorations: readonly PrintedDecoration[];
  readonly artifacts: ContentArtifacts | undefined;
}

async function decorate(parts: Parts): Promise<void> {
  if (!parts.artifacts && parts.decorations.length === 0) return;
  const drawings = await runInSlices(decorated(parts));
  if (parts.artifacts) await drawings.merge();
  else await runInSlices(drawings.append());
}

async function mark(parts: Parts, watermark: WatermarkText): Promise<void> {
  try {
    const drawings = await runInSlices(decorated(parts));
    await runInSlices(stampWatermark(parts.file, parts.update, drawings, watermark));
    await drawings.merge();
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error;
    const message = `the watermark ${watermark} could not be added to every page`;
    throw new DocumentError('watermark_failed', message, { cause: error });
  }
}

function* decorated({ file, update, decorations, artifacts }: Parts): SlicedWork<PageDrawings> {
  const drawings = new PageDrawings(file, update, yield* collect(file.pages()), artifacts);
  for (const part of decorations) yield* layOver(file, update, drawings, part);
  return drawings;
}
