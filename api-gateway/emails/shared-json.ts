import { randomUUID } from 'node:crypto';

/** Minimum length in characters of texts that are encoded once. */
const LONG = 1000;

/**
 * Returns the value as UTF-8 JSON, as `JSON.stringify` writes it. Equal long texts are encoded once: an email response
 * has its html and its text four times, and encoding each copy takes four times as long.
 */
export function sharedJson(value: object): Buffer {
  const mark = randomUUID();
  const texts: string[] = [];
  const outline = JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'string' || member.length < LONG) return member;
    texts.push(member);
    return mark;
  });
  const encoded = new Map([...new Set(texts)].map((text) => [text, Buffer.from(JSON.stringify(text))]));
  const pieces = outline.split(`"${mark}"`).flatMap((piece, index) => {
    const text = encoded.get(texts[index] ?? '');
    return text ? [Buffer.from(piece), text] : [Buffer.from(piece)];
  });
  return Buffer.concat(pieces);
}
