import { MARKED } from './marked-template.ts';
import type { RenderedPiece } from './source-map.ts';

/** No text has this character. */
const SEPARATOR = '\uFDD0';

/** Returns the texts of a marked and rendered template, in its order. A loop repeats those in its body. */
export function renderedPieces(html: string, rendered: string): RenderedPiece[] {
  const found = Array.from(rendered.matchAll(MARKED));
  const texts = decoded(found.map(([, , , text = '']) => text.replaceAll(/<[^<>]*>/g, ' ')));
  return found.map(([, first, last], index) => {
    const [from, to, text] = [Number(first), Number(last), texts[index] ?? ''];
    return { from, to, text, isLiteral: html.slice(from, to) === text };
  });
}

/** Decodes the character references of texts without tags. */
function decoded(texts: readonly string[]): string[] {
  const html = `<body>${texts.map((text) => SEPARATOR + text.replaceAll('<', '&lt;')).join('')}`;
  const { textContent } = new DOMParser().parseFromString(html, 'text/html').body;
  return textContent.split(SEPARATOR).slice(1);
}
