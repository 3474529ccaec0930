/** A call that cannot be understood; the message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
