import { STATUS_CODES } from 'node:http';
import { ProblemPlace } from '@trifold/crds';
import { Type } from 'typebox';
import type { ApiError } from './api-error.ts';
import { placed } from './problem-place.ts';

export const ProblemName = Type.String({
  description: 'Subject: the helper, block or partial, or the path in the data (`lines[3].price`).',
});

export const ProblemRule = Type.String({
  description:
    "Rule that the e-invoice breaks: its official name, such as `BR-CO-15`, or one of Trifold's, such as `value-invalid`.",
});
export const ProblemTerm = Type.String({
  description: 'Business term or group that breaks the rule, such as `BT-112 invoice total amount with VAT`.',
});

/** Body of every error except the one for missing scopes, whose fields the interface defines. */
export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer({ description: 'HTTP status of the response.' }),
    error: Type.String({ description: 'HTTP status text.' }),
    message: Type.String({ description: 'Description of the problem and its solution.' }),
    code: Type.String({
      description: 'Stable error code that programs can rely on. New codes may be added.',
      examples: ['data_invalid'],
    }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({
            description: 'JSON Pointer into the body (`/data/lines/3/qty`), or into the query.',
          }),
          message: Type.String(),
          name: Type.Optional(ProblemName),
          ...ProblemPlace.properties,
          rule: Type.Optional(ProblemRule),
          term: Type.Optional(ProblemTerm),
        }),
      ),
    ),
    line: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Line of the problem, if a template does not compile.' }),
    ),
    column: Type.Optional(Type.Integer({ minimum: 1, description: 'Column of the problem.' })),
    request_id: Type.String({ description: 'ID of the request, as in the X-Request-Id header.' }),
  },
  { title: 'Error', description: 'An error.' },
);

/** 401 when the key lacks a scope: exactly these fields (interface, "Errors" 1). */
export const ScopeErrorBody = Type.Object(
  {
    statusCode: Type.Integer({ description: '401' }),
    error: Type.String({ description: 'Unauthorized' }),
    message: Type.String({ description: 'Message that names the required scope.' }),
    missingScopes: Type.Array(Type.String()),
    yourScopes: Type.Array(Type.String({ description: 'Scopes of the key.' })),
    hint: Type.String({ description: 'Remedy.' }),
  },
  { title: 'InsufficientScopeError', description: 'The API key lacks the required scope.' },
);

/** Returns the response body for an error. */
export function errorBodyOf(error: ApiError, requestId: string): object {
  const { statusCode } = error;
  const common = { statusCode, error: STATUS_CODES[statusCode] ?? 'Error', message: error.message };
  if (error.code === 'insufficient_scope') return { ...common, ...error.extra };
  return {
    ...common,
    code: error.code,
    ...(error.details && { details: error.details.map(placed) }),
    ...error.extra,
    request_id: requestId,
  };
}
