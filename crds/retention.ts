export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

/** Time for which a document can be downloaded, listed and repeated with its Idempotency-Key (interface, "Limits"). */
export const DOCUMENT_LIFETIME_MS = 24 * HOUR_MS;
/** The same in words, for descriptions and messages. */
export const DOCUMENT_LIFETIME = `${DOCUMENT_LIFETIME_MS / HOUR_MS} hours`;

/** Time after a rotation during which an endpoint's previous secret also signs. */
export const SECRET_OVERLAP_MS = 24 * HOUR_MS;
export const SECRET_OVERLAP = `${SECRET_OVERLAP_MS / HOUR_MS} hours`;

/** Maximum time that an event waits in the object store before it is dropped: about twice the retry schedule. */
export const SPOOLED_EVENT_LIFETIME_MS = 72 * HOUR_MS;

/** Retention of a day's request log after the day ends. */
export const REQUESTS_KEPT_MS = 7 * DAY_MS;

/** Whole months, in addition to the current one, for which usage reports are kept. */
export const REPORTS_KEPT_MONTHS = 25;
