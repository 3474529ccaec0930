import { BOUNDS } from '../bounds/bounds.ts';

/** Options of every HTTP server: a client that sends its headers too slowly loses its connection. */
export const HEADER_TIMEOUTS = {
  headersTimeout: 1000 * BOUNDS.requestHeaders.limit.value,
  /** Interval at which Node looks for such clients; its default is 30 s. */
  connectionsCheckingInterval: 1000,
} as const;
