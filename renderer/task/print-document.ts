import type { ResolvedRenderOptions } from '@trifold/crds';
import { DECORATION_NAMES, type Decorations } from '@trifold/platform/templating/decorations.ts';
import { MAX_SIDE, type PageGeometry } from '@trifold/platform/templating/page-geometry.ts';
import { maySetDirection } from '../browser/page/base-direction.ts';
import { withBlocked, type DocumentPage, type PrintSettings } from '../browser/page/document-page.ts';
import type { FoundWarning } from '../browser/page/document-requests.ts';
import { decorationSheets, type PageSides } from '../pdf/decoration/decoration-sheets.ts';
import { ofTheBrowser, type DocumentFeatures } from '../pdf/finish-pdf.ts';
import type { PrintedDecoration } from '../pdf/decoration/lay-over.ts';
import { PdfFile } from '../pdf/file/pdf-file.ts';
import { removeActions } from '../pdf/file/pdf-links.ts';
import { DocumentError } from '@trifold/platform/errors/document-error.ts';
import { runInSlices, type SlicedWork } from '../time-slices.ts';
import type { AccessibleContent } from '../browser/page/accessible-content.ts';
import { isAccessible, isTagged } from '../pdf/standards/level.ts';
import { withLostDrawings } from '../pdf/standards/lost-drawings.ts';
import type { DeclaredSearch } from '../e-invoice/declared-search.ts';
import { accessibilityWarnings } from './accessibility-warning.ts';
import { cutWarning, decorationFontWarnings, layoutWarnings } from './layout-warnings.ts';

export interface PrintableDocument extends Decorations {
  readonly html: string;
  /** Number of pixels in the document's embedded images. */
  readonly imagePixels?: number;
  readonly options: Pick<ResolvedRenderOptions, 'conformance' | 'pageRanges'>;
  readonly settings: PrintSettings;
  readonly geometry: PageGeometry;
  readonly features: Pick<DocumentFeatures, 'mode'>;
  /** Searches the printed text for the values of the e-invoice. */
  readonly declared?: DeclaredSearch | undefined;
  /** The template's CSS, for the header and footer. */
  readonly css?: string | undefined;
  /** The document's language and direction, for the header and footer. */
  readonly rootAttributes?: string;
}

/** A printed document. Its header and footer are separate files until it is finished. */
export interface PrintedDocument {
  readonly pdf: Buffer;
  readonly decorations?: readonly PrintedDecoration[];
  /** What screen readers say, if its conformance level is tagged. */
  readonly content?: AccessibleContent | undefined;
}

/**
 * Prints a document, then its headers and footers, because the number of pages is known only then
 * (docs/adr/0016-headers-and-footers.md). Rejects with PrintError, or with DocumentError: `print_failed` when the
 * browser's output cannot be read, `options_invalid` when `@page` sets a page size beyond PDF's limit, or when the page
 * ranges select no page. Page ranges require a second print, because the first one determines the number of pages.
 * `warnings`: receives warnings about the document and its headers and footers, even if printing fails.
 */
