import { defaultTreeAdapter, html as HTML, Parser, type DefaultTreeAdapterMap } from 'parse5';
import { WATERMARK_TEXT } from '../pdf/watermark/stamp-watermark.ts';

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

/** A title element of the document's own, or something that a browser may take for one. */
const TITLE = /<title[\s/>]/i;

/** Puts a browser into the mode in which it would read the document. */
const DOCTYPES: Readonly<Record<HTML.DOCUMENT_MODE, string>> = {
  [HTML.DOCUMENT_MODE.NO_QUIRKS]: '<!doctype html>\n',
  [HTML.DOCUMENT_MODE.LIMITED_QUIRKS]:
    '<!doctype html public "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n',
  [HTML.DOCUMENT_MODE.QUIRKS]: '',
};

/**
 * What makes a file of its own of a merged document when it is put before it: the file says that it is UTF-8, has a
 * title, and is shut off from the network. The document follows whole, and nothing of it comes before the policy: a
 * browser ignores its doctype and its head tag, and takes the attributes of its html and body tags over (HTML, 13.2.6.4.4
 * and 13.2.6.4.7). What the template refers to elsewhere stays written as it is and is not loaded. In linear time.
 */
export function preambleOf(html: string, { title, watermark }: SelfContainedOptions): string {
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    ...(title !== undefined && !TITLE.test(html) ? [`<title>${escaped(title)}</title>`] : []),
    ...(watermark ? [WATERMARK_STYLE] : []),
  ];
  return `${DOCTYPES[documentMode(html)]}${head.join('\n')}\n`;
}

/** Read no further than to the first token that decides: a doctype, or anything but comments and white space. */
function documentMode(html: string): HTML.DOCUMENT_MODE {
  let mode = HTML.DOCUMENT_MODE.QUIRKS;
  const treeAdapter = { ...defaultTreeAdapter };
  const parser = new Parser<DefaultTreeAdapterMap>({ treeAdapter });
  treeAdapter.setDocumentMode = (_document, decided) => {
    mode = decided;
    parser.tokenizer.pause();
  };
  // Unlike the standard, Chromium skips NULs there, and takes an empty system identifier for none.
  parser.onNullCharacter = () => undefined;
  const onDoctype = parser.onDoctype.bind(parser);
  parser.onDoctype = (token) => onDoctype({ ...token, systemId: token.systemId || null });
  parser.tokenizer.write(html, true);
  return mode;
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
