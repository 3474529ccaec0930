import type { IImageOptions } from 'docx';
import type { LaidOut } from './snapshot-tree.ts';
import { xmlText } from './units.ts';

/** Pictures of drawings, by the index of their node. */
export type Images = ReadonlyMap<number, Uint8Array>;

const TYPES: Readonly<Record<string, 'png' | 'jpg' | 'gif'>> = {
  png: 'png',
  jpeg: 'jpg',
  jpg: 'jpg',
  gif: 'gif',
};

/** An image of the document, as large as it is shown. Undefined when there is nothing to show. */
export function imageOf({ index, attributes, box }: LaidOut, images: Images): IImageOptions | undefined {
  const { width, height } = box;
  if (width < 1 || height < 1) return undefined;
  const drawn = images.get(index);
  const content = drawn ? ({ type: 'png', data: drawn } as const) : imageIn(attributes['src']);
  const { alt } = attributes;
  return (
    content && {
      ...content,
      transformation: { width: Math.round(width), height: Math.round(height) },
      ...(alt && { altText: { name: '', description: xmlText(alt) } }),
    }
  );
}

function imageIn(source = '') {
  const [, name = '', data = ''] = /^data:image\/(\w+);base64,(.*)$/is.exec(source) ?? [];
  const type = TYPES[name.toLowerCase()];
  const content = Buffer.from(decoded(data), 'base64');
  return type && content.length > 0 ? { type, data: content } : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
