/** Bytes of an answer that are kept. */
export const KEPT_ANSWER_BYTES = 1024;
/** Bytes of an answer that are read before the connection is dropped. */
export const READ_ANSWER_BYTES = 64 * 1024;

/** Characters that would move the cursor of a terminal, or be refused by a store of text. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ud800-\udfff]/gu;

/** The beginning of an answer as text that can be shown; what is no UTF-8 becomes U+FFFD. */
export function answerText(pieces: readonly Buffer[]): string {
  const bytes = Buffer.concat(pieces).subarray(0, KEPT_ANSWER_BYTES);
  // A character cut in two at the end is left out.
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text.replaceAll(CONTROL, '\ufffd').slice(0, KEPT_ANSWER_BYTES);
}
