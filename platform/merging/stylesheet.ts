/**
 * The parts of a template before which or behind which a stylesheet goes; comments and raw text are stepped over. No `<`
 * outside quotes in a tag: or each of many tags that never end would be looked through to the end of the text.
 */
const LANDMARKS =
  /<!--[^]*?(?:-->|$)|\{\{~?!--[^]*?(?:--~?\}\}|$)|\{\{~?![^}]*\}\}|<(script|style|title|textarea)\b[^]*?(?:<\/\1|$)|<\/head\b|<body\b|<(?:head|html|!doctype)\b(?:"[^"]*"|'[^']*'|\{\{[^}]*\}\}|\{(?!\{)|[^<>"'{])*>/gi;

/**
 * Puts `stylesheet` (a `<style>` element) at the end of a document's head, so that it wins over the document's own
 * styles. A document without a head, or without any of html, gets them.
 */
export function insertStylesheet(html: string, stylesheet: string): string {
  let opening: number | undefined;
  for (const landmark of html.matchAll(LANDMARKS)) {
    const [text] = landmark;
    if (/^<\/head|^<body/i.test(text)) return splice(html, landmark.index, stylesheet);
    if (/^<(?:head|html|!doctype)\b/i.test(text)) opening = landmark.index + text.length;
  }
  if (opening !== undefined) return splice(html, opening, stylesheet);
  return `<!doctype html><html><head><meta charset="utf-8">${stylesheet}</head><body>${html}</body></html>`;
}

/** The css as an element. The css cannot end the element: to CSS, `<\/style` is what `</style` is. */
export function styleElement(css: string): string {
  return `<style>${css.replaceAll(/<\/(?=style)/gi, String.raw`<\/`)}</style>`;
}

function splice(text: string, at: number, inserted: string): string {
  return text.slice(0, at) + inserted + text.slice(at);
}
