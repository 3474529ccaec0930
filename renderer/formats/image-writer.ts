import type { ImageFormat } from '@trifold/crds';
import { withBlocked, type DocumentPage } from '../browser/page/document-page.ts';
import { fontWarnings } from '../browser/page/missing-fonts.ts';
import type { LazyBrowserPool } from '../browser/pool/lazy-browser-pool.ts';
import type { Picture, PictureSettings } from '../browser/page/picture.ts';
import { glyphWarnings, type FontCoverage } from '../glyphs/font-coverage.ts';
import type { MergeExtras } from '../merge/template-merger.ts';
import type { Printing } from '../task/print-settings.ts';
import type { DocumentToWrite, FormatWriter, WritingTurn, WrittenFile } from './format-writer.ts';
import {
  STROKE_WIDTH,
  TILE_UNITS,
  tileSide,
  watermarkText,
  watermarkTile,
  WHITE_SHIFT,
  type WatermarkText,
} from '../pdf/watermark/watermark-tile.ts';

const PIXELS_PER_INCH = 96;

/** Draws a document as one image with the page's width and margins. */
export class ImageWriter implements FormatWriter {
  readonly #format: ImageFormat;
  readonly #browsers: Pick<LazyBrowserPool, 'withPage'>;
  readonly #fonts: Pick<FontCoverage, 'uncovered'>;

  /** The browsers must draw frames. */
  constructor(
    format: ImageFormat,
    browsers: Pick<LazyBrowserPool, 'withPage'>,
    fonts: Pick<FontCoverage, 'uncovered'>,
  ) {
    this.#format = format;
    this.#browsers = browsers;
    this.#fonts = fonts;
  }

  mergeExtras({ printing }: Pick<DocumentToWrite, 'printing'>): MergeExtras {
    return { rules: marginRule(printing) };
  }

  async write(document: DocumentToWrite, turn: WritingTurn): Promise<WrittenFile> {
    const { signal, waiting, working, warnings } = turn;
    const settings = pictureSettings(document);
    const encoding = { format: this.#format, quality: document.printing.options.quality };
    waiting();
    const uncovered = await this.#uncovered(document);
    const { account, priority } = document;
    const use = async (page: DocumentPage) => {
      working();
      const watermark = watermarkText(document.features.mode);
      const first = watermark ? settings : { ...settings, ...encoding };
      const picture = await withBlocked(
        page,
        page.capture(document.html, first, document.imagePixels),
        warnings,
      );
      if (!watermark) return picture;
      // A warning must not fail a document. If the page is gone, the next image reports it.
      warnings.push(...fontWarnings(await page.missingFonts().catch(() => [])));
      // In our own document, the template's CSS cannot affect the watermark.
      const html = watermarkedPage(picture, document.printing.options.scale, watermark);
      const { height } = picture;
      return page.capture(html, { ...settings, ...encoding, height, fullPage: false, fresh: true });
    };
    const { file } = await this.#browsers.withPage(account, signal, use, priority);
    warnings.push(...glyphWarnings(uncovered));
    return { body: file, pages: 0 };
  }

  /** An image does not reveal which glyphs it shows, so a document with custom fonts gets no warning. */
  async #uncovered({ html, scripts }: DocumentToWrite): Promise<readonly string[]> {
    if (scripts === undefined || html.includes('@font-face')) return [];
    return this.#fonts.uncovered(scripts);
  }
}

/** `scale` enlarges the content on the same paper, as in print, so the paper has fewer CSS pixels. */
function pictureSettings({ printing: { geometry, options } }: DocumentToWrite): PictureSettings {
  const pixels = (inches: number) => Math.max(1, Math.round((inches * PIXELS_PER_INCH) / options.scale));
  return {
    width: pixels(geometry.width),
    height: pixels(geometry.height),
    deviceScale: options.deviceScale * options.scale,
    fullPage: options.fullPage,
  };
}

/**
 * The page margins are a transparent border, so that the background extends under them as in print. The root contains
 * absolutely and fixed positioned elements, which then stay inside the margins. Important rules in a layer override the
 * document's own styles regardless of their position: data may contain some that come later.
 */
function marginRule({ geometry, options }: Printing): string {
  const { top, right, bottom, left } = geometry.margins;
  const pixels = (inches: number) => Number(((inches * PIXELS_PER_INCH) / options.scale).toFixed(3));
  const widths = [top, right, bottom, left].map((inches) => `${pixels(inches)}px`).join(' ');
  return (
    `@layer{:root{box-sizing:border-box!important;border:solid transparent!important;border-width:${widths}!important;` +
    `min-height:100vh!important;margin:0!important;transform:translate(0)!important}}`
  );
}

/**
 * Returns a page that shows an image under the watermark pattern, with a tile in the middle. `scale` is the content's:
 * it divides the CSS pixels per inch.
 */
function watermarkedPage({ file, width, height }: Picture, scale: number, text: WatermarkText): string {
  const inch = PIXELS_PER_INCH / scale;
  const side = tileSide(width / inch, height / inch) * inch;
  const [left, top] = [(width - side) / 2, (height - side) / 2];
  const size = `width="${width}" height="${height}"`;
  const { path, opacity } = watermarkTile(text);
  const word =
    `<path d="${path}" fill="none" stroke-width="${STROKE_WIDTH}" stroke-linejoin="round" ` +
    `stroke-opacity="${opacity}"`;
  return (
    '<!doctype html><style>html,body{margin:0;background:#fff}img,svg{position:absolute;left:0;top:0}</style>' +
    `<img ${size} src="data:image/png;base64,${file.toString('base64')}">` +
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}>` +
    `<pattern id="p" patternUnits="userSpaceOnUse" width="${TILE_UNITS}" height="${TILE_UNITS}" ` +
    `patternTransform="translate(${left} ${top}) scale(${side / TILE_UNITS})">` +
    `${word} stroke="#000"/>${word} stroke="#fff" transform="translate(0 ${WHITE_SHIFT})"/></pattern>` +
    `<rect ${size} fill="url(#p)"/></svg>`
  );
}