export async function printDocument(
  page: DocumentPage,
  {
    html,
    imagePixels,
    options,
    settings,
    geometry,
    features,
    declared,
    css,
    rootAttributes,
    ...decoration
  }: PrintableDocument,
  warnings: FoundWarning[],
): Promise<PrintedDocument> {
  let pdf = await withBlocked(page, page.print(html, settings, imagePixels), warnings);
  const { file, pages } = await ofTheBrowser(runInSlices(readPages(pdf)));
  let printed = pages;
  const total = printed.length;
  // A warning must not fail a document. If the page is gone, the next print reports it.
  const laidOut = layoutWarnings(page, file, { html, settings, mode: features.mode, total });
  warnings.push(...(await laidOut.catch(() => [])));
  await declared?.read(page);
  const { conformance } = options;
  const content = await contentOf(page, file, conformance);
  warnings.push(...accessibilityWarnings(content?.problems ?? []));
  const numbers = selectedPages(options.pageRanges, total);
  if (numbers.length < total) {
    const selected = page.print(html, { ...settings, pageRanges: numbers.join(',') }, imagePixels);
    pdf = await withBlocked(page, selected, warnings);
    printed = (await ofTheBrowser(runInSlices(readPages(pdf)))).pages;
    // A script may have changed the number of pages.
    if (printed.length !== numbers.length)
      throw new DocumentError('print_failed', 'the number of pages changed between two print runs');
  }
  if (DECORATION_NAMES.every((name) => decoration[name] === undefined)) return { pdf, content };
  const { printBackground, paperWidth, paperHeight } = settings;
  const margins = { marginTop: 0, marginRight: 0, marginBottom: 0, marginLeft: 0 };
  const decorations: PrintedDecoration[] = [];
  const direction = maySetDirection(html) ? await page.direction() : undefined;
  const shared = { css, rootAttributes, direction, numbers, total };
  for (const { html: sheets, ...places } of decorationSheets(decoration, geometry, printed, shared)) {
    const sheetSettings = { paperWidth, paperHeight, ...margins, printBackground };
    const printing = page.printSheets(sheets, sheetSettings, imagePixels);
    const { pdf: sheetsPdf, cut } = await withBlocked(page, printing, warnings);
    await declared?.read(page);
    warnings.push(...cut.map((each) => ({ ...cutWarning(each), part: each.name })));
    const sources = [css, ...DECORATION_NAMES.map((name) => decoration[name])];
    warnings.push(...(await decorationFontWarnings(page, features.mode, sources)));
    decorations.push({ ...places, pdf: sheetsPdf });
  }
  return { pdf, decorations, content };
}

/** Returns what screen readers say about the printed document, if its conformance level is tagged. */
async function contentOf(
  page: DocumentPage,
  print: PdfFile,
  conformance: ResolvedRenderOptions['conformance'],
): Promise<AccessibleContent | undefined> {
  if (!isTagged(conformance)) return undefined;
  if (!isAccessible(conformance)) return page.accessible(false);
  const content = await page.accessible(true);
  return ofTheBrowser(runInSlices(withLostDrawings(content, print)));
}

/**
 * Returns the page numbers that ranges such as `1-3,8-` select. Throws DocumentError `options_invalid` if they select
 * none.
 */
function selectedPages(ranges: string, total: number): number[] {
  const limits = ranges.split(',').map((range) => {
    const [first = '', last = first] = range.split('-');
    return { first: Number(first), last: last === '' ? total : Number(last) };
  });
  const numbers = Array.from({ length: total }, (_, index) => index + 1);
  const selected = numbers.filter((number) =>
    limits.some(({ first, last }) => first <= number && number <= last),
  );
  if (selected.length > 0) return selected;
  throw new DocumentError(
    'options_invalid',
    `options.pageRanges: ${ranges} selects none of the ${total} pages`,
  );
}

const POINTS_PER_INCH = 72;
/** Tolerance in points: the browser rounds page sizes to whole CSS pixels. */
const ROUNDING = POINTS_PER_INCH / 96;

/** Sizes in options are validated earlier; this also covers `@page` sizes. */
function assertPossible({ width, height }: PageSides): void {
  if (Math.max(width, height) <= MAX_SIDE * POINTS_PER_INCH + ROUNDING) return;
  const sides = [width, height].map((side) => `${Number((side / POINTS_PER_INCH).toFixed(1))}in`);
  const message = `a page is ${sides.join(' by ')}: no side may be longer than ${MAX_SIDE}in, including in @page`;
  throw new DocumentError('options_invalid', message);
}

/** Reads the page sizes and removes actions that are not allowed in a file. */
function* readPages(pdf: Buffer): SlicedWork<{ file: PdfFile; pages: PageSides[] }> {
  const file = new PdfFile(pdf);
  const sizes: PageSides[] = [];
  for (const { entries } of file.pages()) {
    const [left, bottom, right, top] = file.mediaBox(entries);
    const size = { width: right - left, height: top - bottom };
    assertPossible(size);
    sizes.push(size);
    yield* removeActions(file, entries);
    yield;
  }
  return { file, pages: sizes };
}
