import type { Schemas } from '../resources/schemas.ts';

/** One place in a request that is wrong. */
export type ErrorDetail = Readonly<NonNullable<Schemas['Error']['details']>[number]>;

/** What an error knows beside its message. */
export interface ErrorFacts {
  /** Stable, for programs. */
  readonly code: string;
  /** HTTP status; left out when there was no answer. */
  readonly status?: number | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Statuses that the same request may not meet again: too many requests, and a service or a proxy's backend away. */
const PASSING: readonly (number | undefined)[] = [429, 502, 503, 504];

/** Every error of this client; what programs tell apart has a class of its own. It never holds the API key. */
export class TrifoldError extends Error {
  override readonly name: string = 'TrifoldError';
  /** What went wrong, for programs: the code of the service's error, or one of this client's own. */
  readonly code: string;
  /** HTTP status of the answer; undefined when there was none. */
  readonly status: number | undefined;
  /** Every place that is wrong; empty when the error is not about places. */
  readonly details: readonly ErrorDetail[];
  /** The request's id in the service's log. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait before the next try, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return PASSING.includes(this.status);
  }
}
