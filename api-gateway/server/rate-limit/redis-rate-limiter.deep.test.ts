import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { loadRedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { RedisServer, whyNoRedis } from '@trifold/test-support/redis.ts';
import { RedisRateLimiter } from './redis-rate-limiter.ts';

const missing = whyNoRedis();
if (missing) console.warn(`the tests of the rate limit in Redis are skipped: ${missing}`);

describe.skipIf(missing)('RedisRateLimiter', () => {
  let server: RedisServer;
  let prefix: string;
  let clock: FakeClock;
  let lines: string[];
  let limiters: RedisRateLimiter[];

  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());
  beforeEach(() => {
    prefix = randomUUID();
    clock = new FakeClock();
    lines = [];
    limiters = [];
  });
  afterEach(() => {
    for (const limiter of limiters) limiter.close();
  });

  const ready = (limiter: RedisRateLimiter) =>
    eventually(async () => {
      const key = randomUUID();
      await limiter.take(key);
      return (await server.command(`EXISTS ${prefix}:rate:${key}`)) === '1';
    });

  /** Creates the limiter of one gateway, connected when this resolves. */
  async function gateway(requests: number): Promise<RedisRateLimiter> {
    const limiter = new RedisRateLimiter({
      redis: loadRedisConfig({ TRIFOLD_REDIS_URL: server.url, TRIFOLD_REDIS_PREFIX: prefix }),
      limit: { requests, windowMs: 60_000 },
      clock,
      logger: createLogger({
        name: 'test',
        level: 'info',
        destination: { write: (line) => lines.push(line) },
      }),
    });
    limiters.push(limiter);
    await ready(limiter);
    return limiter;
  }

  it('counts across all gateways', async () => {
    const [one, other] = [await gateway(3), await gateway(3)];
    expect(await one.take('a')).toMatchObject({ allowed: true, remaining: 2 });
    expect(await other.take('a')).toMatchObject({ allowed: true, remaining: 1 });
    expect(await one.take('a')).toMatchObject({ allowed: true, remaining: 0 });
    const refused = await other.take('a');
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    expect(refused.resetMs).toBeGreaterThan(0);
    expect(refused.resetMs).toBeLessThanOrEqual(60_000);
    expect(await one.take('b')).toMatchObject({ allowed: true, remaining: 2 });
  });

  it('admits exactly the limit when all requests arrive at once', async () => {
    const [one, other] = [await gateway(50), await gateway(50)];
    const verdicts = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? one : other).take('a')),
    );
    expect(verdicts.filter(({ allowed }) => allowed).length).toBe(50);
  });

  it('stores only keys with an expiry in Redis', async () => {
    const one = await gateway(3);
    await one.take('a');
    const lives = [`${prefix}:rate:a`, `${prefix}:gateways`].map(async (key) =>
      Number(await server.command(`PTTL ${key}`)),
    );
    for (const left of await Promise.all(lives)) expect(left).toBeGreaterThan(0);
  });

  it('starts a new window when Redis has dropped the previous one', async () => {
    const one = await gateway(1);
    await one.take('a');
    await server.command(`PEXPIRE ${prefix}:rate:a 0`);
    expect(await one.take('a')).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('gives each gateway its share while Redis is down, logs it once, and counts across all gateways when Redis returns', async () => {
    const [one, other] = [await gateway(4), await gateway(4)];
    await eventually(() => {
      clock.advance(5_000);
      return one.gateways === 2 && other.gateways === 2;
    });
    await server.kill();
    await eventually(() => lines.filter((line) => line.includes('cannot be used')).length === 2);
    expect(await one.take('a')).toEqual({ allowed: true, remaining: 1, resetMs: 60_000 });
    expect(await one.take('a')).toMatchObject({ allowed: true, remaining: 0 });
    expect(await one.take('a')).toMatchObject({ allowed: false });
    expect(await other.take('a')).toMatchObject({ allowed: true, remaining: 1 });
    expect(lines.length).toBe(2);
    await server.start();
    await eventually(async () => {
      clock.advance(2_000);
      const key = randomUUID();
      const [first, second] = [await one.take(key), await other.take(key)];
      return first.remaining === 3 && second.remaining === 2;
    });
    expect(await one.take('a')).toMatchObject({ allowed: true, remaining: 3 });
    expect(await other.take('a')).toMatchObject({ allowed: true, remaining: 2 });
  });

  it('waits 250 ms for an unresponsive Redis, but not for every request', async () => {
    const one = await gateway(5);
    server.pause();
    try {
      const first = one.take('a');
      clock.advance(250);
      expect(await first).toMatchObject({ allowed: true, remaining: 4 });
      // The clock stands still: these do not wait at all.
      expect(await one.take('a')).toMatchObject({ allowed: true, remaining: 3 });
      expect(await one.take('a')).toMatchObject({ allowed: true, remaining: 2 });
    } finally {
      server.resume();
    }
    clock.advance(2_000);
    await ready(one);
  });

  it('does not mistake a busy gateway for an unresponsive Redis', async () => {
    const [one, other] = [await gateway(5), await gateway(5)];
    await other.take('a');
    const second = await new Promise((resolve) => {
      // The phase of the event loop that runs the timers of a real clock.
      setTimeout(() => {
        resolve(one.take('a'));
        waitWithoutReading(server, `${prefix}:rate:a`, '2');
        clock.advance(250);
      });
    });
    expect(second).toMatchObject({ remaining: 3 });
    expect(await one.take('a')).toMatchObject({ remaining: 2 });
    expect(lines).toEqual([]);
  });
});

/** Blocks this process until the key has that value. */
function waitWithoutReading({ port }: RedisServer, key: string, value: string): void {
  const script = `
    const socket = require('node:net').connect(${port}, '127.0.0.1');
    const ask = () => socket.write('GET ${key}\\r\\n');
    socket.on('data', (data) => String(data).includes('\\n${value}\\r') ? socket.end() : ask());
    ask();`;
  execFileSync(process.execPath, ['--eval', script], { timeout: 30_000 });
}
