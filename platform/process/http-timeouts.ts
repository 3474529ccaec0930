import { BOUNDS } from '../bounds/bounds.ts';

/** Options for every HTTP server: a client that sends its headers too slowly is disconnected. */
export const HEADER_TIMEOUTS = {
  headersTimeout: 1000 * BOUNDS.requestHeaders.limit.value,
  /** Interval at which Node checks for such clients; its default is 30 s. */
  connectionsCheckingInterval: 1000,
} as const;
