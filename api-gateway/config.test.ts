import { describe, expect, it } from 'vitest';
import { loadGatewayConfig } from './config.ts';

describe('the configuration of the gateway', () => {
  it('has the limits of the design where nothing is set, and cannot be changed', () => {
    const config = loadGatewayConfig({});
    expect(config).toEqual({
      maxBodyBytes: 2 * 1024 * 1024,
      maxTemplateBytes: 1024 * 1024,
      syncWaitMs: 30_000,
      downloadAccess: 'key',
      logRequests: false,
      closeWaitMs: 6_000,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('tells every problem at once', () => {
    const attempt = () =>
      loadGatewayConfig({
        TRIFOLD_MAX_BODY: 'large',
        TRIFOLD_MAX_TEMPLATE: '2Mi',
        TRIFOLD_SYNC_WAIT: '1h',
        TRIFOLD_DOWNLOAD_ACCESS: 'all',
      });
    for (const variable of [
      'TRIFOLD_MAX_BODY',
      'TRIFOLD_MAX_TEMPLATE',
      'TRIFOLD_SYNC_WAIT',
      'TRIFOLD_DOWNLOAD_ACCESS',
    ]) {
      expect(attempt).toThrow(variable);
    }
  });
});
