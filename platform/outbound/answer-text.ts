/** Bytes of a response body that are kept. */
export const KEPT_ANSWER_BYTES = 1024;
/** Bytes of a response body that are read before the connection is closed. */
export const READ_ANSWER_BYTES = 64 * 1024;

/** Control characters that would move a terminal's cursor or be rejected by a text store. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ud800-\udfff]/gu;

/** Decodes the beginning of a response body as displayable text; invalid UTF-8 becomes U+FFFD. */
export function answerText(pieces: readonly Buffer[]): string {
  const bytes = Buffer.concat(pieces).subarray(0, KEPT_ANSWER_BYTES);
  // Omits a character that is cut off at the end.
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text.replaceAll(CONTROL, '\ufffd').slice(0, KEPT_ANSWER_BYTES);
}
