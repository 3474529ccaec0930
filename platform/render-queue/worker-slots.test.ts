import { expect, it } from 'vitest';
import { WorkerSlots } from './worker-slots.ts';

it('moves a task out of the spare slot when other slots no longer yield to interactive tasks', () => {
  let endYield = (): void => undefined;
  const schedule = (_ms: number, run: () => void) => {
    endYield = run;
    return () => undefined;
  };
  const slots = new WorkerSlots({ concurrency: 3, batchConcurrency: 1 }, { schedule }, () => undefined);
  const interactive = { id: '1', queue: 'interactive', account: 'one' } as const;
  slots.take(interactive);
  slots.take({ id: '2', queue: 'batch', account: 'two' });
  slots.take({ id: '3', queue: 'asynchronous', account: 'three' });
  slots.free(interactive);
  expect(slots.hasSpare).toBe(false);
  endYield();
  expect(slots.hasSpare).toBe(true);
  expect(slots.isFree('asynchronous')).toBe(false);
});
