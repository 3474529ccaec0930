import type { FailedGeneration } from '../resources/generation.ts';
import { TrifoldError, type ErrorProperties } from './trifold-error.ts';

/** 401: the key does not exist or was revoked. */
export class AuthenticationError extends TrifoldError {
  override readonly name = 'AuthenticationError';
}

/** 401: the key is valid but lacks a scope (interface, "Errors" 1). */
export class MissingScopesError extends TrifoldError {
  override readonly name = 'MissingScopesError';
  /** Scopes that the request requires and the key lacks. */
  readonly missingScopes: readonly string[];
  /** Scopes that the key has. */
  readonly yourScopes: readonly string[];
  /** How to fix it. */
  readonly hint: string;

  constructor(
    message: string,
    properties: ErrorProperties,
    scopes: Pick<MissingScopesError, 'missingScopes' | 'yourScopes' | 'hint'>,
  ) {
    super(message, properties);
    this.missingScopes = scopes.missingScopes;
    this.yourScopes = scopes.yourScopes;
    this.hint = scopes.hint;
  }
}

/** 403: the key may not access another key's file, or create a key with more scopes than its own. */
export class ForbiddenError extends TrifoldError {
  override readonly name = 'ForbiddenError';
}

/** 404: the account has no resource with this ID. */
export class NotFoundError extends TrifoldError {
  override readonly name = 'NotFoundError';
}

/**
 * 409: not possible in the current state, for example a document that is not ready or a template that is being changed.
 * 412: the template's version is not the one the update expects.
 */
export class ConflictError extends TrifoldError {
  override readonly name = 'ConflictError';
}

/** 410: the resource existed but expired after 24 hours. */
export class ExpiredError extends TrifoldError {
  override readonly name = 'ExpiredError';
}

/** 400, 413, 415, 422: the request is invalid; `details` names the invalid parts. */
export class ValidationError extends TrifoldError {
  override readonly name = 'ValidationError';
}

/** 429: too many requests, unfinished documents or webhook tests; `retryAfterMs` is the time to wait. */
export class RateLimitError extends TrifoldError {
  override readonly name = 'RateLimitError';
}

/** 502, 503, 504: the service or one of its dependencies is temporarily unavailable. */
export class ServiceUnavailableError extends TrifoldError {
  override readonly name = 'ServiceUnavailableError';
}

/** The requested document could not be generated. */
export class GenerationFailedError extends TrifoldError {
  override readonly name = 'GenerationFailedError';
  /** The failed document; undefined if the response did not contain it. */
  readonly generation: FailedGeneration | undefined;

  constructor(message: string, properties: ErrorProperties, generation?: FailedGeneration) {
    super(message, properties);
    this.generation = generation;
  }
}

/** No response, or an incomplete one. It is unknown whether the service processed the request. */
export class ConnectionError extends TrifoldError {
  override readonly name: string = 'ConnectionError';

  override get retryable(): boolean {
    return true;
  }
}

/** No response within `timeoutMs`. Not retryable, because the time is used up. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';

  override get retryable(): boolean {
    return false;
  }
}
