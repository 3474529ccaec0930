/** No browser can be used; the message says what to do. */
export class BrowserNotFoundError extends Error {
  override readonly name = 'BrowserNotFoundError';
}
