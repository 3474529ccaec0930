const BASE_FONT = /\/BaseFont\s*\/(?:[A-Z]{6}\+)?([^\s/<>[\]()]+)/g;

/** Returns the PostScript names of the fonts in a PDF whose objects are not in compressed streams, as Chromium writes it. */
export function fontNames(pdf: Uint8Array): readonly string[] {
  const text = new TextDecoder('latin1').decode(pdf);
  return [...new Set(Array.from(text.matchAll(BASE_FONT), ([, name = '']) => name))].toSorted();
}
