import { describe, expect, it } from 'vitest';
import { expectError } from '../support/api.ts';
import { freshService } from './fresh-service.ts';

describe('Service with TRIFOLD_RATE_LIMIT', () => {
  it('accepts the configured number of requests per key and rejects more with 429', async () => {
    const service = await freshService({ environment: { TRIFOLD_RATE_LIMIT: '2/1h' } });
    const { live, test } = service;
    for (const left of ['1', '0']) {
      const answer = await live.get('/v1/templates');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit-remaining')).toBe(left);
    }
    const rejected = await live.get('/v1/templates');
    expect(expectError(rejected, 429).code).toBe('rate_limited');
    const seconds = Number(rejected.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3600);
    expect((await test.get('/v1/templates')).status).toBe(200);
    expect((await live.get('/healthz')).status).toBe(200);
  });
});
