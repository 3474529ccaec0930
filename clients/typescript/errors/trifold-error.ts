import type { components } from '../openapi.ts';

/** One invalid part of a request. */
export type ErrorDetail = Readonly<NonNullable<components['schemas']['Error']['details']>[number]>;

/** Properties of an error other than its message. */
export interface ErrorProperties {
  /** Stable, machine-readable code. */
  readonly code: string;
  /** HTTP status; absent if there was no response. */
  readonly status?: number | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Transient statuses: too many requests, or an unavailable service or proxy backend. */
const PASSING: readonly (number | undefined)[] = [429, 502, 503, 504];

/**
 * Base class of all errors that this client throws; errors that callers need to distinguish have a subclass. It never
 * contains the API key.
 */
export class TrifoldError extends Error {
  override readonly name: string = 'TrifoldError';
  /** Machine-readable code: the service's error code, or one of this client's. */
  readonly code: string;
  /** HTTP status of the response; undefined if there was none. */
  readonly status: number | undefined;
  /** Every invalid part of the request; empty if the error is not about the request's content. */
  readonly details: readonly ErrorDetail[];
  /** Request ID in the service's log. */
  readonly requestId: string | undefined;
  /** Time to wait before the next attempt, as requested by the service, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, properties: ErrorProperties) {
    super(message, properties.cause === undefined ? undefined : { cause: properties.cause });
    this.code = properties.code;
    this.status = properties.status;
    this.details = properties.details ?? [];
    this.requestId = properties.requestId;
    this.retryAfterMs = properties.retryAfterMs;
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return PASSING.includes(this.status);
  }
}
