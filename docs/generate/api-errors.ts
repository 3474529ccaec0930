import { ERROR_CODES, type RequestErrorCode } from '@trifold/platform/errors/error-codes.ts';
import { table, type Row } from '../markdown-table.ts';
import { scopeOf, type OpenApi, type Operation } from './openapi-document.ts';

/** An error code of an operation, with the status the operation returns for it. */
export interface OperationError {
  readonly code: RequestErrorCode;
  readonly status: string;
}

/** Returns an operation's errors, from the lists in its response descriptions. */
export function errorsOf({ responses }: Operation): OperationError[] {
  return Object.entries(responses).flatMap(([status, { description }]) =>
    Array.from(description.matchAll(/^- `(\w+)`:/gm), ([, code]) => ({
      code: code as RequestErrorCode,
      status,
    })),
  );
}

/** Returns the codes common to all operations like this one: with or without a key and a body. */
export function commonErrors(operation: Operation, { operations }: OpenApi): Set<string> {
  const alike = operations.filter((other) => kindOf(other) === kindOf(operation));
  const [first = [], ...others] = alike.map((other) => errorsOf(other).map(({ code }) => code));
  return new Set(first.filter((code) => others.every((codes) => codes.includes(code))));
}

function kindOf(operation: Operation): string {
  return `${scopeOf(operation) !== undefined} ${operation.method === 'GET'}`;
}

/** Returns the table of errors that apply to every request with a key. */
export function commonErrorsTable(api: OpenApi): string {
  const kinds = Map.groupBy(
    api.operations.filter((operation) => scopeOf(operation) !== undefined),
    kindOf,
  );
  const codes = [...kinds.values()].flatMap(([operation]) =>
    operation ? [...commonErrors(operation, api)] : [],
  );
  const known = Object.keys(ERROR_CODES) as RequestErrorCode[];
  const rows = known
    .filter((code) => codes.includes(code))
    .map((code): Row => [
      `[\`${code}\`](../errors.md#${code})`,
      String(ERROR_CODES[code].status),
      'retryable' in ERROR_CODES[code] ? 'yes' : '',
      ERROR_CODES[code].cause,
    ]);
  return table([['Code', 'Status', 'Retry', 'Cause'], ...rows]);
}
