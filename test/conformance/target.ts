import type { HttpsClient } from '../support/http/https-client.ts';

/** A server under test. */
export interface ConformanceTarget {
  /** Sends the token with every request that has no other token. */
  readonly client: HttpsClient;
  /** Compacts the history, so that existing continue tokens expire as they would over time. */
  compact(): Promise<void>;
  /** A version that is too old for watches, for servers where compact() does not affect watches. */
  readonly forgottenVersion?: string;
  /** Lets one second elapse, for servers whose clock a test moves. */
  passSecond?(): void;
  stop(): Promise<void>;
}
