import { eventually } from '@trifold/test-support/eventually.ts';
import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { createLogger } from '../process/logging.ts';
import { Periodic } from './periodic.ts';

const logger = createLogger({ level: 'silent', name: 'test' });

it('Periodic runs on start and after each interval, even after a failure', async () => {
  const clock = new FakeClock();
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 1) throw new Error('the store is away');
  };
  const periodic = new Periodic({ name: 'x', intervalMs: 1000, clock, logger, run });
  periodic.start();
  await eventually(() => expect(clock.pending).toBe(1));
  expect(runs).toBe(1);
  clock.advance(999);
  expect(runs).toBe(1);
  clock.advance(1);
  await eventually(() => expect(clock.pending).toBe(1));
  expect(runs).toBe(2);
  await periodic.stop();
  expect(clock.pending).toBe(0);
});

it('Periodic aborts the current run on stop, waits for it and does not start a new one', async () => {
  const clock = new FakeClock();
  const work = Promise.withResolvers<void>();
  let isAborted: (() => boolean) | undefined;
  const run = (signal: AbortSignal) => {
    isAborted = () => signal.aborted;
    return work.promise;
  };
  const periodic = new Periodic({ name: 'x', intervalMs: 1000, clock, logger, run });
  periodic.start();
  let stopped = false;
  const stopping = periodic.stop().then(() => (stopped = true));
  await Promise.resolve();
  expect([stopped, isAborted?.()]).toEqual([false, true]);
  work.resolve();
  await stopping;
  expect(clock.pending).toBe(0);
});
