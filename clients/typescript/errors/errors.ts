import type { FailedGeneration } from '../resources/generation.ts';
import { TrifoldError, type ErrorFacts } from './trifold-error.ts';

/** 401: there is no such key, or it was revoked. */
export class AuthenticationError extends TrifoldError {
  override readonly name = 'AuthenticationError';
}

/** 401: the key is good, but lacks a scope (interface, "Errors" 1). */
export class MissingScopesError extends TrifoldError {
  override readonly name = 'MissingScopesError';
  /** What the request needs and the key has not. */
  readonly missingScopes: readonly string[];
  /** What the key has. */
  readonly yourScopes: readonly string[];
  /** What to do about it. */
  readonly hint: string;

  constructor(message: string, facts: ErrorFacts, scopes: MissingScopes) {
    super(message, facts);
    this.missingScopes = scopes.missingScopes;
    this.yourScopes = scopes.yourScopes;
    this.hint = scopes.hint;
  }
}

/** The members of a 401 that only one for missing scopes has. */
export interface MissingScopes {
  readonly missingScopes: readonly string[];
  readonly yourScopes: readonly string[];
  readonly hint: string;
}

/** 403: this key may not have this: another key's file, or a new key with more than it holds itself. */
export class ForbiddenError extends TrifoldError {
  override readonly name = 'ForbiddenError';
}

/** 404: nothing of that id in the account. */
export class NotFoundError extends TrifoldError {
  override readonly name = 'NotFoundError';
}

/** 409: not in its present state: a document that is not ready, a template that changes at this moment. */
export class ConflictError extends TrifoldError {
  override readonly name = 'ConflictError';
}

/** 410: it was there, and its 24 hours are over. */
export class ExpiredError extends TrifoldError {
  override readonly name = 'ExpiredError';
}

/** 400, 413, 415, 422: the request cannot be done as it is; `details` says which places are wrong. */
export class ValidationError extends TrifoldError {
  override readonly name = 'ValidationError';
}

/** 429: too many requests, documents in the making or tests of a webhook; `retryAfterMs` says how long to wait. */
export class RateLimitError extends TrifoldError {
  override readonly name = 'RateLimitError';
}

/** 502, 503, 504: the service, or something that it stands on, is away for a while. */
export class ServiceUnavailableError extends TrifoldError {
  override readonly name = 'ServiceUnavailableError';
}

/** The document that was asked for could not be made. */
export class GenerationFailedError extends TrifoldError {
  override readonly name = 'GenerationFailedError';
  /** The document as its status shows it; undefined when the answer did not tell. */
  readonly generation: FailedGeneration | undefined;

  constructor(message: string, facts: ErrorFacts, generation?: FailedGeneration) {
    super(message, facts);
    this.generation = generation;
  }
}

/** No answer, or one that broke off. Whether the service did what was asked is not known. */
export class ConnectionError extends TrifoldError {
  override readonly name: string = 'ConnectionError';

  override get retryable(): boolean {
    return true;
  }
}

/** No answer in the time that the caller gave (`timeoutMs`). It is not tried again: the time is over. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';

  override get retryable(): boolean {
    return false;
  }
}
