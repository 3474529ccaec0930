/** When parts of a browser are thrown away and made anew. */
export interface BrowserLimits {
  /** Documents that one account's context prints. */
  readonly documentsPerContext: number;
  /** Contexts that one browser keeps, each of another account; the one unused for longest goes first. */
  readonly contextsPerBrowser: number;
  /** Milliseconds that an unused context is kept. */
  readonly contextIdleMs: number;
  /** Documents that one browser prints. */
  readonly documentsPerBrowser: number;
  /** Bytes of memory of its own that a browser with all its processes may hold. */
  readonly browserMemoryBytes: number;
}

export const DEFAULT_BROWSER_LIMITS: BrowserLimits = {
  documentsPerContext: 1000,
  contextsPerBrowser: 20,
  contextIdleMs: 60_000,
  documentsPerBrowser: 10_000,
  browserMemoryBytes: 2 ** 30,
};
