import { createLogger } from '@trifold/platform/service/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { describe, expect, it } from 'vitest';
import { Periodic } from './periodic.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const logger = createLogger({ level: 'silent', name: 'test' });

describe('Periodic', () => {
  it('runs at its start and after each interval, even after a failure', async () => {
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

  it('waits on stop for the current run and starts no other', async () => {
    const clock = new FakeClock();
    const work = Promise.withResolvers<void>();
    const periodic = new Periodic({ name: 'x', intervalMs: 1000, clock, logger, run: () => work.promise });
    periodic.start();
    let stopped = false;
    const stopping = periodic.stop().then(() => (stopped = true));
    await Promise.resolve();
    expect(stopped).toBe(false);
    work.resolve();
    await stopping;
    expect(clock.pending).toBe(0);
  });
});
