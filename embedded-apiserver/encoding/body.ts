import { parse as parseYaml } from 'yaml';
import { turnFor } from '@trifold/platform/request-body/turn-for.ts';
import { findDuplicateMembers } from './duplicate-members.ts';
import { isObject, type JsonObject } from './json.ts';
import { countMembers, measureJson } from './json-text.ts';
import { badRequest, unsupportedMediaType } from '../objects/status-error.ts';

/** A decoded object and the paths of its duplicate members (the last value wins). */
export interface DecodedBody {
  readonly value: JsonObject;
  readonly duplicates: readonly string[];
}

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';

/** Returns the media type of a header without parameters; JSON when the header is empty. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType?.split(';')[0] ?? '').trim().toLowerCase() || JSON_TYPE;
}

/** Reads the body of a create or replace, JSON or YAML. Throws StatusError 400 or 415. */
export async function decodeBody(
  body: string,
  contentType: string | undefined,
  kind: string,
): Promise<DecodedBody> {
  const type = mediaTypeOf(contentType);
  if (type !== JSON_TYPE && type !== YAML_TYPE) throw unsupportedMediaType([JSON_TYPE, YAML_TYPE]);
  const { value, duplicates } =
    type === YAML_TYPE ? { value: readYaml(body), duplicates: [] } : await readJson(body);
  if (value instanceof Error || !isObject(value)) {
    const why = value instanceof Error ? value.message : 'it is not an object';
    throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
  }
  return { value, duplicates };
}

/** Reads the body of a patch. Throws StatusError 400. */
export async function decodePatch(body: string): Promise<{ value: unknown; duplicates: readonly string[] }> {
  const { value, duplicates } = await readJson(body);
  if (value instanceof Error) throw badRequest(`error decoding patch: ${value.message}`);
  return { value, duplicates };
}

/** Far more than any object needs, and far less than the depth that overflows the stack. */
const DEPTH_LIMIT = 1000;

/** The value, or an Error. A value with fewer members than its text has duplicates. */
async function readJson(text: string): Promise<{ value: unknown; duplicates: readonly string[] }> {
  const { depth, members } = measureJson(text);
  if (depth > DEPTH_LIMIT) return failed(`: nested deeper than ${DEPTH_LIMIT} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The message of JSON.parse quotes the text, which may be a secret.
    return failed(text.trim() === '' ? ': the body is empty' : positionIn(error));
  }
  await turnFor(text);
  return { value, duplicates: countMembers(value) === members ? [] : findDuplicateMembers(text) };
}

function failed(reason: string): { value: Error; duplicates: readonly string[] } {
  return { value: new Error(`json parse error${reason}`), duplicates: [] };
}

function positionIn(error: unknown): string {
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec((error as Error).message);
  return position ? ` ${position[0]}` : ': unexpected end of JSON input';
}

function readYaml(text: string): unknown {
  try {
    return parseYaml(text, { maxAliasCount: 100, uniqueKeys: true }) as unknown;
  } catch {
    return new Error('yaml parse error');
  }
}
