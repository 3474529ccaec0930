/** Timeout for the response from a webhook receiver (interface, "Limits"). */
export const WEBHOOK_TIMEOUT_MS = 30_000;
