import {
  PROBLEM_PARTS,
  storableWarnings,
  type Batch,
  type DocumentStatus,
  type GenerationJob,
  type JobError,
  type ProblemPlace,
} from '@trifold/crds';
import { observed, type Observation } from '@trifold/platform/kubernetes/controller/observed.ts';
import type { DocumentErrorCode } from '@trifold/platform/errors/error-codes.ts';

import type { AttemptProgress } from '@trifold/platform/render-queue/port.ts';
import { dispatchedAttempt, isActive, type TrackedDocument } from './tracked-work.ts';

/** Limits from the JobError schema. */
const ERROR_CODE = /^[a-z][a-z0-9_]{0,63}$/;
const MAX_MESSAGE_LENGTH = 4096;

const ENDS = ['Complete', 'Failed'];

/**
 * Returns `observed` without the opposite condition: Complete and Failed exclude each other, and another client wrote
 * the opposite one.
 */
export function observedEnd(
  object: GenerationJob | Batch,
  condition: Observation,
  now: Date,
): ReturnType<typeof observed> {
  const others = ENDS.filter((type) => type !== condition.type);
  const kept = object.status?.conditions?.filter(({ type }) => !others.includes(type));
  return observed({ ...object, status: { conditions: kept ?? [] } }, [condition], now);
}

/**
 * Returns the progress or result of a document for the status of its job or batch item; `finished-document.ts` reads
 * it. `maxMessageLength`: maximum length of the error message, in characters.
 */
export function documentStatus(document: TrackedDocument, maxMessageLength?: number): DocumentStatus {
  const { lostAttempts, state } = document;
  const lost = lostAttempts > 0 && { lostAttempts };
  if (state.status !== 'decided') {
    return { phase: isActive(document) ? 'Processing' : 'Pending', attempt: document.attempt, ...lost };
  }
  const { outcome } = state;
  if (outcome.status === 'failed') {
    const attempt = dispatchedAttempt(document);
    const { place, ...failure } = outcome.failure;
    const error = storableError({ ...failure, ...place }, maxMessageLength);
    const warnings = someWarnings(outcome.progress);
    return { phase: 'Failed', ...(attempt !== undefined && { attempt }), ...lost, error, ...warnings };
  }
  const { size, pages, renderTimeMs } = outcome.result;
  return {
    phase: 'Completed',
    attempt: document.attempt,
    ...lost,
    size,
    pages,
    renderTimeMs: Math.round(measured(renderTimeMs)),
    ...someWarnings(outcome.result),
  };
}

function someWarnings({ warnings: reported = [] }: AttemptProgress = {}): Pick<DocumentStatus, 'warnings'> {
  const warnings = storableWarnings(reported);
  return warnings.length > 0 ? { warnings } : {};
}

/** Returns the error in a form that the schema accepts: a rejected error would keep the work from ever finishing. */
export function storableError(
  { code, message, ...place }: JobError,
  maxMessageLength = MAX_MESSAGE_LENGTH,
): JobError {
  return {
    code: ERROR_CODE.test(code) ? code : ('renderer_error' satisfies DocumentErrorCode),
    message: shortened(message, maxMessageLength),
    ...storablePlace(place),
  };
}

/** A renderer of a different version can report parts and positions that the schema rejects. */
function storablePlace({ part, line, column }: ProblemPlace): ProblemPlace {
  return {
    ...(part !== undefined && PROBLEM_PARTS.includes(part) && { part }),
    ...(isPosition(line) && { line }),
    ...(isPosition(column) && { column }),
  };
}

function isPosition(number: number | undefined): number is number {
  return Number.isInteger(number) && Number(number) > 0;
}

/**
 * Truncates the string. Replaces lone surrogates, which no server stores, so that the string is read back as written.
 */
function shortened(text: string, most: number): string {
  return (text.length <= most ? text : `${text.slice(0, most - 1)}…`).toWellFormed();
}

/** Returns a condition's reason for an error code: `data_invalid` becomes `DataInvalid`. */
export function reasonOf(code: string): string {
  return code
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

/** Clock skew can make a duration negative; clamp to 0, because the schema would reject the whole status. */
export function measured(milliseconds: number): number {
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
}
