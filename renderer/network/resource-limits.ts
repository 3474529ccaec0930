/** What documents may take from elsewhere. */
export interface ResourceLimits {
  /** Bytes of one thing. */
  readonly resourceBytes: number;
  /** Bytes of all that one document gets. */
  readonly documentBytes: number;
  /** Requests of one document, redirects included. */
  readonly requests: number;
  /** Redirects one after another. */
  readonly redirects: number;
  /** From the resolution of a name to the last byte, in milliseconds. */
  readonly timeoutMs: number;
}

export const DEFAULT_RESOURCE_LIMITS: ResourceLimits = {
  resourceBytes: 10 * 2 ** 20,
  documentBytes: 30 * 2 ** 20,
  requests: 100,
  redirects: 3,
  timeoutMs: 10_000,
};
