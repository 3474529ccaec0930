import type { JsonObject } from './json.ts';

/** Names of the errors that are the same on nearly every route. */
const NAMES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  408: 'RequestTimeout',
  413: 'BodyTooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedMediaType',
  417: 'ExpectationFailed',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
};

/** Named answers of the document: for each status in NAMES, the first form is kept once. */
export class NamedAnswers {
  readonly #byName = new Map<string, JsonObject>();

  /** Returns a reference to the answer, or the answer itself if its status has no name or its form differs. */
  refer(status: number, answer: JsonObject): JsonObject {
    const name = NAMES[status];
    if (name === undefined) return answer;
    const known = this.#byName.get(name) ?? answer;
    if (JSON.stringify(known) !== JSON.stringify(answer)) return answer;
    this.#byName.set(name, known);
    return { $ref: `#/components/responses/${name}` };
  }

  /** Returns all answers, sorted by name. */
  all(): JsonObject {
    return Object.fromEntries([...this.#byName].sort(([left], [right]) => (left < right ? -1 : 1)));
  }
}
