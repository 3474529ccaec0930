/**
 * Maximum size of JSON that a main thread parses, in bytes. Parsing JSON of this size and any other work on it takes
 * less than 50 ms; larger JSON goes to a check process.
 */
export const LARGE_JSON = 128 * 1024;

/**
 * Data of a request body that is large or has long integers: JSON text of an object that this process does not parse.
 * It replaces the object, so that the body keeps its shape.
 */
export class RawJson {
  /** UTF-8, as `JSON.stringify` writes it. */
  readonly #json: Uint8Array;
  /** Whether a check process must look for integers that a double cannot represent. */
  readonly hasLongIntegers: boolean;

  constructor(json: Uint8Array, hasLongIntegers = true) {
    this.#json = json;
    this.hasLongIntegers = hasLongIntegers;
  }

  get json(): Uint8Array {
    return this.#json;
  }

  /** Throws: serialized by default, it would become an empty object. */
  toJSON(): never {
    throw new Error('RawJson cannot be written as part of a value');
  }
}

/** Values of a document's bindings: an object, or its JSON text. */
export type RequestData = Readonly<Record<string, unknown>> | RawJson;
