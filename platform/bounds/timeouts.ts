/** Timeout for the response from a webhook receiver (interface, "Limits"). */
export const WEBHOOK_TIMEOUT_MS = 30_000;

/** Timeout of a preview, excluding the wait for a browser. */
export const PREVIEW_TIMEOUT_MS = 30_000;
