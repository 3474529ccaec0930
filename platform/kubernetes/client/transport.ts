/** A request to an API server, without the host. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path without query, for example `/apis/trifold.dev/v1alpha1/namespaces/default/templates`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Lowercase names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts the request and the response body transfer. */
  readonly signal?: AbortSignal;
}

export interface ApiResponse {
  readonly status: number;
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it arrives, in one or more chunks split anywhere. A watch stays open until either side ends it. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends requests to an API server: over TLS to a real one, or directly to the embedded one in the same process. Rejects
 * only when there is no response; any HTTP status is a response.
 */
export interface ApiTransport {
  send(request: ApiRequest): Promise<ApiResponse>;
}
