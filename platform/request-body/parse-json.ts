import { isUtf8 } from 'node:buffer';
import { TrifoldError } from '../service/trifold-error.ts';
import { inspectJson, type JsonProblem } from './json-inspection.ts';
import { DEEPEST_JSON } from './json-size.ts';
import { repeatedMember, shapeOf } from './json-scan.ts';

/** Bytes that are not JSON, or JSON that cannot be preserved as sent. */
export class InvalidJson extends TrifoldError<'invalid_json'> {
  /** The location, if known. */
  readonly problem?: JsonProblem;

  constructor(message: string, problem?: JsonProblem) {
    super('invalid_json', message);
    if (problem) this.problem = problem;
  }
}

/**
 * Parses JSON from a caller. Throws InvalidJson when it is not JSON or cannot be preserved as sent: input is rejected,
 * never corrected.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw new InvalidJson('the body is empty; send a JSON object');
  if (!isUtf8(body)) throw new InvalidJson('the body is not UTF-8 text');
  const { depth, members } = shapeOf(body);
  if (depth > DEEPEST_JSON) {
    throw new InvalidJson(`the body nests ${depth} levels deep; at most ${DEEPEST_JSON}`);
  }
  const value = parse(body.toString());
  const { problem, members: kept } = inspectJson(value);
  if (problem) throw new InvalidJson(`${problem.path} ${problem.message}`.trim(), problem);
  if (kept !== members) {
    const name = JSON.stringify(repeatedMember(body) ?? '');
    throw new InvalidJson(`the body has the member ${name} twice in one object`);
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidJson(`the body is not valid JSON: ${(error as SyntaxError).message}`);
  }
}
