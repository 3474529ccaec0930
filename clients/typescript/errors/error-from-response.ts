import type { FailedGeneration } from '../resources/generation.ts';
import { parseRetryAfter } from '../transport/retries.ts';
import {
  AuthenticationError,
  ConflictError,
  ExpiredError,
  ForbiddenError,
  GenerationFailedError,
  MissingScopesError,
  NotFoundError,
  RateLimitError,
  ServiceUnavailableError,
  ValidationError,
} from './errors.ts';
import { TrifoldError, type ErrorDetail, type ErrorProperties } from './trifold-error.ts';

type ErrorClass = new (message: string, properties: ErrorProperties) => TrifoldError;

const CLASSES: Readonly<Record<number, ErrorClass>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: ExpiredError,
  412: ConflictError,
  413: ValidationError,
  415: ValidationError,
  422: ValidationError,
  429: RateLimitError,
  502: ServiceUnavailableError,
  503: ServiceUnavailableError,
  504: ServiceUnavailableError,
};

/** Code for a response that comes not from the service but from a proxy or another server at that address. */
const NOT_OURS = 'unexpected_answer';

/** Returns the error for a response other than 2xx. `what` names the request: method and path. */
export async function errorFromResponse(response: Response, what: string): Promise<TrifoldError> {
  const body = objectIn(await response.text());
  const message = textIn(body, 'message') ?? foreignResponse(response, what);
  const properties: ErrorProperties = {
    code: textIn(body, 'code') ?? (isScopeError(body) ? 'insufficient_scope' : NOT_OURS),
    status: response.status,
    details: detailsIn(body),
    requestId: textIn(body, 'request_id') ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after')),
  };
  if (isScopeError(body)) return missingScopes(message, properties, body);
  if (properties.code === 'generation_failed') {
    return new GenerationFailedError(message, properties, body['document'] as FailedGeneration | undefined);
  }
  return new (CLASSES[response.status] ?? TrifoldError)(message, properties);
}

/** Returns the error for a 2xx response with an unexpected body. */
export function unreadableResponse(response: Response, what: string): TrifoldError {
  return new TrifoldError(foreignResponse(response, what), { code: NOT_OURS, status: response.status });
}

function foreignResponse({ status, headers }: Response, what: string): string {
  const location = headers.get('location');
  const kind =
    location === null ? (headers.get('content-type') ?? 'no content type') : `Location: ${location}`;
  return `${what} returned ${status} with ${kind}, which is not a response from the service. Check baseUrl and any proxy in front of the service.`;
}

function missingScopes(message: string, properties: ErrorProperties, body: Body): MissingScopesError {
  return new MissingScopesError(message, properties, {
    missingScopes: textsIn(body, 'missingScopes'),
    yourScopes: textsIn(body, 'yourScopes'),
    hint: textIn(body, 'hint') ?? '',
  });
}

type Body = Readonly<Record<string, unknown>>;

function objectIn(text: string): Body {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Body) : {};
  } catch {
    return {};
  }
}

function textIn(body: Body, member: string): string | undefined {
  const value = body[member];
  return typeof value === 'string' ? value : undefined;
}

function textsIn(body: Body, member: string): string[] {
  const value = body[member];
  return Array.isArray(value) ? value.map(String) : [];
}

function isScopeError(body: Body): boolean {
  return Array.isArray(body['missingScopes']);
}

function detailsIn({ details }: Body): ErrorDetail[] {
  return Array.isArray(details) ? (details as ErrorDetail[]) : [];
}
