import { expect, it } from 'vitest';
import { pngOf } from '../testing/files/png.ts';
import { imageHeader } from './image-header.ts';

const hex = (...parts: string[]) => Buffer.from(parts.join('').replaceAll(' ', ''), 'hex');
const text = (value: string) => Buffer.from(value, 'latin1').toString('hex');

it.each([
  ['png', Buffer.from(pngOf({ width: 300, height: 200, depth: 1, colour: 0 }, Buffer.alloc(0)), 'base64')],
  ['gif', hex(text('GIF89a'), '2c01 c800 80 00 00')],
  // APP0, one fill byte, and a progressive frame.
  ['jpg', hex('ffd8 ffe0 0004 0000 ff ffc2 0011 08 00c8 012c 03 012200 021101 031101')],
  // A byte between two segments.
  ['jpg', hex('ffd8 ffe0 0004 0000 00 ffc2 0011 08 00c8 012c 03 012200 021101 031101')],
  ['webp', hex(text('RIFF'), '16000000', text('WEBPVP8X'), '0a000000 00000000 2b0100 c70000')],
  ['webp', hex(text('RIFF'), '16000000', text('WEBPVP8L'), '0a000000 2f 2bc13100 0000000000')],
  // One color needs only 26 bytes.
  ['webp', hex(text('RIFF'), '12000000', text('WEBPVP8L'), '06000000 2f 2bc13100 00')],
  ['webp', hex(text('RIFF'), '16000000', text('WEBPVP8 '), '0a000000 000000 9d012a 2c41 c840')],
  ['bmp', hex(text('BM'), '00000000 00000000 36000000 28000000 2c010000 38ffffff 0100 1800')],
  ['bmp', hex(text('BM'), '00000000 00000000 1a000000 0c000000 2c01 c800 0100 1800')],
  // The tile of a grid, the grid, and content that looks like a header.
  [
    'avif',
    hex(
      '0000001c',
      text('ftypavif'),
      ...['64 64', '12c c8'].flatMap((size) => {
        const [width = '', height = ''] = size.split(' ').map((side) => side.padStart(8, '0'));
        return ['00000014', text('ispe'), '00000000', width, height];
      }),
      text('mdatispe'),
      'ff'.repeat(12),
    ),
  ],
] as const)('an image header contains the size: %s', (type, image) => {
  expect(imageHeader(image)).toEqual({ type, width: 300, height: 200 });
  for (let length = 0; length < image.length; length += 1) {
    expect(() => imageHeader(image.subarray(0, length))).not.toThrow();
  }
});

it('an image header is undefined for other content', () => {
  const csv = 'BMW 320d;Kombi;2019;12.500,00 EUR';
  const others = ['', '<svg width="9" height="9"/>', 'wOF2', 'BM', 'RIFF....WAVE', csv];
  expect(others.map((content) => imageHeader(Buffer.from(content)))).toEqual(others.map(() => undefined));
});
