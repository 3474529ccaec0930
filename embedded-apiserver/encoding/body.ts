import { nestsTooDeep } from '@trifold/platform/request-body/json-size.ts';
import { yieldForLarge } from '@trifold/platform/request-body/yield-for-large.ts';
import { isObject, type JsonObject } from './json.ts';
import { badRequest, unsupportedMediaType } from '../objects/status-error.ts';

const JSON_TYPE = 'application/json';

/** Returns the media type of a header without parameters; JSON when the header is empty. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType?.split(';')[0] ?? '').trim().toLowerCase() || JSON_TYPE;
}

/** Reads the body of a create or replace request. Throws StatusError 400 or 415. */
export async function decodeBody(
  body: string,
  contentType: string | undefined,
  kind: string,
): Promise<JsonObject> {
  if (mediaTypeOf(contentType) !== JSON_TYPE) throw unsupportedMediaType([JSON_TYPE]);
  const prefix = `the object provided is unrecognized (must be of type ${kind})`;
  const value = await readJson(body, prefix);
  if (!isObject(value)) throw badRequest(`${prefix}: it is not an object`);
  return value;
}

/** Reads the body of a patch request. Throws StatusError 400. */
export async function decodePatch(body: string): Promise<unknown> {
  return readJson(body, 'error decoding patch');
}

/** Far more than any object needs, far less than would overflow the stack, and the maximum that SQLite parses. */
export const DEPTH_LIMIT = 1000;

/** If an object repeats a key, the last value wins. */
async function readJson(text: string, prefix: string): Promise<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The error message of JSON.parse quotes the input, which may be a secret.
    throw badRequest(
      `${prefix}: json parse error${text.trim() === '' ? ': the body is empty' : positionIn(error)}`,
    );
  }
  await yieldForLarge(text);
  if (nestsTooDeep(value, DEPTH_LIMIT))
    throw badRequest(`${prefix}: nested deeper than ${DEPTH_LIMIT} levels`);
  return value;
}

function positionIn(error: unknown): string {
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec((error as Error).message);
  return position ? ` ${position[0]}` : ': unexpected end of JSON input';
}
