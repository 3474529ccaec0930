import { ConfigError } from '@trifold/platform/config.ts';
import { describe, expect, it } from 'vitest';
import { loadControllerConfig } from './config.ts';

describe('loadControllerConfig', () => {
  it('has a default for everything', () => {
    expect(loadControllerConfig({})).toEqual({
      ttlSecondsAfterFinished: 600,
      renderDeadlineMs: 60_000,
      renderAttempts: 2,
      retryDelayMs: 1_000,
      resyncMs: 10_000,
      progressAfterMs: 1_000,
      collectionIntervalMs: 300_000,
      jobConcurrency: 16,
    });
  });

  it('reads what the environment sets and freezes the answer', () => {
    const config = loadControllerConfig({
      TRIFOLD_TTL_SECONDS_AFTER_FINISHED: '0',
      TRIFOLD_RENDER_DEADLINE: '90s',
      TRIFOLD_RENDER_ATTEMPTS: '3',
    });
    expect(config).toMatchObject({
      ttlSecondsAfterFinished: 0,
      renderDeadlineMs: 90_000,
      renderAttempts: 3,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('tells every problem at once, by the name of its variable', () => {
    const load = () =>
      loadControllerConfig({
        TRIFOLD_TTL_SECONDS_AFTER_FINISHED: '-1',
        TRIFOLD_RESYNC_INTERVAL: '0s',
        TRIFOLD_RENDER_DEADLINE: 'soon',
      });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(/TRIFOLD_TTL_SECONDS_AFTER_FINISHED must be a whole number from 0 to 86400/);
    expect(load).toThrow(/TRIFOLD_RESYNC_INTERVAL must be from 1s to 10m/);
    expect(load).toThrow(/TRIFOLD_RENDER_DEADLINE must be a duration such as/);
  });
});
