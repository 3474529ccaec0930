import { describe, expect, it } from 'vitest';
import { pngOf } from '../testing/files/png.ts';
import { embeddedImages } from './image-pixels.ts';

const png = (width: number, height: number) => pngOf({ width, height, depth: 1, colour: 0 }, Buffer.alloc(1));
const uri = (width: number, height: number, type = 'image/png') =>
  `data:${type};base64,${png(width, height)}`;
const escaped = (text: string) => text.replaceAll('=', '&#x3D;');

describe('the pixels of embedded images', () => {
  it('are summed across HTML, styles, header and footer', () => {
    const html = `<style>p{background:url(${uri(10, 10)})}</style><img src="${uri(20, 10)}"><img src='${escaped(uri(30, 10))}'>`;
    const header = `<img src=${uri(40, 10)} width=9>`;
    const footer = `<svg><image href="${uri(50, 10)}"/></svg>`;
    expect(embeddedImages(html, header, footer)).toMatchObject({ pixels: 1500 });
  });

  it('are counted once for equal URIs, as in a browser', () => {
    const image = `<img src="${uri(10, 10)}">`;
    expect(embeddedImages(image.repeat(3), image)).toMatchObject({ pixels: 100 });
    const other = `<img src="${uri(10, 10, 'image/png;x=1')}">`;
    expect(embeddedImages(image + other)).toMatchObject({ pixels: 200 });
  });

  it('are counted for percent-encoded URIs, URIs with line breaks, images in SVG and any declared type', () => {
    const lines = uri(10, 10).replaceAll(/.{40}/g, '$&\r\n');
    const svg = `data:image/svg+xml,<svg><image href='${uri(20, 10)}'/></svg>`;
    const encoded = `data:image/png;base64,${encodeURIComponent(png(30, 10))}`;
    const html = [lines, svg, encoded, uri(40, 10, 'text/plain')].map((source) => `<img src="${source}">`);
    expect(embeddedImages(html.join(''))).toMatchObject({ pixels: 1000 });
  });

  it('are reported if a browser may not show them', () => {
    const svg = (attribute: string) =>
      `data:image/svg+xml;base64,${btoa(`<svg ${attribute}><!-- an image --></svg>`)}`;
    expect(embeddedImages(svg('xmlns="http://www.w3.org/2000/svg"'))).toMatchObject({ isSuspect: false });
    expect(embeddedImages(svg('id="an-svg-without-a-namespace"'))).toMatchObject({ isSuspect: true });
  });

  it('are 0 without images', () => {
    const font = `data:font/woff2;base64,${'d09G'.repeat(99)}`;
    expect(
      embeddedImages(`<p>;base64, data:;base64,</p><style>@font-face{src:url(${font})}</style>`),
    ).toMatchObject({
      pixels: 0,
    });
  });

  it('have a limit, whose error message names the image but not its content', () => {
    const photos = [1, 2, 3, 4, 5, 6, 7, 8].map(
      (number) => `<img src="${uri(6000, 4000, `image/png;n=${number}`)}">`,
    );
    expect(embeddedImages(...photos)).toMatchObject({ pixels: 192_000_000 });
    expect(embeddedImages(...photos, `<img src="${uri(4000, 3000)}">`)).toEqual({
      problem:
        'with embedded image 9 (png, 4000 × 3000 pixels), the images in the document total 204 megapixels, ' +
        'more than the limit of 200: use smaller images',
    });
  });
});
