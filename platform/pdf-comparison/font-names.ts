const BASE_FONT = /\/BaseFont\s*\/(?:[A-Z]{6}\+)?([^\s/<>[\]()]+)/g;

/** Returns the PostScript font names in a PDF without compressed object streams, such as Chromium's. */
export function fontNames(pdf: Uint8Array): readonly string[] {
  const text = new TextDecoder('latin1').decode(pdf);
  return [...new Set(Array.from(text.matchAll(BASE_FONT), ([, name = '']) => name))].toSorted();
}
