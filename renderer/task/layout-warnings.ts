import type { DocumentPage, PrintLayout, PrintSettings } from '../browser/page/document-page.ts';
import type { FoundWarning } from '../browser/page/document-requests.ts';
import { fontWarnings } from '../browser/page/missing-fonts.ts';
import type { CutContent, WidestElement } from '../browser/page/overflowing-content.ts';
import { FirstPage, MAX_SHRINK, TOLERANCE, type ContentArea } from '../pdf/content-area.ts';
import type { PdfFile } from '../pdf/file/pdf-file.ts';
import type { DocumentMode } from '../pdf/watermark/watermark-tile.ts';

/** A document that has just been printed. */
export interface LaidOutDocument {
  readonly html: string;
  readonly settings: PrintSettings;
  readonly mode: DocumentMode;
  /** Number of pages. */
  readonly total: number;
}

/** Other documents do not cut off text. */
const MAY_CUT = /overflow(?:-[xy])?\s*:|\bposition\s*:\s*fixed/i;
/** Other documents do not name a font. */
const NAMES_FONTS = /\bfont(?:-family)?\s*[:=]|<font\b/i;
/** Other documents are left-to-right, and their first page shows whether they are too wide. */
const MAY_BE_RTL = /\brtl\b/i;
const PAGE_RULE = /@page\b/i;

/** Searches of a document, by their findings. */
type Searches = Readonly<Record<'wide' | 'cut' | 'fonts' | 'empty', boolean>>;

/**
 * Warnings that require another layout, which takes as long as a print. A live document gets only the warning that its
 * pages were shrunk.
 */
export async function layoutWarnings(
  page: DocumentPage,
  file: PdfFile,
  { html, settings, mode, total }: LaidOutDocument,
): Promise<FoundWarning[]> {
  const first = new FirstPage(file, {
    area: areaOf(settings),
    scale: settings.scale ?? 1,
    hasPageRules: PAGE_RULE.test(html),
  });
  const isAuthor = mode !== 'live';
  const searches = {
    wide: first.mayBeShrunk() || (isAuthor && MAY_BE_RTL.test(html)),
    cut: isAuthor && MAY_CUT.test(html),
    fonts: isAuthor && NAMES_FONTS.test(html),
    empty: isAuthor && total > 1 && first.isEmpty(),
  };
  if (!Object.values(searches).includes(true)) return [];
  const area = first.area();
  return page.laidOut(area, (layout) => search(layout, searches, area));
}

/**
 * Warnings about header and footer fonts while the page shows them. `sources` are their contents and the
 * template's CSS. Only for previews and test documents.
 */
export async function decorationFontWarnings(
  page: Pick<DocumentPage, 'missingFonts'>,
  mode: DocumentMode,
  sources: readonly (string | undefined)[],
): Promise<FoundWarning[]> {
  if (mode === 'live' || !sources.some((source) => NAMES_FONTS.test(source ?? ''))) return [];
  // A warning must not fail a document.
  return fontWarnings(await page.missingFonts().catch(() => []));
}

async function search(
  layout: PrintLayout,
  { wide, cut, fonts, empty }: Searches,
  area: ContentArea,
): Promise<FoundWarning[]> {
  const found = wide || cut ? await layout.overflowing() : { cut: [] };
  const block = empty ? await layout.pushedBlock() : undefined;
  const missing = fonts ? await layout.missingFonts() : [];
  return [
    ...(wide && found.widest ? widthWarning(found.widest, area) : []),
    ...(cut ? found.cut.map(cutWarning) : []),
    ...(block ? [emptyPageWarning(block)] : []),
    ...fontWarnings(missing),
  ];
}

function areaOf({ scale = 1, ...settings }: PrintSettings): ContentArea {
  const { paperWidth, paperHeight, marginTop, marginRight, marginBottom, marginLeft } = settings;
  const width = ((paperWidth - marginLeft - marginRight) * 96) / scale;
  return { width, height: ((paperHeight - marginTop - marginBottom) * 96) / scale };
}

function widthWarning({ name, tag, end, isRtl }: WidestElement, { width }: ContentArea): FoundWarning[] {
  if (end < width * TOLERANCE) return [];
  const percent = Math.round(Math.max(width / end, 1 / MAX_SHRINK) * 100);
  const cut = end > width * MAX_SHRINK + 1 ? ', and anything that still does not fit is cut off' : '';
  const message =
    `${name} ends at ${Math.ceil(end)} px, but the page has room for ${Math.floor(width)} px. ` +
    (isRtl ? 'The rest is cut off.' : `All pages were shrunk to ${percent}%${cut}.`);
  return [{ code: 'content_too_wide', message, name, literal: tag }];
}

export function cutWarning({ name, tag, side, needed, size }: CutContent): FoundWarning {
  const code = side === 'height' ? 'content_too_high' : 'content_too_wide';
  const message = `${name} needs a ${side} of ${Math.ceil(needed)} px for its content, but has ${Math.floor(size)} px. The rest is cut off.`;
  return { code, message, name, ...(tag !== undefined && { literal: tag }) };
}

function emptyPageWarning({ name, tag }: Pick<WidestElement, 'name' | 'tag'>): FoundWarning {
  const message = `The first page is empty, because ${name} does not fit in the space left on it and may not be split.`;
  return { code: 'page_empty', message, name, literal: tag };
}
