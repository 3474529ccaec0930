import { DEEPEST_JSON } from '@trifold/crds/limits.ts';
import { isUtf8 } from 'node:buffer';
import { escapePointer } from '../templating/schema/json-pointer.ts';
import { TrifoldError } from '../errors/trifold-error.ts';
import { parseLongIntegers, type ParsedJson } from './long-integers.ts';

/** A problem in a value, with its location. */
export interface JsonProblem {
  /** JSON Pointer (RFC 6901). */
  readonly path: string;
  readonly message: string;
}

/** Bytes that are not JSON, or JSON that cannot be preserved exactly. */
export class InvalidJson extends TrifoldError<'invalid_json'> {
  /** The location, if known. */
  readonly problem?: JsonProblem;

  constructor(message: string, problem?: JsonProblem) {
    super('invalid_json', message);
    if (problem) this.problem = problem;
  }
}

/**
 * Names that access an object's prototype when it is copied or a template looks up a value. Rejected here, so that no
 * component behind the gateway has to check for them.
 */
const FORBIDDEN_MEMBERS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses JSON from a caller. Throws InvalidJson if it is not JSON or cannot be preserved exactly: input is rejected,
 * never corrected. If an object repeats a name, the last value wins. Long integers are doubles until the caller
 * restores their digits.
 */
export function parseJson(body: Buffer): ParsedJson {
  if (body.length === 0) throw new InvalidJson('the body is empty: send a JSON object');
  if (!isUtf8(body)) throw new InvalidJson('the body is not UTF-8 text');
  const parsed = parse(body.toString());
  const problem = problemIn(parsed.value, DEEPEST_JSON);
  if (problem) throw new InvalidJson(`${problem.path} ${problem.message}`.trim(), problem);
  return parsed;
}

function parse(text: string): ParsedJson {
  try {
    return parseLongIntegers(text);
  } catch (error) {
    throw new InvalidJson(`the body is not valid JSON: ${(error as SyntaxError).message}`);
  }
}

/**
 * Finds what JSON allows but the service cannot preserve: nesting deeper than `levels`, names that access prototypes,
 * numbers outside the range of a double, unpaired surrogates.
 */
function problemIn(value: unknown, levels: number): JsonProblem | undefined {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed()
        ? undefined
        : { path: '', message: 'contains half of a surrogate pair, which is not valid Unicode' };
    case 'number':
      return Number.isFinite(value)
        ? undefined
        : { path: '', message: 'is a number that is too large (the limit is 1.8e308)' };
    case 'object':
      return value === null ? undefined : problemInContainer(value, levels);
    default:
      return undefined;
  }
}

function problemInContainer(container: object, levels: number): JsonProblem | undefined {
  if (levels === 0) throw new InvalidJson(`the body is nested deeper than ${DEEPEST_JSON} levels`);
  return Array.isArray(container)
    ? problemInElements(container, levels - 1)
    : problemInMembers(container as Record<string, unknown>, levels - 1);
}

function problemInElements(elements: readonly unknown[], levels: number): JsonProblem | undefined {
  for (let index = 0; index < elements.length; index++) {
    const problem = problemIn(elements[index], levels);
    if (problem) return { ...problem, path: `/${index}${problem.path}` };
  }
  return undefined;
}

/** Does not use Object.entries: for a batch it would create millions of small arrays. */
function problemInMembers(members: Record<string, unknown>, levels: number): JsonProblem | undefined {
  for (const name of Object.keys(members)) {
    const problem = problemOfName(name) ?? problemIn(members[name], levels);
    if (problem) return { ...problem, path: `/${escapePointer(name)}${problem.path}` };
  }
  return undefined;
}

function problemOfName(name: string): JsonProblem | undefined {
  if (FORBIDDEN_MEMBERS.has(name)) return { path: '', message: 'is not an allowed field name' };
  if (!name.isWellFormed()) {
    return { path: '', message: 'has a name with half of a surrogate pair, which is not valid Unicode' };
  }
  return undefined;
}
