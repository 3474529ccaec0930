import { unescapeHtml } from './html-tokens.ts';
import { inlinableCss, mayNeedRewrite, withoutEmptyDeclarations } from './inlinable-css.ts';

/** The attributes of a start tag, to its end, whatever is written there. */
const ATTRIBUTES = `(?:=\\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\\s>"'][^\\s>]*|)|[^>=])*`;
/** Comments, and elements whose content is not html with their content. */
const RAW =
  `<!--[^]*?(?:-->|$)` +
  `|<(script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[\\s/>])(${ATTRIBUTES})(?:>|$)([^]*?)(?=</\\1[\\s/>]|$)`;
const RAW_PIECE = new RegExp(RAW, 'gi');
/** Other start tags, too. */
const PIECE = new RegExp(`${RAW}|<[a-z][^\\s/>]*(?:${ATTRIBUTES})(?:>|$)`, 'gi');
const STYLE = /<style(?=[\s/>])([^>]*)(?:>|$)([^]*?)(?:<\/style|$)/gi;
const STYLE_WITHOUT_VALUE = /\sstyle\s*=\s*(?:"[^"]*:\s*(?:[";!]|\/\*)|'[^']*:\s*(?:[';!]|\/\*))/i;
const STYLE_ATTRIBUTE = /(\sstyle\s*=\s*)("[^"]*"|'[^']*')/i;
/** Makes the inliner leave a style element as it is. */
const LEFT_ALONE = ' data-css-inline="ignore"';

/**
 * The html of a letter so that the inliner does to its css what a browser would: style elements for some media only, or
 * of another language than css, are to be left alone, and css is as `inlinableCss` makes it. `withoutMarks` comes after
 * the inliner. Html that needs none of it is given back as it is, after no more than a look.
 */
export function inlinableHtml(html: string): string {
  const hasEmptyStyle = STYLE_WITHOUT_VALUE.test(html);
  if (!hasEmptyStyle && !hasStyleToChange(html)) return html;
  return html.replaceAll(
    hasEmptyStyle ? PIECE : RAW_PIECE,
    (source: string, raw?: string, attributes = '', content = '') => {
      if (raw === undefined) return source.startsWith('<!') ? source : withoutEmptyStyle(source);
      return raw.toLowerCase() === 'style' ? styleElement(source, attributes, content) : source;
    },
  );
}

/** Takes away what `inlinableHtml` put in for the inliner. */
export function withoutMarks(html: string): string {
  return html.replaceAll(`<style${LEFT_ALONE}`, '<style');
}

function hasStyleToChange(html: string): boolean {
  for (const [, attributes = '', css = ''] of html.matchAll(STYLE)) {
    if (!isForScreens(attributes) || mayNeedRewrite(css)) return true;
  }
  return false;
}

/** A style element as far as its end tag. */
function styleElement(source: string, attributes: string, css: string): string {
  if (!isForScreens(attributes)) return `<style${LEFT_ALONE}${source.slice('<style'.length)}`;
  return css === '' ? source : `<style${attributes}>${inlinableCss(css)}`;
}

/** Whether a browser takes the element for css that applies where letters are read. */
function isForScreens(attributes: string): boolean {
  if (attributes === '') return true;
  const type = valueOf(attributes, 'type');
  if (type !== '' && type !== 'text/css') return false;
  return valueOf(attributes, 'media')
    .split(',')
    .some((medium) => ['', 'all', 'screen'].includes(medium.trim()));
}

/** In lower case; empty when there is none. */
function valueOf(attributes: string, name: string): string {
  const match = new RegExp(`[\\s"'/]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(
    attributes,
  );
  return (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim().toLowerCase();
}

function withoutEmptyStyle(tag: string): string {
  return tag.replace(STYLE_ATTRIBUTE, (source: string, before: string, quoted: string) => {
    const css = unescapeHtml(quoted.slice(1, -1));
    const cleaned = withoutEmptyDeclarations(css);
    if (cleaned === css) return source;
    return `${before}"${cleaned.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  });
}
