import { WATERMARK_TEXT } from '../pipeline/stamp-watermark.ts';

export interface SelfContainedOptions {
  /** For a document that has none of its own. */
  readonly title?: string | undefined;
  /** Whether it says on the screen and on paper that a test key made it. */
  readonly watermark: boolean;
}

/**
 * A browser that opens the file does what the service does when it prints: it runs no script and loads nothing that is
 * not in the file.
 */
const POLICY =
  "default-src 'none'; img-src data:; media-src data:; font-src data:; style-src 'unsafe-inline' data:; " +
  "base-uri 'none'; form-action 'none'";

/** The usual beginning of a page. Of attributes only what cannot be read in two ways: a `<` in one hides what follows. */
const USUAL_BEGINNING =
  /^\s*<!doctype html>\s*<html(?:\s+[a-z][\w:-]*(?:="[^"<>]*")?)*\s*>\s*<head(?:\s+[a-z][\w:-]*(?:="[^"<>]*")?)*\s*>/i;
const WHITE_SPACE = /\s*/y;
const DOCTYPE = /<!doctype[^>]*>/iy;
const TITLE = /<title[\s>]/i;

/**
 * A merged document as a file of its own: it says that it is UTF-8, has a title, and is shut off from the network. What
 * the template refers to elsewhere stays written as it is and is not loaded. A template without a doctype stays so, or
 * it would look otherwise than in print.
 */
export function selfContained(html: string, { title, watermark }: SelfContainedOptions): string {
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    ...(title !== undefined && !TITLE.test(html) ? [`<title>${escaped(title)}</title>`] : []),
    ...(watermark ? [WATERMARK_STYLE] : []),
  ].join('\n');
  // What comes before the html element is put into its head all the same (HTML, 13.2.6.4.3).
  const beginning = USUAL_BEGINNING.exec(html)?.[0] ?? doctypeOf(html);
  const break_ = beginning === '' ? '' : '\n';
  return `${beginning}${break_}${head}${break_ || '\n'}${html.slice(beginning.length)}`;
}

/** The doctype with what may stand before it: white space and comments. */
function doctypeOf(html: string): string {
  let at = 0;
  for (;;) {
    WHITE_SPACE.lastIndex = at;
    at += WHITE_SPACE.exec(html)?.[0].length ?? 0;
    if (!html.startsWith('<!--', at)) break;
    const end = commentEnd(html, at + '<!--'.length);
    if (end === undefined) return '';
    at = end;
  }
  DOCTYPE.lastIndex = at;
  return DOCTYPE.test(html) ? html.slice(0, DOCTYPE.lastIndex) : '';
}

/** Behind the comment whose text begins at `from`; undefined when it does not end (HTML, 13.2.5.43 to 13.2.5.52). */
function commentEnd(html: string, from: number): number | undefined {
  for (const abrupt of ['>', '->']) if (html.startsWith(abrupt, from)) return from + abrupt.length;
  const ends = ['-->', '--!>'].map((mark) => ({ mark, at: html.indexOf(mark, from) }));
  const [first] = ends.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at);
  return first && first.at + first.mark.length;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** A tile of the watermark, over and over. */
const TILE = `<svg xmlns='http://www.w3.org/2000/svg' width='420' height='300'><text x='210' y='160' text-anchor='middle' transform='rotate(-24 210 150)' font-family='Helvetica,Arial,sans-serif' font-weight='700' font-size='88' fill='none' stroke='#bf1a1a' stroke-opacity='.55' stroke-width='2'>${WATERMARK_TEXT}</text></svg>`;

/**
 * Over everything, on every page when the file is printed. Whoever edits the file can take it out: that is told in
 * docs/formats.md.
 */
const WATERMARK_STYLE = `<style>
html::before, html::after { all: initial !important; display: block !important; position: fixed !important; z-index: 2147483647 !important; right: 0 !important; bottom: 0 !important; pointer-events: none !important; -webkit-print-color-adjust: exact !important; print-color-adjust: exact !important; }
html::before { left: 0 !important; top: 0 !important; content: "" !important; background: url("data:image/svg+xml,${encodeURIComponent(TILE)}") !important; }
html::after { content: "${WATERMARK_TEXT}" !important; padding: 4px 4px 4px 8px !important; background: #bf1a1a !important; color: #fff !important; font: 700 16px/1.2 Helvetica, Arial, sans-serif !important; letter-spacing: 4px !important; text-align: center !important; }
</style>`;
