import { ApiError } from '../errors/api-error.ts';

/**
 * Data with the defaults of its schema, as JSON. A small body can ask for much: a default is filled into every element
 * of a list. Throws ApiError `body_too_large` when there are more than `most` bytes, before as many are written.
 */
export function jsonOfFilled(data: Readonly<Record<string, unknown>>, most: number): Buffer {
  const json = leastBytes(data, most) > most ? undefined : Buffer.from(JSON.stringify(data));
  if (json && json.byteLength <= most) return json;
  throw filledTooLarge(most);
}

/** 413 for data that is larger with the defaults of its schema than a body may be. */
export function filledTooLarge(most: number): ApiError {
  const message = `With the defaults of the template's schema the data has more than ${most} bytes, which is what a body may have.`;
  return new ApiError('body_too_large', message);
}

/** Bytes that the value has as JSON at the least; not exact once they are more than `most`. */
function leastBytes(value: unknown, most: number): number {
  const open: unknown[] = [value];
  let bytes = 0;
  while (open.length > 0 && bytes <= most) {
    const next = open.pop();
    if (typeof next === 'string') bytes += next.length + 2;
    else {
      bytes += 1;
      if (typeof next === 'object' && next !== null) bytes += openUp(next, open);
    }
  }
  return bytes;
}

/** Puts what is inside where it will be counted; answers the bytes of the names. */
function openUp(container: object, open: unknown[]): number {
  if (Array.isArray(container)) {
    for (const element of container) open.push(element);
    return container.length;
  }
  let bytes = 0;
  for (const name of Object.keys(container)) {
    bytes += name.length + 3;
    open.push((container as Record<string, unknown>)[name]);
  }
  return bytes;
}
