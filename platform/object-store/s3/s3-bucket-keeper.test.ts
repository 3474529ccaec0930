import { describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../service/logging.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { BucketKeeper } from './s3-bucket-keeper.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

function newKeeper(prepare: () => Promise<void>) {
  const clock = new FakeClock();
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const logger = createLogger({ name: 'test', level: 'info', destination });
  const keeper = new BucketKeeper({ bucket: 'trifold', prepare, clock, logger });
  const levels = () => lines.map((line) => (JSON.parse(line) as { level: string }).level);
  return { keeper, clock, levels };
}

describe('S3 bucket keeper', () => {
  it('creates no bucket in a process that never prepared one', () => {
    const prepare = vi.fn(async () => {});
    const { keeper } = newKeeper(prepare);
    keeper.missed();
    expect(prepare).not.toHaveBeenCalled();
  });

  it('makes one attempt at a time and pauses before the next, however often the bucket is missing', async () => {
    const attempts: PromiseWithResolvers<void>[] = [];
    const { keeper, clock, levels } = newKeeper(() => {
      const attempt = Promise.withResolvers<void>();
      attempts.push(attempt);
      return attempt.promise;
    });
    keeper.prepared();
    keeper.missed();
    clock.advance(60_000);
    keeper.missed();
    expect(attempts).toHaveLength(1);
    attempts[0]!.reject(new Error('access denied'));
    await eventually(() => expect(levels()).toEqual(['warn', 'error']));
    keeper.missed();
    expect(attempts).toHaveLength(2);
    attempts[1]!.resolve();
    await attempts[1]!.promise;
    // Still missing within the pause: a store may take a moment to show a new bucket.
    keeper.missed();
    clock.advance(9_999);
    keeper.missed();
    expect(attempts).toHaveLength(2);
    clock.advance(1);
    await eventually(() => {
      keeper.missed();
      expect(attempts).toHaveLength(3);
    });
  });
});
