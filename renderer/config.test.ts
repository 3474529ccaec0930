import { describe, expect, it } from 'vitest';
import { loadRendererConfig, loadRendererProcessConfig } from './config.ts';

describe('loadRendererConfig', () => {
  it('reads the settings from the environment', () => {
    const config = loadRendererConfig({
      TRIFOLD_BROWSER: '/usr/bin/chromium',
      TRIFOLD_BROWSERS: '4',
      TRIFOLD_BROWSER_SANDBOX: 'required',
      TRIFOLD_MAX_OUTPUT: '1Mi',
      TRIFOLD_TEMPLATE_SCRIPTS: 'on',
      TRIFOLD_RENDER_ALLOW_HOSTS: 'cdn.example.com, Images.example.com:8443',
      TRIFOLD_RENDER_ALLOW_ADDRESSES: '10.96.0.0/12',
      TRIFOLD_DENY_ADDRESSES: '10.96.0.1, 2a00::/16',
    });
    expect(config).toMatchObject({
      browser: '/usr/bin/chromium',
      browsers: 4,
      browserSandbox: 'required',
      maxOutputBytes: 2 ** 20,
      templateScripts: 'on',
      allowHosts: [
        { hostname: 'cdn.example.com', port: undefined },
        { hostname: 'images.example.com', port: 8443 },
      ],
      allowAddresses: [{ address: '10.96.0.0', prefix: 12 }],
      denyAddresses: [
        { address: '10.96.0.1', prefix: 32 },
        { address: '2a00::', prefix: 16 },
      ],
    });
    expect(Object.isFrozen(config)).toBe(true);
  });
});

describe('loadRendererProcessConfig', () => {
  const GIVEN = {
    TRIFOLD_REDIS_URL: 'redis://redis',
    TRIFOLD_TASK_KEYS: 'the-key-that-seals-the-tasks-in-redis',
  };

  it('requires only the Redis address and the task keys', () => {
    const config = loadRendererProcessConfig(GIVEN);
    expect(config).toMatchObject({
      service: { host: '::', logLevel: 'info' },
      operations: { operationsPort: 9090 },
      drainWaitMs: 70_000,
      renderer: loadRendererConfig({}),
      redis: { nodes: [{ host: 'redis' }] },
      taskKeys: ['the-key-that-seals-the-tasks-in-redis'],
    });
    expect(Object.isFrozen(config)).toBe(true);
  });
});
