import {
  documentKeyOf,
  GENERATION_JOB,
  toJsonSchema,
  type DocumentResult,
  type DocumentWarning,
  type GenerationJob,
  type GenerationJobStatus,
  type JobError,
} from '@trifold/crds';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { aJob } from '../../testing/objects.ts';
import { newDocument, type TrackedDocument } from '../tracked-work.ts';
import { finishedStatus, pinnedStatus, progressStatus } from './job-status.ts';
import type { AttemptProgress } from '@trifold/platform/render-queue/port.ts';
import type { DocumentFailure } from '@trifold/platform/errors/document-error.ts';

const NOW = new Date('2026-11-21T12:00:01.500Z');
const RESULT = {
  size: 43_210,
  pages: 2,
  sha256: 'b'.repeat(64),
  renderTimeMs: 11.6,
  timings: { queuedMs: 0.4, mergeMs: 1.2, printMs: 9.7, storeMs: 0.3 },
  startedAt: '2026-11-21T12:00:01.000Z',
  finishedAt: '2026-11-21T12:00:01.012Z',
};

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(toJsonSchema(GENERATION_JOB.status));

function tracked(members: Partial<TrackedDocument>): { document: TrackedDocument } {
  const document = newDocument({ index: 0, id: 'u', key: 'documents/u' }, false);
  return { document: { ...document, ...members } };
}

function completedStatus(job: GenerationJob, attempt: number, result: DocumentResult) {
  const outcome = { status: 'completed', result } as const;
  const state = { status: 'decided', outcome, dispatched: true } as const;
  return finishedStatus(job, tracked({ attempt, state }), NOW);
}

interface FailedAttempt {
  readonly attempt?: number;
  readonly dispatched?: boolean;
  readonly progress?: AttemptProgress;
}

function failedStatus(
  job: GenerationJob,
  error: Omit<DocumentFailure, 'code' | 'retryable'> & Pick<JobError, 'code'>,
  { attempt = 1, dispatched = true, ...reported }: FailedAttempt = {},
) {
  // A renderer of a different version can report any code.
  const failure = { ...error, retryable: false } as DocumentFailure;
  const outcome = { status: 'failed', failure, ...reported } as const;
  return finishedStatus(job, tracked({ attempt, state: { status: 'decided', outcome, dispatched } }), NOW);
}

function expectValid(status: GenerationJobStatus): void {
  expect(validate(status) ? [] : validate.errors).toEqual([]);
}

