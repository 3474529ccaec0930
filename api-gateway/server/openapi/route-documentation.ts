import type { TSchema } from 'typebox';
import type { RequestErrorCode } from '@trifold/platform/service/error-codes.ts';
import type { HeaderName } from './headers.ts';

/** An error with a status other than the one of its code. */
export interface ErrorAt {
  readonly code: RequestErrorCode;
  readonly statusCode: number;
}

declare module 'fastify' {
  interface FastifySchema {
    /**
     * Errors of this route in addition to those of every route of its kind (openapi/error-responses.ts). They are
     * documented, not serialized.
     */
    errors?: readonly (RequestErrorCode | ErrorAt)[];
    /** Request headers that the handler itself reads and checks. */
    requestHeaders?: TSchema;
    /** Operations that take the id of an answer, by the status of the answer. */
    links?: Readonly<Record<number, readonly string[]>>;
    /** Headers of successful answers, by status. */
    responseHeaders?: Readonly<Record<number, readonly HeaderName[]>>;
  }
}
