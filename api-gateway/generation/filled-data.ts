import { ApiError } from '../errors/api-error.ts';

/**
 * Data with the defaults of its schema, as JSON. A small body can ask for much: a default is filled into every element
 * of a list. Throws ApiError `body_too_large` when there are more than `most` bytes, before as many are written; it
 * names the place when the data is not all of the body's.
 */
export function jsonOfFilled(data: Readonly<Record<string, unknown>>, most: number, path?: string): Buffer {
  const json = hasMoreBytes(data, most) ? undefined : Buffer.from(JSON.stringify(data));
  if (json && json.byteLength <= most) return json;
  throw path === undefined ? filledTooLarge(most) : itemTooLarge(most, path);
}

/** Whether the data has certainly more bytes as JSON; it is not written for that. */
export function hasMoreBytes(data: Readonly<Record<string, unknown>>, most: number): boolean {
  return leastBytes(data, most) > most;
}

/** 413 for data that is larger with the defaults of its schema than a body may be. */
export function filledTooLarge(most: number): ApiError {
  const message = `With the defaults of the template's schema the data has more than ${most} bytes, which is what a body may have.`;
  return new ApiError('body_too_large', message);
}

/** 413 for one of several that is larger than the data of a single document may be. */
export function itemTooLarge(most: number, path: string): ApiError {
  const message = `has more than ${most} bytes, the defaults of the template's schema among them, which is what the data of one document may have`;
  return new ApiError('body_too_large', `${path} ${message}.`, { details: [{ path, message }] });
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
