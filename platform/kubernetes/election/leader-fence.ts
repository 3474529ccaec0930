import type { ApiRequest, ApiResponse, ApiTransport } from '../client/transport.ts';

/**
 * Forwards every read, but a write only while `leading` returns true: a standby writes nothing, and neither does a
 * process that wakes from a long sleep before it notices that it lost the lease. Requests already sent are not
 * cancelled; the resourceVersion they carry decides.
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
