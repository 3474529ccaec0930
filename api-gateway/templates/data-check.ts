import type { CheckTurn } from '@trifold/platform/templating/checking/check-pool.ts';
import type {
  CreatedEInvoice,
  EInvoiceProblem,
} from '@trifold/platform/templating/checking/created-e-invoices.ts';
import type {
  DataCheck,
  DataChecker,
  DataResult,
  DataRules,
} from '@trifold/platform/templating/checking/data-checker.ts';
import { ApiError, type ErrorDetail } from '../server/errors/api-error.ts';
import { invalidSchema } from './template-checks.ts';

/** Data of at least one document as JSON, with the template's schema defaults applied. */
export type FilledData = readonly [Uint8Array, ...Uint8Array[]];

/** Valid data, and the e-invoices created from it. */
export interface CheckedData {
  readonly data: FilledData;
  readonly eInvoices?: readonly CreatedEInvoice[] | undefined;
}

/**
 * Returns a request's data as JSON, with the template's schema defaults applied, and its e-invoices. Rejects with
 * ApiError `data_invalid` (with the path of each violation), `invoice_invalid`, `body_too_large` for data over the
 * limits, or `invalid_schema`, or with the signal's reason.
 */
export async function checkData(
  checker: DataChecker,
  rules: DataRules,
  check: DataCheck,
  turn: CheckTurn,
): Promise<CheckedData> {
  const applied = await checker.apply(rules, check, turn);
  if (applied.status !== 'valid') throw dataError(applied, check);
  const [first, ...others] = applied.json;
  if (!first) throw new Error('every item of a check has a result');
  return { data: [first, ...others], eInvoices: applied.eInvoices };
}

function dataError(applied: Exclude<DataResult, { readonly status: 'valid' }>, check: DataCheck): Error {
  switch (applied.status) {
    case 'invalid':
      return dataInvalid(applied.violations);
    case 'invoice_invalid':
      return invoiceInvalid(applied.problems);
    case 'too_large':
      return tooLarge(check, applied.item);
    case 'schema_unusable':
      return invalidSchema(applied.violations);
    case 'too_slow': {
      const { cause } = applied;
      const message = `The data cannot be checked against the template: ${cause.message}. Send less data, or simplify the patterns in the schema or the e-invoice mapping.`;
      return new ApiError('data_invalid', message, { cause });
    }
    case 'out_of_memory': {
      const message =
        "With the schema's defaults applied, the data takes too much memory. Send less data in one request.";
      return new ApiError('body_too_large', message, { cause: applied.cause });
    }
    case 'not_an_object':
    case 'nests_too_deep':
      return new Error('the data of a request is an object that was checked when its body was parsed');
  }
}

/** 422 for data that violates the template's schema; has at least one detail. */
function dataInvalid(details: readonly ErrorDetail[]): ApiError {
  const [first] = details;
  const others = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  const message = `The data violates the template's schema: ${first?.path} ${first?.message}${others}.`;
  return new ApiError('data_invalid', message, { details });
}

/** 422 for an invalid e-invoice, or data that does not produce a valid one; has at least one detail. */
export function invoiceInvalid(details: readonly EInvoiceProblem[]): ApiError {
  const [first] = details;
  const others = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  const message = `The e-invoice is invalid: ${first?.rule}: ${first?.message}${others}`;
  return new ApiError('invoice_invalid', message, { details });
}

/** 413. A small body can grow large, because a default is filled into every element of a list. */
function tooLarge({ items, limits }: DataCheck, item: number | undefined): ApiError {
  const path = item === undefined ? undefined : items[item]?.pointer;
  if (path === undefined || path === '/data') {
    const most = item === undefined ? limits.together : limits.each;
    const message = `With the schema's defaults applied, the data exceeds ${most} bytes, the limit for data and for its e-invoices. Send less data.`;
    return new ApiError('body_too_large', message);
  }
  const message = `has more than ${limits.each} bytes, the limit for one document, with the schema's defaults applied`;
  return new ApiError('body_too_large', `${path} ${message}.`, { details: [{ path, message }] });
}
