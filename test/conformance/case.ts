/**
 * A required behaviour of an API server, as plain data: requests in order, each with its expected response.
 * Every case runs in its own namespace.
 *
 * In paths, headers and bodies `$name` is a value saved by an earlier step; `$ns` is the namespace. A path without a
 * leading slash is relative to that namespace: `templates/a/status` for our kinds, `core:secrets/a` and
 * `coordination.k8s.io/v1:leases/a` for others.
 */
export interface Case {
  /** A sentence about behaviour. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** The only server that supports this case, with the reason. */
  readonly only?: { readonly server: 'real' | 'embedded'; readonly because: string };
}

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

export interface Step {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Lowercase names. `content-type` is application/json when there is a body. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: JsonObject | readonly JsonValue[] | string;
  /** Whether to send the token. @default true */
  readonly authenticated?: boolean;
  readonly expect: Expectation;
  /** Values of the response to save, by name: dotted paths such as `metadata.uid`. */
  readonly save?: Readonly<Record<string, string>>;
  /** Compacts the server's history before the request. */
  readonly afterCompaction?: boolean;
}

export interface Expectation {
  readonly code: number;
  /** `reason` of the Status in an error response. */
  readonly reason?: string;
  /** Every cause of the error as `field: reason`, in any order, each once. An error without this has no causes. */
  readonly causes?: readonly string[];
  /** Part of the response: other members may have any value, arrays have exactly these elements. */
  readonly body?: JsonObject;
  /** Dotted paths that must be absent from the response, or empty strings. */
  readonly absent?: readonly string[];
  /** Number of warnings of a successful response. @default 0 */
  readonly warnings?: number;
  /** Checks only the code: outside of resources, an error may be plain text or a Status. */
  readonly codeOnly?: boolean;
}
