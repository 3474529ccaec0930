/**
 * Behaviour that Trifold requires of every API server: requests in order, by a sentence about them. The outcomes are not
 * here, but in recorded.txt, as a kube-apiserver returned them. Every case runs in its own namespace.
 *
 * `$ns` in a path, header or body is the namespace, and `$uid1`, `$version2` … are values that the server chose earlier in
 * the case, numbered by their first appearance (outcome.ts). A path without a leading slash is relative to the namespace:
 * `templates/a/status` for our kinds, `core:secrets/a` and `coordination.k8s.io/v1:leases/a` for others.
 */
export type Cases = Readonly<Record<string, readonly Request[]>>;

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

export type Body = JsonObject | readonly JsonValue[] | string;

export interface Request {
  /** `COMPACT` compacts the server's history instead. */
  readonly method: string;
  /** With the query, which is not encoded. */
  readonly path: string;
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: Body;
  /** Lowercase names. `content-type` is application/json when there is a body. */
  readonly headers?: Readonly<Record<string, string>>;
}
