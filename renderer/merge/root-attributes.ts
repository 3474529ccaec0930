import { Parser } from 'htmlparser2';

/** Characters parsed at a time; parsing ends at the body's start tag. */
const PIECE = 4096;
const LANGUAGE = /^[a-z\d-]{1,35}$/i;
/** Elements before the body. */
const HEAD = new Set([
  'html',
  'head',
  'title',
  'meta',
  'link',
  'style',
  'script',
  'base',
  'noscript',
  'template',
]);

/**
 * Returns a document's language and direction as attributes of an `html` element, for the documents of its headers and
 * footers. The body's attributes override the root's. `language` is the default for a document without one.
 */
export function rootAttributes(html: string, language = ''): string {
  const found = new Map(LANGUAGE.test(language) ? [['lang', language]] : []);
  const state = { hasBegun: false };
  const parser = new Parser({
    onopentag(name, { lang = '', dir = '' }) {
      if (state.hasBegun) return;
      state.hasBegun = !HEAD.has(name);
      if (name !== 'html' && name !== 'body') return;
      if (LANGUAGE.test(lang)) found.set('lang', lang);
      if (/^(?:ltr|rtl)$/i.test(dir)) found.set('dir', dir.toLowerCase());
    },
  });
  for (let at = 0; at < html.length && !state.hasBegun; at += PIECE) parser.write(html.slice(at, at + PIECE));
  return Array.from(found, ([name, value]) => ` ${name}="${value}"`).join('');
}
