import { RENDERER_LOST } from '@trifold/platform/render-queue/port.ts';
import { describe, expect, it } from 'vitest';
import { finalFailure, nextAttempt, retryDelay, type Attempts } from './attempts.ts';
import { documentFailure, type DocumentFailure } from '@trifold/platform/errors/document-error.ts';

const CONFIG = { renderAttempts: 2, retryDelayMs: 1000 };
const LOST = RENDERER_LOST.status === 'failed' ? RENDERER_LOST.failure : undefined;
const CRASHED = documentFailure('browser_crashed', 'the browser crashed');

/** Returns the number of attempts for this sequence of failures. */
function attemptsOf(failures: readonly DocumentFailure[]): number {
  let attempts: Attempts = { attempt: 1, lostAttempts: 0 };
  for (const failure of failures) {
    if (retryDelay(failure, attempts, CONFIG) === undefined) return attempts.attempt;
    attempts = nextAttempt(failure, attempts);
  }
  throw new Error('there is a further attempt');
}

describe("A document's attempts", () => {
  const lost = LOST ?? CRASHED;

  it.each([
    ['only', [lost, lost, lost], 3],
    ['never', [CRASHED, CRASHED], 2],
    ['first', [lost, CRASHED, CRASHED], 3],
    ['last', [CRASHED, lost, lost, lost], 4],
    ['in between', [lost, CRASHED, lost, lost], 4],
    ['before the last', [CRASHED, lost, lost, CRASHED], 4],
  ])('count losses and other failures separately: losses %s', (_when, failures, attempts) => {
    expect(attemptsOf(failures)).toBe(attempts);
  });

  it.each(['store_unavailable', 'store_no_space'] as const)('continue for half a minute with %s', (code) => {
    const outage = { ...CRASHED, code };
    expect(attemptsOf(Array.from({ length: 6 }, () => outage))).toBe(6);
  });

  it('end immediately when another attempt would not help', () => {
    expect(attemptsOf([{ ...CRASHED, retryable: false }])).toBe(1);
  });

  it('start after a doubling delay', () => {
    expect(retryDelay(lost, { attempt: 1, lostAttempts: 0 }, CONFIG)).toBe(1000);
    expect(retryDelay(lost, { attempt: 2, lostAttempts: 1 }, CONFIG)).toBe(2000);
  });
});

it("A document's last error includes a remedy for a document that kills its renderers", () => {
  expect(finalFailure(LOST ?? CRASHED)).toMatchObject({
    code: 'renderer_lost',
    message: expect.stringContaining('use less data'),
  });
});

it("A document's last error is otherwise the renderer's error", () => {
  expect(finalFailure(CRASHED)).toBe(CRASHED);
});
