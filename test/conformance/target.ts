import type { HttpsClient } from '../support/https-client.ts';

/** A server under test. */
export interface ConformanceTarget {
  readonly server: 'real' | 'embedded';
  /** Sends the token with every request. */
  readonly client: HttpsClient;
  /** Sends none. */
  readonly stranger: HttpsClient;
  /** Makes what was before now unknown to lists by token, as time does. */
  compact(): Promise<void>;
  /** A version that no watch can begin at, where compact() does not reach so far. */
  readonly forgottenVersion?: string;
  stop(): Promise<void>;
}
