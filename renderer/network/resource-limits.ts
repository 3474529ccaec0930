/** Limits on the external resources of documents. */
export interface ResourceLimits {
  /** Maximum bytes of one resource. */
  readonly resourceBytes: number;
  /** Maximum bytes of all resources of one document. */
  readonly documentBytes: number;
  /** Maximum requests of one document, including redirects. */
  readonly requests: number;
  /** Maximum consecutive redirects. */
  readonly redirects: number;
  /** Timeout from name resolution to the last byte, in milliseconds. */
  readonly timeoutMs: number;
}

export const DEFAULT_RESOURCE_LIMITS: ResourceLimits = {
  resourceBytes: 10 * 2 ** 20,
  documentBytes: 30 * 2 ** 20,
  requests: 100,
  redirects: 3,
  timeoutMs: 10_000,
};
