import { DEEPEST_JSON } from '@trifold/crds/limits.ts';
import type { GenerationJob, TemplateSchema } from '@trifold/crds';
import {
  ANY_OBJECT,
  documentCheck,
  type DataChecker,
  type DataResult,
} from '@trifold/platform/templating/checking/data-checker.ts';
import type { RequestData } from '@trifold/platform/request-body/raw-json.ts';
import type {
  CreatedEInvoice,
  EInvoiceRequest,
} from '@trifold/platform/templating/checking/created-e-invoices.ts';
import { WorkError, violationsText } from '../work-error.ts';
import { templateNoun } from '../inline-template.ts';

/**
 * Maximum size of the data including schema defaults, in bytes: the largest body that a gateway can be configured to
 * accept.
 */
const MAX_BYTES = 256 * 1024 * 1024;

/** A job's data, and its template's schema and e-invoice. */
export interface UncheckedData {
  readonly schema: TemplateSchema | undefined;
  readonly eInvoice: EInvoiceRequest | undefined;
  /** May be modified. */
  readonly data: RequestData;
}

/** A job's valid data as JSON, and its e-invoice. */
export interface CheckedData {
  readonly json: Uint8Array;
  readonly eInvoice: CreatedEInvoice | undefined;
}

/**
 * Returns a job's data with its schema defaults applied, and its e-invoice. Throws WorkError `data_invalid`,
 * `invoice_invalid`, or `template_invalid` for an unusable schema. Any other error may be temporary.
 */
export async function checkedData(
  checker: DataChecker,
  job: GenerationJob,
  { schema = ANY_OBJECT, eInvoice, data }: UncheckedData,
  signal?: AbortSignal,
): Promise<CheckedData> {
  const { namespace: account = 'default' } = job.metadata;
  const turn = { account, ...(signal && { signal }) };
  const result = await checker.apply({ schema, eInvoice }, documentCheck(data, MAX_BYTES), turn);
  if (result.status === 'valid') return checkedDocument(result);
  if (result.status === 'invoice_invalid') {
    const problems = result.problems.map((problem) => ({
      ...problem,
      path: `${problem.path}: ${problem.rule}:`,
    }));
    throw new WorkError('invoice_invalid', `the e-invoice is invalid: ${violationsText(problems)}`);
  }
  if (result.status !== 'schema_unusable') throw new WorkError('data_invalid', dataProblem(result));
  const problems = violationsText(result.violations);
  throw new WorkError('template_invalid', `the schema of ${templateNoun(job.spec)} is invalid: ${problems}`);
}

function checkedDocument({
  json: [json],
  eInvoices = [],
}: Extract<DataResult, { status: 'valid' }>): CheckedData {
  if (!json) throw new Error('every item of a check has a result');
  return { json, eInvoice: eInvoices[0] };
}

/** Returns the error for data nested more deeply than `/v1` accepts. */
export function dataTooDeep(): WorkError {
  return new WorkError('data_invalid', `the data is nested deeper than ${DEEPEST_JSON} levels`);
}

function dataProblem(result: DataResult): string {
  switch (result.status) {
    case 'invalid':
      return `the data violates the schema: ${violationsText(result.violations)}`;
    case 'too_large':
      return `with the schema's defaults, the data has more than ${MAX_BYTES} bytes`;
    case 'too_slow':
      return `checking the data against the schema: ${result.cause.message}; use less data, or simplify the patterns in the schema`;
    case 'out_of_memory':
      return "with the schema's defaults, the data takes too much memory";
    case 'nests_too_deep':
      return dataTooDeep().message;
    default:
      return 'the data is not a JSON object';
  }
}
