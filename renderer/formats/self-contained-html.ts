import { defaultTreeAdapter, html as HTML, Parser, type DefaultTreeAdapterMap } from 'parse5';
import type { WatermarkText } from '../pdf/watermark/watermark-tile.ts';

export interface SelfContainedOptions {
  /** Title of a document that has none. */
  readonly title?: string | undefined;
  /** Text that the document shows over its content, on screen and on paper. */
  readonly watermark?: WatermarkText | undefined;
}

/**
 * A browser that opens the file applies the same rules as the service when it prints: it does not run scripts or load
 * anything from outside the file.
 */
const POLICY =
  "default-src 'none'; img-src data:; media-src data:; font-src data:; style-src 'unsafe-inline' data:; " +
  "base-uri 'none'; form-action 'none'";

/** A title element in the document, or text that a browser may parse as one. */
const TITLE = /<title[\s/>]/i;

/** Doctypes that select the mode in which a browser would read the document. */
const DOCTYPES: Readonly<Record<HTML.DOCUMENT_MODE, string>> = {
  [HTML.DOCUMENT_MODE.NO_QUIRKS]: '<!doctype html>\n',
  [HTML.DOCUMENT_MODE.LIMITED_QUIRKS]:
    '<!doctype html public "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n',
  [HTML.DOCUMENT_MODE.QUIRKS]: '',
};

/**
 * Returns the preamble that turns a merged document into a self-contained file: it sets UTF-8 and a title and blocks
 * the network. The complete document follows, and none of it precedes the policy: a browser ignores its doctype and its
 * head tag, and adopts the attributes of its html and body tags (HTML, 13.2.6.4.4 and 13.2.6.4.7). External references
 * of the template stay unchanged and are not loaded. Runs in linear time.
 */
export function preambleOf(html: string, { title, watermark }: SelfContainedOptions): string {
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    ...(title !== undefined && !TITLE.test(html) ? [`<title>${escaped(title)}</title>`] : []),
    ...(watermark ? [watermarkStyle(watermark)] : []),
  ];
  return `${DOCTYPES[documentMode(html)]}${head.join('\n')}\n`;
}

/** Reads only up to the first decisive token: a doctype, or anything but comments and white space. */
function documentMode(html: string): HTML.DOCUMENT_MODE {
  let mode = HTML.DOCUMENT_MODE.QUIRKS;
  const treeAdapter = { ...defaultTreeAdapter };
  const parser = new Parser<DefaultTreeAdapterMap>({ treeAdapter });
  treeAdapter.setDocumentMode = (_document, decided) => {
    mode = decided;
    parser.tokenizer.pause();
  };
  // Unlike the standard, Chromium skips NULs here and treats an empty system identifier as missing.
  parser.onNullCharacter = () => undefined;
  const onDoctype = parser.onDoctype.bind(parser);
  parser.onDoctype = (token) => onDoctype({ ...token, systemId: token.systemId || null });
  parser.tokenizer.write(html, true);
  return mode;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** One tile of the repeated watermark. */
const tile = (text: WatermarkText) =>
  `<svg xmlns='http://www.w3.org/2000/svg' width='420' height='300'><text x='210' y='160' text-anchor='middle' transform='rotate(-24 210 150)' font-family='Helvetica,Arial,sans-serif' font-weight='700' font-size='88' fill='none' stroke='#bf1a1a' stroke-opacity='.55' stroke-width='2'>${text}</text></svg>`;

/** Covers everything, on every page when the file is printed. Editors of the file can remove it (docs/formats.md). */
const watermarkStyle = (text: WatermarkText) => `<style>
html::before, html::after { all: initial !important; display: block !important; position: fixed !important; z-index: 2147483647 !important; right: 0 !important; bottom: 0 !important; pointer-events: none !important; -webkit-print-color-adjust: exact !important; print-color-adjust: exact !important; }
html::before { left: 0 !important; top: 0 !important; content: "" !important; background: url("data:image/svg+xml,${encodeURIComponent(tile(text))}") !important; }
html::after { content: "${text}" !important; padding: 4px 4px 4px 8px !important; background: #bf1a1a !important; color: #fff !important; font: 700 16px/1.2 Helvetica, Arial, sans-serif !important; letter-spacing: 4px !important; text-align: center !important; }
</style>`;
