/** No usable browser was found; the message says what to do. */
export class BrowserNotFoundError extends Error {
  override readonly name = 'BrowserNotFoundError';
}
