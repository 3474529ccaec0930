import { RateLimitError, TrifoldClient } from '@trifold/client';
import { describe, expect, it } from 'vitest';
import { freshService } from './fresh-service.ts';

/** Returns a client of a service with this rate limit per key. */
async function limitedTo(rate: string): Promise<TrifoldClient> {
  const { live } = await freshService({ environment: { TRIFOLD_RATE_LIMIT: rate } });
  return new TrifoldClient({ baseUrl: live.url, apiKey: String(live.key) });
}

describe('Client over the rate limit', () => {
  it('waits for the time that the service requests and then receives its answer', async () => {
    const client = await limitedTo('1/1s');
    const answers = [
      await client.templates.page(),
      await client.templates.page(),
      await client.templates.page(),
    ];
    expect(answers.map(({ data }) => data)).toEqual([[], [], []]);
  });

  it('does not wait for an hour, but reports how long the wait would be', async () => {
    const client = await limitedTo('1/1h');
    await client.templates.page();
    const error: unknown = await client.templates.page().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, code: 'rate_limited' });
    const { retryAfterMs = 0 } = error as RateLimitError;
    expect(retryAfterMs).toBeGreaterThan(60_000);
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000);
  });
});
