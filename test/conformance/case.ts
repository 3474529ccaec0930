/**
 * One thing an API server must do, as plain data: requests in order and what each must be answered.
 * Every case runs in a namespace of its own.
 *
 * In paths, headers and bodies `$name` stands for a value saved by an earlier step; `$ns` is the namespace.
 * A path that does not begin with a slash lies in that namespace: `templates/a/status` for kinds of ours,
 * `core:secrets/a` and `coordination.k8s.io/v1:leases/a` for others.
 */
export interface Case {
  /** A sentence about behaviour. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** Where only one of the two servers can answer this, with the reason. */
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
  /** An object is sent as JSON, a text as it is. */
  readonly body?: JsonObject | readonly JsonValue[] | string;
  /** Whether the token goes along. @default true */
  readonly authenticated?: boolean;
  readonly expect: Expectation;
  /** Values of the answer to keep, by name: dotted paths such as `metadata.uid`. */
  readonly save?: Readonly<Record<string, string>>;
  /** Throw the server's history away before the request. */
  readonly afterCompaction?: boolean;
}

export interface Expectation {
  readonly code: number;
  /** `reason` of the Status that a refusal carries. */
  readonly reason?: string;
  /** Every cause of the refusal as `field: reason`, in any order, each once. A refusal without this has no causes. */
  readonly causes?: readonly string[];
  /** Part of the answer: members left out may be anything, arrays have exactly these elements. */
  readonly body?: JsonObject;
  /** Dotted paths that must not be in the answer, or empty texts. */
  readonly absent?: readonly string[];
  /** How many warnings come with an answer that is no refusal. @default 0 */
  readonly warnings?: number;
  /** What is no resource may be refused in words or with a Status. */
  readonly codeOnly?: boolean;
}
