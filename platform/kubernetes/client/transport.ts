/** A request to an API server, below any host name. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path without query, for instance `/apis/trifold.dev/v1alpha1/namespaces/default/templates`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Lowercase names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts the request, and the reading of its body. */
  readonly signal?: AbortSignal;
}

export interface ApiResponse {
  readonly status: number;
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it arrives: one piece or many, cut anywhere. A watch stays open until either side ends it. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * How requests reach an API server: over TLS to a real one, or straight into the embedded one in the same process.
 * Rejects only when no answer came at all; any HTTP status is an answer.
 */
export interface ApiTransport {
  send(request: ApiRequest): Promise<ApiResponse>;
}
