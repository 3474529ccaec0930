import { isUtf8 } from 'node:buffer';
import { ApiError } from '../errors/api-error.ts';
import { inspectJson } from './json-inspection.ts';
import { repeatedMember, shapeOf } from './json-scan.ts';

/** How deep a body may nest. Real documents need a handful of levels; what walks them recursively needs a bound. */
export const DEEPEST_JSON = 100;

/**
 * Parses a request body. Throws ApiError `invalid_json` for everything that is not JSON, or that could not be kept
 * as it was sent: it is refused, never mended.
 */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) throw invalid('the body is empty; send a JSON object');
  if (!isUtf8(body)) throw invalid('the body is not UTF-8 text');
  const { depth, members } = shapeOf(body);
  if (depth > DEEPEST_JSON) throw invalid(`the body nests ${depth} levels deep; at most ${DEEPEST_JSON}`);
  const value = parse(body.toString());
  const inspection = inspectJson(value);
  if (inspection.problem) {
    const { path, message } = inspection.problem;
    throw new ApiError('invalid_json', `${path} ${message}`.trim(), { details: [{ path, message }] });
  }
  if (inspection.members !== members) {
    throw invalid(
      `the body has the member ${JSON.stringify(repeatedMember(body) ?? '')} twice in one object`,
    );
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`the body is not valid JSON: ${(error as SyntaxError).message}`);
  }
}

function invalid(message: string): ApiError {
  return new ApiError('invalid_json', message);
}
