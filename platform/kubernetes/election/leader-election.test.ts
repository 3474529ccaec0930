import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../process/logging.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import {
  LeaderElection,
  FencedTransport,
  type LeaderElectionOptions,
  type LeaderElectionTiming,
} from './leader-election.ts';
import { LeaseServer, apiError } from '../testing/lease-server.ts';

const logger = createLogger({ level: 'silent', name: 'test' });

function unreachable(): never {
  throw apiError(0, 'Unreachable');
}

let server: LeaseServer;
let time: FakeClock;
/** `time` and the clocks that advance with it. */
let clocks: FakeClock[];
let candidates: Candidate[];

beforeEach(() => {
  server = new LeaseServer();
  time = new FakeClock();
  clocks = [time];
  candidates = [];
});
afterEach(async () => {
  server.fault = undefined;
  server.afterWrite = undefined;
  await Promise.all(candidates.map(({ election }) => election.stop()));
});

const NEVER = new Promise<never>(() => undefined);

class Candidate {
  readonly election: LeaderElection;
  elected = 0;
  lost: Error[] = [];
  /** Simulates kill -9: no further request reaches the server. */
  dead = false;

  constructor(identity: string, options: Partial<LeaderElectionOptions> = {}) {
    const { client } = server;
    this.election = new LeaderElection({
      leases: {
        find: (...args) => (this.dead ? NEVER : client.find(...args)),
        create: (...args) => (this.dead ? NEVER : client.create(...args)),
        replace: (...args) => (this.dead ? NEVER : client.replace(...args)),
      },
      namespace: 'trifold',
      name: 'controller',
      identity,
      clock: time,
      logger,
      random: () => 0.5,
      onElected: () => (this.elected += 1),
      onLost: (reason) => this.lost.push(reason),
      ...options,
    });
    candidates.push(this);
  }

  async start(): Promise<this> {
    this.election.start();
    await settle();
    return this;
  }
}

/** A clock whose time of day is wrong. */
function wrongClock(errorMs: number): FakeClock {
  const clock = new FakeClock(new Date(time.now().getTime() + errorMs));
  clocks.push(clock);
  return clock;
}

/** Runs everything that does not need the clock to advance. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await turn();
}

/** Advances time in steps of a quarter of a second. */
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 250) {
    for (const clock of clocks) clock.advance(250);
    await settle();
  }
}

