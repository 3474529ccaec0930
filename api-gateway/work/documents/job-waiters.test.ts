import type { GenerationJob } from '@trifold/crds';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { beforeEach, expect, it } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { JobFollowers, JobWaiters } from './job-waiters.ts';

/** Job cache that the test updates as a watch would. */
class Told {
  readonly jobs = new Map<string, GenerationJob>();
  #listener: (key: { namespace?: string; name: string }) => void = () => undefined;

  onChange(listener: (key: { namespace?: string; name: string }) => void): () => void {
    this.#listener = listener;
    return () => undefined;
  }

  get(namespace: string | undefined, name: string): GenerationJob | undefined {
    return this.jobs.get(`${namespace}/${name}`);
  }

  forget(namespace: string | undefined, name: string): void {
    this.jobs.delete(`${namespace}/${name}`);
  }

  tell(name: string, phase?: 'Processing' | 'Completed'): GenerationJob {
    const job = { metadata: { name, namespace: 'acme' }, status: phase && { phase } } as GenerationJob;
    this.jobs.set(`acme/${name}`, job);
    this.#listener({ namespace: 'acme', name });
    return job;
  }

  reportDeleted(name: string): void {
    this.jobs.delete(`acme/${name}`);
    this.#listener({ namespace: 'acme', name });
  }
}

let told: Told;
let clock: FakeClock;
let waiters: JobWaiters;
beforeEach(() => {
  told = new Told();
  clock = new FakeClock();
  waiters = new JobWaiters(told, clock);
});

const begin = (name: string, maxMs = 30_000) => waiters.begin('acme', name, maxMs);

it('resolves every wait for a job even if one of them is cancelled', async () => {
  const [first, given, last] = [begin('gen-a'), begin('gen-a'), begin('gen-a')];
  told.tell('gen-a', 'Processing');
  given.cancel();
  expect(await given.outcome).toBeUndefined();
  expect(waiters.size).toBe(2);
  const job = told.tell('gen-a', 'Completed');
  expect(await Promise.all([first.outcome, last.outcome])).toEqual([job, job]);
  expect(waiters.size).toBe(0);
  expect(clock.pending).toBe(0);
});

it('ends each wait after its own timeout', async () => {
  const [short, long] = [begin('gen-a', 1000), begin('gen-a', 5000)];
  clock.advance(1000);
  expect(await short.outcome).toBeUndefined();
  const job = told.tell('gen-a', 'Completed');
  expect(await long.outcome).toBe(job);
});

it('ends a wait when the job is deleted, but not before the job exists', async () => {
  const wait = begin('gen-a');
  told.reportDeleted('gen-a');
  expect(waiters.size).toBe(1);
  told.tell('gen-a');
  told.reportDeleted('gen-a');
  expect(await wait.outcome).toBeUndefined();
});

it('keeps unfinished jobs, but not finished ones', () => {
  begin('gen-a');
  told.tell('gen-a');
  told.tell('gen-b');
  expect([...told.jobs.keys()]).toEqual(['acme/gen-a', 'acme/gen-b']);
  told.tell('gen-a', 'Completed');
  told.tell('gen-b', 'Completed');
  expect(told.jobs.size).toBe(0);
});

it('cancels all waits together', async () => {
  const waits = [begin('gen-a'), begin('gen-a'), begin('gen-b')];
  waiters.cancelAll();
  expect(await Promise.all(waits.map(({ outcome }) => outcome))).toEqual([undefined, undefined, undefined]);
  expect(waiters.size).toBe(0);
});

it('watches at most 32 jobs per account', async () => {
  const { kubernetes } = await GatewayFixture.forTest();
  const followers = new JobFollowers(kubernetes, clock, createLogger({ name: 'test', level: 'silent' }));
  const isWaiting = async (account: string, name: string) => {
    const { outcome } = followers.begin(account, name, 30_000);
    return (await Promise.race([outcome, Promise.resolve('waits')])) === 'waits';
  };
  for (let number = 1; number <= 32; number += 1) expect(await isWaiting('acme', `gen-${number}`)).toBe(true);
  expect(await isWaiting('acme', 'gen-33')).toBe(false);
  expect(await isWaiting('acme', 'gen-1')).toBe(true);
  expect(await isWaiting('other', 'gen-33')).toBe(true);
  followers.cancelAll();
});
