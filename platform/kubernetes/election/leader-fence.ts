import type { ApiRequest, ApiResponse, ApiTransport } from '../client/transport.ts';

/**
 * Passes every read on, and a write only while `leading` answers true: a standby writes nothing, and neither does a
 * process that wakes from a long sleep before it has noticed that its lease is gone. What was sent before is not called
 * back; the resourceVersion it carries decides.
 */
export class FencedTransport implements ApiTransport {
  readonly #inner: ApiTransport;
  readonly #leading: () => boolean;

  constructor(inner: ApiTransport, leading: () => boolean) {
    this.#inner = inner;
    this.#leading = leading;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    if (request.method !== 'GET' && !this.#leading()) {
      throw new Error('nothing was written: this process does not lead');
    }
    return this.#inner.send(request);
  }
}