describe('Leader election', () => {
  it('creates a missing lease and renews it every two seconds', async () => {
    const only = await new Candidate('one').start();
    expect(only.elected).toBe(1);
    expect(only.election.leading).toBe(true);
    expect(server.lease?.spec).toEqual({
      holderIdentity: 'one',
      leaseDurationSeconds: 10,
      acquireTime: '2026-11-21T12:00:00.000000Z',
      renewTime: '2026-11-21T12:00:00.000000Z',
      leaseTransitions: 0,
    });
    await pass(60_000);
    expect(server.writes).toHaveLength(31);
    expect(server.lease?.spec).toMatchObject({
      acquireTime: '2026-11-21T12:00:00.000000Z',
      renewTime: '2026-11-21T12:01:00.000000Z',
      leaseTransitions: 0,
    });
    expect(only).toMatchObject({ elected: 1, lost: [] });
  });

  it('sets the owner of a lease that it creates and does not change an existing one', async () => {
    const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'ServiceAccount', name: 'controller', uid });
    await (await new Candidate('one', { owner: owner('1') }).start()).election.stop();
    await new Candidate('two', { owner: owner('2') }).start();
    expect(server.lease?.spec?.holderIdentity).toBe('two');
    expect(server.lease?.metadata.ownerReferences).toEqual([owner('1')]);
  });

  it("elects a standby within 12.5 s of a dead leader's last renewal", async () => {
    const dying = await new Candidate('one').start();
    const standby = await new Candidate('two').start();
    await pass(60_000);
    const lastSign = time.now().getTime();
    dying.dead = true;
    await pass(9_750);
    expect(standby.elected).toBe(0);
    while (standby.elected === 0 && time.now().getTime() - lastSign < 60_000) await pass(250);
    expect(time.now().getTime() - lastSign).toBeLessThanOrEqual(12_500);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
  });

  it('hands over at the next attempt if the leader stops cleanly', async () => {
    const one = await new Candidate('one').start();
    const two = await new Candidate('two').start();
    await pass(10_000);
    await one.election.stop();
    expect(server.lease?.spec).toMatchObject({ holderIdentity: '', leaseTransitions: 0 });
    expect(one.election.leading).toBe(false);
    await pass(2_500);
    expect(two.elected).toBe(1);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
    expect(one.lost).toEqual([]);
  });

  it('elects exactly one of several candidates that acquire the lease concurrently', async () => {
    const all = ['one', 'two', 'three'].map((identity) => new Candidate(identity));
    for (const { election } of all) election.start();
    await settle();
    expect(all.reduce((sum, { elected }) => sum + elected, 0)).toBe(1);
    await pass(30_000);
    expect(all.filter(({ election }) => election.leading)).toHaveLength(1);
    expect(all.flatMap(({ lost }) => lost)).toEqual([]);
  });

  it('treats only a change to the spec as a renewal', async () => {
    const leader = await new Candidate('one').start();
    leader.dead = true;
    const standby = await new Candidate('two').start();
    for (let seconds = 0; seconds < 13; seconds += 1) {
      server.touch();
      await pass(1_000);
    }
    expect(standby.elected).toBe(1);
  });

  it("waits for the holder's lease duration, not its own", async () => {
    const timing = { leaseMs: 60_000, renewDeadlineMs: 40_000, retryMs: 5_000 };
    const leader = await new Candidate('one', { timing }).start();
    leader.dead = true;
    const standby = await new Candidate('two').start();
    await pass(59_000);
    expect(standby.elected).toBe(0);
    await pass(2_000);
    expect(standby.elected).toBe(1);
  });

  it("tolerates other candidates' clock skew", async () => {
    const past = await new Candidate('past', { clock: wrongClock(-86_400_000) }).start();
    const future = await new Candidate('future', { clock: wrongClock(86_400_000) }).start();
    await pass(60_000);
    expect([past.election.leading, future.elected]).toEqual([true, 0]);
    await past.election.stop();
    await pass(2_500);
    expect(future.elected).toBe(1);
    const late = await new Candidate('late', { clock: wrongClock(-86_400_000) }).start();
    await pass(60_000);
    expect([future.election.leading, late.elected]).toEqual([true, 0]);
  });

  it('rejects timings that allow two leaders', () => {
    const attempt = (timing: LeaderElectionTiming) => () => new Candidate('one', { timing });
    expect(attempt({ leaseMs: 7_000, renewDeadlineMs: 7_000, retryMs: 2_000 })).toThrow(RangeError);
    expect(attempt({ leaseMs: 10_000, renewDeadlineMs: 2_000, retryMs: 2_000 })).toThrow(RangeError);
  });
});

