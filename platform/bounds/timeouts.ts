/** Timeout for a preview, excluding the wait for a browser. */
export const PREVIEW_TIMEOUT_MS = 30_000;

/** Timeout for merging a template with its data. */
export const MERGE_TIMEOUT_MS = 5_000;

/** Timeout for compiling one email. */
export const EMAIL_TIMEOUT_MS = 2_000;

/** Interval at which the controller looks for expired documents and counts the stored bytes of each account. */
export const COLLECTION_INTERVAL_MS = 5 * 60_000;
/** The same interval in words, for descriptions. */
export const COLLECTION_INTERVAL = `${COLLECTION_INTERVAL_MS / 60_000} minutes`;
