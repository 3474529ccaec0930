/** One document's data as JSON text, and the JSON Pointer prefix of its problems. */
export interface CheckedJson {
  readonly json: Uint8Array;
  readonly pointer: string;
}
