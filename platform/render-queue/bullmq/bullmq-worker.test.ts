import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createLogger } from '../../service/logging.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { BullMqWorker, type WorkerLine } from './bullmq-worker.ts';
import type { QueueName } from '../port.ts';
import { WorkerSlots } from '../worker-slots.ts';

/** A line without Redis that holds no work until the test says so. */
class EmptyLine implements WorkerLine {
  readonly owesMarker = false;
  readonly queue: QueueName;
  mayHoldWork = false;
  taken = 0;
  onTake = () => {};

  constructor(queue: QueueName) {
    this.queue = queue;
  }

  async take(): Promise<undefined> {
    this.taken += 1;
    this.mayHoldWork = false;
    this.onTake();
  }

  async renew(): Promise<string[]> {
    return [];
  }

  async releaseStalled(): Promise<void> {}
  async wakeOthers(): Promise<void> {}
  async close(): Promise<void> {}
}

/** Microtasks between an empty take and the marker: at one of them the worker is about to go idle. */
const MOMENTS = Array.from({ length: 12 }, (_, moment) => moment);

it.each(MOMENTS)(
  'checks again when a task is announced just before it goes idle (%i microtasks after the take)',
  async (moment) => {
    const interactive = new EmptyLine('interactive');
    const told = Promise.withResolvers<() => void>();
    const worker = new BullMqWorker({
      handler: async () => expect.unreachable('there is no task'),
      slots: new WorkerSlots({ concurrency: 1 }),
      clock: new FakeClock(),
      logger: createLogger({ level: 'silent', name: 'test' }),
      checkMs: 1000,
      lines: (wake) => {
        told.resolve(wake);
        return [interactive, new EmptyLine('batch')];
      },
      closed: () => {},
    });
    const wake = await told.promise;
    const signOfWork = () => {
      interactive.mayHoldWork = true;
      wake();
    };
    interactive.onTake = () => {
      interactive.onTake = () => {};
      void (async () => {
        for (let passed = 0; passed < moment; passed += 1) await Promise.resolve();
        signOfWork();
      })();
    };
    signOfWork();
    await nextTurn();
    expect(interactive.taken).toBe(2);
    await worker.close(0);
  },
);
