import { DEEPEST_JSON } from '@trifold/crds/limits.ts';
import type { GenerationJob, TemplateSchema } from '@trifold/crds';
import type { DataReply } from '@trifold/platform/templating/checking/check-messages.ts';
import { ANY_OBJECT, type DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import { ChildProcessError } from '@trifold/platform/child-process/child-process-error.ts';
import type { RequestData } from '@trifold/platform/request-body/raw-json.ts';
import { WorkError, violationsText } from '../work-error.ts';
import { templateNoun } from '../inline-template.ts';

/**
 * Maximum size of the data with the defaults of its schema, in bytes: the largest body that a gateway can be configured
 * to accept.
 */
const MAX_BYTES = 256 * 1024 * 1024;
const LIMITS = { each: MAX_BYTES, together: MAX_BYTES };

/** Data of a job, with the schema of its template. */
export interface UncheckedData {
  readonly schema: TemplateSchema | undefined;
  /** May be changed. */
  readonly data: RequestData;
}

/**
 * Returns the data of a job with the defaults of its schema, as JSON. Throws WorkError `data_invalid`, or
 * `template_invalid` for an unusable schema. Any other error may be temporary.
 */
export async function checkedData(
  checker: DataChecker,
  job: GenerationJob,
  { schema, data }: UncheckedData,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const { namespace: account = 'default' } = job.metadata;
  const check = { items: [{ data, pointer: '/data' }], limits: LIMITS };
  const turn = { account, ...(signal && { signal }) };
  const reply = await checker.apply(schema ?? ANY_OBJECT, check, turn).catch((error: unknown) => {
    throw boundReached(error) ?? error;
  });
  const [json] = reply.status === 'valid' ? reply.json : [];
  if (json) return json;
  throw invalidDataError(reply, job);
}

/** Returns the error for data that nests deeper than `/v1` accepts. */
export function dataTooDeep(): WorkError {
  return new WorkError('data_invalid', `the data is nested deeper than ${DEEPEST_JSON} levels`);
}

function invalidDataError(reply: DataReply, { spec }: GenerationJob): WorkError {
  switch (reply.status) {
    case 'invalid':
      return new WorkError(
        'data_invalid',
        `the data violates the schema: ${violationsText(reply.violations)}`,
      );
    case 'too_large':
      return new WorkError(
        'data_invalid',
        `with the defaults of the schema, the data has more than ${MAX_BYTES} bytes`,
      );
    case 'schema_unusable': {
      const problems = violationsText(reply.violations);
      return new WorkError('template_invalid', `the schema of ${templateNoun(spec)} is invalid: ${problems}`);
    }
    case 'nests_too_deep':
      return dataTooDeep();
    default:
      return new WorkError('data_invalid', 'the data is not a JSON object');
  }
}

function boundReached(error: unknown): WorkError | undefined {
  if (!(error instanceof ChildProcessError)) return undefined;
  if (error.code === 'time_limit') {
    const hint = 'use less data, or simplify the patterns of the schema';
    return new WorkError('data_invalid', `checking the data against the schema: ${error.message}; ${hint}`);
  }
  if (error.code === 'out_of_memory') {
    return new WorkError('data_invalid', 'with the defaults of the schema, the data takes too much memory');
  }
  return undefined;
}
