/** A resource referenced in CSS. */
export interface CssUrl {
  readonly url: string;
  /** The URL's source text in the CSS, starting at `url(` or the quote. */
  readonly text: string;
  readonly noun: 'image' | 'font' | 'style sheet';
  /** Whether browsers ignore the URL because it lacks quotes. */
  readonly isBad: boolean;
}

const TOKEN =
  /\/\*|["'{};]|url\(|@(?:import|font-face|namespace|media)\b|image-set\(|(?<![-\w])cursor\s{0,5}:/gi;
const STRING_ENDS = { '"': /\\[^]|"/g, "'": /\\[^]|'/g } as const;
const ESCAPE = /\\(?:([\da-f]{1,6})\s?|\n|([^]))/gi;
const BLANKS = /\s*/y;
/** Whether a media query never applies to printed pages. */
export function isScreenOnly(media: string): boolean {
  return /\b(?:screen|speech)\b/i.test(media) && !/\b(?:print|all|not)\b|,/i.test(media);
}

/** Returns the URLs in a style sheet or a style attribute that may be shown in print, in one forward scan. */
export function* cssUrls(css: string): Generator<CssUrl> {
  let rule = '';
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(css); match; match = TOKEN.exec(css)) {
    const [token] = match;
    const from = match.index;
    let end = TOKEN.lastIndex;
    if (token === '/*') end = endOf(css, css.indexOf('*/', end), 2);
    else if (token === '"' || token === "'") {
      end = stringEnd(css, token, end);
      const url = unescaped(css.slice(from + 1, end - 1));
      const noun = nounOf(rule);
      if (/^(?:@import|image-set\()$/.test(rule) && isPrinted(rule, () => mediaAt(css, end)))
        yield { url, text: css.slice(from, end), noun, isBad: false };
    } else if (/^url/i.test(token)) {
      const found = urlAt(css, end);
      end = found.end;
      if (isPrinted(rule, () => mediaAt(css, end)))
        yield { url: found.url, text: css.slice(from, end), noun: nounOf(rule), isBad: found.isBad };
    } else if (/^@media/i.test(token)) end = mediaEnd(css, end);
    else rule = ruleAfter(rule, token.toLowerCase());
    TOKEN.lastIndex = end;
  }
}

/** Whether a URL in a rule or a declaration may be shown in print: cursors never are. */
function isPrinted(rule: string, media: () => string): boolean {
  if (rule === '@namespace' || rule.startsWith('cursor')) return false;
  return rule !== '@import' || !isScreenOnly(media());
}

/** Returns the media list of an import, after its URL. */
function mediaAt(css: string, from: number): string {
  const [media = ''] = css.slice(from, from + 500).split(';', 1);
  return media;
}

/** A rule or a function ends where its block or its declaration ends. */
function ruleAfter(rule: string, token: string): string {
  if (token === '{') return rule === '@font-face' ? rule : '';
  return token === '}' || (token === ';' && rule !== '@font-face') ? '' : token === ';' ? rule : token;
}

function nounOf(rule: string): CssUrl['noun'] {
  if (rule === '@import') return 'style sheet';
  return rule === '@font-face' ? 'font' : 'image';
}

function urlAt(css: string, opened: number): { url: string; end: number; isBad: boolean } {
  BLANKS.lastIndex = opened;
  BLANKS.test(css);
  const start = BLANKS.lastIndex;
  const quote = css[start];
  if (quote === '"' || quote === "'") {
    const close = stringEnd(css, quote, start + 1);
    const url = unescaped(css.slice(start + 1, close - 1));
    return { url, end: endOf(css, css.indexOf(')', close), 1), isBad: false };
  }
  const end = endOf(css, css.indexOf(')', start), 1);
  const url = css.slice(start, end - 1).trim();
  return { url: unescaped(url), end, isBad: /["'(]|[^\\]\s/.test(url) };
}

function stringEnd(css: string, quote: '"' | "'", from: number): number {
  const pattern = STRING_ENDS[quote];
  pattern.lastIndex = from;
  for (let match = pattern.exec(css); match; match = pattern.exec(css)) {
    if (match[0] === quote) return pattern.lastIndex;
  }
  return css.length;
}

/**
 * Returns the position at which to continue after `@media`: in its block, or after a block that does not apply to
 * print.
 */
function mediaEnd(css: string, from: number): number {
  const open = css.indexOf('{', from);
  if (open === -1) return css.length;
  const query = css.slice(from, Math.min(open, from + 500));
  if (!isScreenOnly(query)) return open + 1;
  let depth = 0;
  const brace = /[{}]/g;
  brace.lastIndex = open;
  for (let match = brace.exec(css); match; match = brace.exec(css)) {
    depth += match[0] === '{' ? 1 : -1;
    if (depth === 0) return brace.lastIndex;
  }
  return css.length;
}

function endOf(css: string, at: number, length: number): number {
  return at === -1 ? css.length : at + length;
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(ESCAPE, (_, code: string | undefined, sign = '') => {
    if (code === undefined) return String(sign);
    const point = Number.parseInt(code, 16);
    return point > 0 && point < 0x110000 ? String.fromCodePoint(point) : '\ufffd';
  });
}
