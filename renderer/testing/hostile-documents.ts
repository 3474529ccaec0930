import { deflateSync } from 'node:zlib';
import { pngOf } from './files/png.ts';

/** A template that exceeds a document's limits. */
export interface HostileDocument {
  readonly html: string;
}

const rows = (count: number, row: string) => row.repeat(count);

/** Each takes a browser far longer than a second, or far more memory than its size. Created on demand. */
export const HOSTILE_DOCUMENTS: Readonly<Record<string, () => HostileDocument>> = {
  '20,000 pages': () => ({ html: rows(20_000, '<p style="break-after:page">x</p>') }),
  'a table that is laid out for ever': () => {
    const cell = `<td>${'<div style="float:left;width:1%">x</div>'.repeat(20)}</td>`;
    return { html: `<table style="columns:3">${rows(1500, `<tr>${cell.repeat(10)}</tr>`)}</table>` };
  },
  'grids in grids': () => ({
    html: `<style>div{display:grid;grid-template-columns:repeat(auto-fit,minmax(min-content,1fr)) fit-content(50%)}</style>${rows(300, '<div><div>y</div>')}x${rows(300, '</div>')}`.repeat(
      40,
    ),
  }),
  'tables in tables': () => ({ html: `${rows(300, '<table><tr><td>a<td>')}x`.repeat(40) }),
  'columns in columns': () => ({
    html: `<style>div{columns:2;column-fill:balance}</style>${rows(40, '<div><p>some text to balance over columns</p>')}`.repeat(
      20,
    ),
  }),
  'blurred shadows': () => ({
    html: rows(
      3000,
      '<div style="width:3000px;height:3000px;margin:-2900px 0 0;box-shadow:0 0 900px 900px red;filter:blur(400px) drop-shadow(0 0 300px blue);border-radius:50%">x</div>',
    ),
  }),
  'an svg of filters': () => ({
    html: `<svg width="8000" height="8000"><filter id="f" x="-9" y="-9" width="20" height="20">${rows(200, '<feTurbulence numOctaves="9" baseFrequency=".01"/><feGaussianBlur stdDeviation="90"/><feMorphology operator="dilate" radius="90"/>')}</filter>${rows(50, '<rect width="8000" height="8000" filter="url(#f)"/>')}</svg>`,
  }),
  'an svg that uses itself a billion times': () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `<g id="l${level + 1}">${rows(10, `<use href="#l${level}"/>`)}</g>`,
    );
    return {
      html: `<svg><defs><rect id="l0" width="9" height="9"/>${levels.join('')}</defs><use href="#l9"/></svg>`,
    };
  },
  'counters and quotes': () => ({
    html: `<style>p{counter-increment:a b c}p::before{content:counters(a,".") counters(b,".") counter(c)}</style>${rows(3000, '<div style="counter-reset:a b"><p>x</p>')}`,
  }),
};

/** Images that are small in a document and large in a browser. */
export const IMAGE_BOMBS: Readonly<Record<string, () => HostileDocument>> = {
  'a png of 30,000 by 30,000': () => ({
    html: `<img width="99" src="data:image/png;base64,${emptyPng(30_000)}">`,
  }),
  'two hundred pngs of 5,000 by 5,000': () => {
    const source = emptyPng(5000);
    const images = Array.from(
      { length: 200 },
      (_, index) => `<img width="9" src="data:image/png;x=${index};base64,${source}">`,
    );
    return { html: images.join('') };
  },
  'a gif of 65,535 by 65,535': () => {
    const gif = Buffer.from('474946383961ffffffff80000000000000ffffff2c00000000ffffffff00020244', 'hex');
    return { html: `<img width="99" src="data:image/gif;base64,${gif.toString('base64')}">` };
  },
  'an svg of a million by a million': () => ({
    html: `<img width="99" src='data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="1000000" height="1000000"><rect width="1000000" height="1000000" fill="red"/></svg>'>`,
  }),
};

/** Returns a single-color square, in base64. */
export function emptyPng(size: number): string {
  // One bit per pixel.
  return pngOf(
    { width: size, height: size, depth: 1, colour: 0 },
    deflateSync(Buffer.alloc(size * (1 + Math.ceil(size / 8)))),
  );
}
