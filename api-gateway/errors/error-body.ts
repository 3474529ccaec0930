import { STATUS_CODES } from 'node:http';
import { Type, type Static } from 'typebox';
import type { ApiError } from './api-error.ts';

/** The body of every error but the one for missing scopes, whose members the interface fixes. */
export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer(),
    error: Type.String({ description: 'The status in words.' }),
    message: Type.String({ description: 'What is wrong and what to do about it.' }),
    code: Type.String({ description: 'Stable, for programs.' }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'JSON Pointer to what is wrong.' }),
          message: Type.String(),
        }),
      ),
    ),
    request_id: Type.String(),
  },
  { description: 'An error.', additionalProperties: true },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** 401 when the key lacks a scope: exactly these members (interface, "Errors" 1). */
export const ScopeErrorBody = Type.Object({
  statusCode: Type.Integer(),
  error: Type.String(),
  message: Type.String(),
  missingScopes: Type.Array(Type.String()),
  yourScopes: Type.Array(Type.String()),
  hint: Type.String(),
});

/** Documents the errors of a route; they are serialized by the error handler, not by these. */
export const errorResponses = {
  401: Type.Union([ErrorBody, ScopeErrorBody]),
  '4xx': ErrorBody,
  '5xx': ErrorBody,
};

/** What is sent for an error. */
export function errorBodyOf(error: ApiError, requestId: string): object {
  const { statusCode } = error;
  const common = { statusCode, error: STATUS_CODES[statusCode] ?? 'Error', message: error.message };
  if (error.code === 'insufficient_scope') return { ...common, ...error.extra };
  return {
    ...common,
    code: error.code,
    ...(error.details && { details: error.details }),
    ...error.extra,
    request_id: requestId,
  };
}
