/** Invalid command line; the message states the fix. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
