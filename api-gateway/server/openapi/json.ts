/** A JSON object of the document. */
export interface JsonObject {
  [name: string]: unknown;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