describe('A job status', () => {
  it('describes the file of a completed job and sets Complete', () => {
    const job = aJob();
    const status = completedStatus(job, 1, RESULT);
    expect(status).toMatchObject({
      observedGeneration: 1,
      phase: 'Completed',
      attempt: 1,
      revision: job.spec.revision,
      version: 3,
      objectKey: documentKeyOf(job),
      size: 43_210,
      pages: 2,
      renderTimeMs: 12,
      finishedAt: RESULT.finishedAt,
    });
    expect(status.conditions).toEqual([
      {
        type: 'Complete',
        status: 'True',
        reason: 'Rendered',
        message: '2 pages, 43210 bytes',
        lastTransitionTime: '2026-11-21T12:00:01Z',
        observedGeneration: 1,
      },
    ]);
    expectValid(status);
  });

  it('does not mention pages if the file is not a PDF', () => {
    const status = completedStatus(aJob({ spec: { format: 'png' } }), 1, { ...RESULT, pages: 0 });
    expect(status.conditions?.[0]?.message).toBe('43210 bytes');
  });

  it('lists the warnings for a completed job and counts them in the condition', () => {
    const warnings: DocumentWarning[] = Array.from({ length: 30 }, (_, index) => ({
      code: 'resource_blocked',
      message: 'x'.repeat(1000),
      name: `https://images.example/${index}.png`,
    }));
    const status = completedStatus(aJob(), 1, { ...RESULT, warnings });
    expect(status.warnings).toHaveLength(20);
    expect(status.conditions?.[0]?.message).toBe('2 pages, 43210 bytes, 20 warnings');
    expectValid(status);
    expect(completedStatus(aJob(), 1, { ...RESULT, warnings: [] })).not.toHaveProperty('warnings');
  });

  it('reports the error of a failed job as a code, a message, a position and a reason', () => {
    const place = { part: 'html', line: 12, column: 3 } as const;
    const failure = { code: 'render_timeout', message: 'took too long', place };
    const status = failedStatus(aJob(), failure, { attempt: 2 });
    expect(status).toMatchObject({ phase: 'Failed', attempt: 2, finishedAt: NOW.toISOString() });
    for (const name of ['warnings', 'timings', 'startedAt']) expect(status).not.toHaveProperty(name);
    expect(status.error).toEqual({ code: 'render_timeout', message: 'took too long', ...place });
    expect(status.conditions?.[0]).toMatchObject({ type: 'Failed', status: 'True', reason: 'RenderTimeout' });
    expectValid(status);
  });

  it("lists what a failed job's last attempt reported", () => {
    const warnings = Array.from({ length: 30 }, (_, index) => ({
      code: 'binding_missing' as const,
      message: 'x'.repeat(1000),
      name: `${index}`,
    }));
    const { startedAt } = RESULT;
    const progress = { warnings, timings: { queuedMs: -3.5, mergeMs: 1.2, loadMs: 1 }, startedAt };
    const status = failedStatus(aJob(), { code: 'print_failed', message: 'x' }, { progress });
    expect(status.warnings).toHaveLength(20);
    expect(status).toMatchObject({ startedAt, finishedAt: NOW.toISOString() });
    expect(status.timings).toEqual({ queuedMs: 0, mergeMs: 1.2 });
    expectValid(status);
  });

  it('has no attempt if the job failed before its first attempt', () => {
    const status = failedStatus(aJob(), { code: 'spec_changed', message: 'x' }, { dispatched: false });
    expect(status).not.toHaveProperty('attempt');
  });

  it('conforms to the schema for any error that a renderer reports', () => {
    const place = { part: 'appendix', line: 0, column: 1.5, name: 'x' } as object;
    const status = failedStatus(aJob(), { code: 'Boom! 1', message: 'x'.repeat(10_000), place });
    expect(status.error).toEqual({ code: 'renderer_error', message: expect.stringMatching(/^x{4095}…$/) });
    expectValid(status);
  });

  it('conforms to the schema even if the clocks of two machines differ', () => {
    const timings = { ...RESULT.timings, queuedMs: -3.5 };
    const status = completedStatus(aJob(), 1, { ...RESULT, timings });
    expect(status.timings).toEqual({ ...RESULT.timings, queuedMs: 0 });
    expectValid(status);
  });

  it('keeps the pinned values in every later status', () => {
    const { revision: _revision, version: _version, ...spec } = aJob().spec;
    const made = { ...aJob(), spec };
    const pinned = pinnedStatus(made, { revision: 'c'.repeat(64), version: 9 }, NOW);
    expectValid(pinned);
    expect(pinned).toMatchObject({ phase: 'Pending', revision: 'c'.repeat(64), version: 9 });
    const attempts = { attempt: 2, lostAttempts: 1 };
    const shown = progressStatus(
      { ...made, status: pinned },
      tracked({ ...attempts, state: { status: 'queued', active: true, askAt: 0, askedAfterMs: 0 } }),
      NOW,
    );
    expectValid(shown);
    expect(shown).toMatchObject(attempts);
    const last = completedStatus({ ...made, status: shown }, 2, RESULT);
    expectValid(last);
    expect(last).toMatchObject({ revision: 'c'.repeat(64), version: 9, ...attempts });
    expect(last.conditions?.map(({ type }) => type)).toEqual(['Accepted', 'Dispatched', 'Complete']);
  });
});
