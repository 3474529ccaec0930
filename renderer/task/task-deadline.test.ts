import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { expect, it } from 'vitest';
import { TaskDeadline } from './task-deadline.ts';
import type { DocumentError } from '@trifold/platform/errors/document-error.ts';

const failureOf = ({ signal }: TaskDeadline) => signal.reason as DocumentError | undefined;

it('does not advance during a wait for a browser', () => {
  const clock = new FakeClock();
  const deadline = new TaskDeadline(clock, 10_000);
  clock.advance(4_000);
  deadline.pause();
  clock.advance(19_999);
  deadline.resume();
  clock.advance(5_999);
  expect(deadline.signal.aborted).toBe(false);
  clock.advance(1);
  expect(failureOf(deadline)).toMatchObject({
    code: 'deadline_exceeded',
    message: 'rendering took longer than the limit of 10 s',
    retryable: false,
  });
  expect(clock.pending).toBe(0);
});

it('ends a long wait for a browser with a retryable failure', () => {
  const clock = new FakeClock();
  const deadline = new TaskDeadline(clock, 10_000);
  deadline.pause();
  clock.advance(20_000);
  expect(failureOf(deadline)).toMatchObject({
    code: 'no_renderer',
    message: 'no browser was free for 20 s',
    retryable: true,
  });
  expect(TaskDeadline.maxMs(10_000)).toBe(30_000);
});

it('leaves no timer behind', () => {
  const clock = new FakeClock();
  const deadline = new TaskDeadline(clock, 10_000);
  deadline.pause();
  deadline.resume();
  deadline.end();
  expect(clock.pending).toBe(0);
  expect(deadline.signal.aborted).toBe(false);
  deadline.pause();
  deadline.resume();
  expect(clock.pending).toBe(0);
});
