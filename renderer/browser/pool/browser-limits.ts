/** Limits at which parts of a browser are discarded and recreated. */
export interface BrowserLimits {
  /** Maximum number of documents that one account's context prints. */
  readonly documentsPerContext: number;
  /**
   * Maximum number of contexts that one browser keeps, one per account; the least recently used is dropped first.
   */
  readonly contextsPerBrowser: number;
  /** Milliseconds that an unused context is kept. */
  readonly contextIdleMs: number;
  /** Maximum number of documents that one browser prints. */
  readonly documentsPerBrowser: number;
  /** Maximum memory of a browser and all its processes, in bytes. */
  readonly browserMemoryBytes: number;
}

export const DEFAULT_BROWSER_LIMITS: BrowserLimits = {
  documentsPerContext: 1000,
  contextsPerBrowser: 20,
  contextIdleMs: 60_000,
  documentsPerBrowser: 10_000,
  browserMemoryBytes: 2 ** 30,
};