describe('A leader', () => {
  it('stops leading after seven seconds without renewal, before another can take the lease', async () => {
    const one = await new Candidate('one').start();
    const two = await new Candidate('two').start();
    await pass(10_000);
    server.fault = unreachable;
    await pass(4_750);
    expect(one.election.leading).toBe(true);
    await pass(2_500);
    expect(one.election.leading).toBe(false);
    expect(one.lost.map(({ message }) => message)).toEqual(['the lease could not be renewed for 7000 ms']);
    expect(two.elected).toBe(0);
    const writes = server.writes.length;
    server.fault = undefined;
    await pass(12_500);
    expect(two.elected).toBe(1);
    expect(server.writes.slice(writes).every(({ spec }) => spec?.holderIdentity === 'two')).toBe(true);
  });

  it('retries if a renewal gets no response and stops in time', async () => {
    const one = await new Candidate('one').start();
    let asked = 0;
    server.fault = () => {
      asked += 1;
      return NEVER;
    };
    await pass(6_750);
    expect([asked, one.election.leading]).toEqual([2, true]);
    await pass(250);
    expect([one.election.leading, one.lost.length]).toEqual([false, 1]);
  });

  it('continues if a renewal succeeds but its response is lost', async () => {
    const one = await new Candidate('one').start();
    server.afterWrite = () => {
      server.afterWrite = undefined;
      throw apiError(0, 'Unreachable');
    };
    await pass(30_000);
    expect([one.election.leading, one.lost]).toEqual([true, []]);
    expect(server.lease?.spec?.leaseTransitions).toBe(0);
  });

  it('creates the lease again after it is deleted', async () => {
    const one = await new Candidate('one').start();
    server.lease = undefined;
    await pass(2_000);
    expect([one.election.leading, server.lease]).toMatchObject([true, { spec: { holderIdentity: 'one' } }]);
  });

  it('stops immediately if it reads another holder', async () => {
    const one = await new Candidate('one').start();
    server.edit({ holderIdentity: 'somebody' });
    await pass(2_000);
    expect(one.election.leading).toBe(false);
    expect(one.lost.map(({ message }) => message)).toEqual(['another process holds the lease']);
    await pass(60_000);
    expect([one.elected, one.lost.length]).toEqual([1, 1]);
    expect(server.lease?.spec?.holderIdentity).toBe('somebody');
  });

  it('knows after a long sleep, before its timers fire, that it is no longer the leader', async () => {
    const own = new FakeClock();
    const sleeper = await new Candidate('sleeper', { clock: own }).start();
    const standby = await new Candidate('standby').start();
    await pass(20_000);
    expect(standby.elected).toBe(1);
    own.suspend(20_000);
    expect([sleeper.election.leading, sleeper.lost.length]).toEqual([false, 0]);
    const sent: string[] = [];
    const fenced = new FencedTransport(
      { send: async ({ method }) => (sent.push(method), { status: 200, headers: {}, body: [] as never }) },
      () => sleeper.election.leading,
    );
    await fenced.send({ method: 'GET', path: '/' });
    await expect(fenced.send({ method: 'PUT', path: '/' })).rejects.toThrow('is not the leader');
    expect(sent).toEqual(['GET']);
    own.advance(0);
    await settle();
    expect(sleeper.lost).toHaveLength(1);
    expect(server.lease?.spec?.holderIdentity).toBe('standby');
  });

  it('ignores a response that took longer than the lease duration', async () => {
    const one = await new Candidate('one').start();
    const late = Promise.withResolvers<void>();
    server.afterWrite = () => late.promise;
    time.advance(2_000);
    await settle();
    time.advance(20_000);
    late.resolve();
    await settle();
    expect(one.election.leading).toBe(false);
    expect(one.lost).toHaveLength(1);
  });

  it('releases the lease even if it stops before it receives the response to its acquisition', async () => {
    const response = Promise.withResolvers<void>();
    server.afterWrite = () => response.promise;
    const one = await new Candidate('one').start();
    expect(one.elected).toBe(0);
    server.afterWrite = undefined;
    await one.election.stop();
    response.resolve();
    await settle();
    expect([one.elected, server.lease?.spec?.holderIdentity]).toEqual([0, '']);
  });

  it("does not release its successor's lease when it stops", async () => {
    const one = await new Candidate('one').start();
    server.edit({ holderIdentity: 'somebody' });
    await one.election.stop();
    expect(server.lease?.spec?.holderIdentity).toBe('somebody');
  });

  it('can be stopped while the API server is unavailable', async () => {
    const one = await new Candidate('one').start();
    server.fault = () => NEVER;
    const stopped = one.election.stop();
    await pass(2_500);
    await stopped;
    expect(one.lost).toEqual([]);
  });
});
