import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inventKeys } from '../support/service.ts';
import { freshDirectory, freshService, launch } from './fresh-service.ts';

const NO_STACK = /\n\s+at |node:internal|\.ts:\d+/;

describe('a configuration that is wrong', () => {
  it('is told with all its problems at once, ends with 1 and repeats no key', async () => {
    const secret = inventKeys().live;
    const service = launch({
      data: await freshDirectory(),
      environment: {
        TRIFOLD_PORT: '99999',
        TRIFOLD_KUBE_PORT: 'many',
        TRIFOLD_LOG_LEVEL: 'loud',
        TRIFOLD_LIVE_KEY: `${secret}x`,
        TRIFOLD_TEST_KEY: secret,
      },
    });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    for (const variable of ['PORT', 'KUBE_PORT', 'LOG_LEVEL', 'LIVE_KEY', 'TEST_KEY']) {
      expect(service.stderr).toMatch(new RegExp(`TRIFOLD_${variable}\\b`));
    }
    expect(service.output).not.toContain(secret.slice(8));
    expect(service.stderr).not.toMatch(NO_STACK);
    expect(service.stdout).toBe('');
  });

  it('a browser that is not there is named', async () => {
    const service = launch({
      data: await freshDirectory(),
      environment: { TRIFOLD_BROWSER: '/nowhere/chromium' },
    });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.stderr).toContain('/nowhere/chromium');
  });

  it('a data directory that cannot be one is named', async () => {
    const file = join(await freshDirectory(), 'file');
    await writeFile(file, 'in the way');
    const service = launch({ data: file });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.stderr).toContain(file);
    expect(service.stderr).not.toMatch(NO_STACK);
  });

  it('a port that is taken is named, for the API and for kubectl, and nothing keeps running', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    try {
      for (const variable of ['TRIFOLD_PORT', 'TRIFOLD_KUBE_PORT']) {
        const data = await freshDirectory();
        const service = launch({ data, keys: inventKeys(), environment: { [variable]: String(port) } });
        expect(await service.ended, service.output).toEqual({ code: 1, signal: null });
        expect(service.stderr).toContain(String(port));
        expect(service.stderr).not.toMatch(NO_STACK);
      }
    } finally {
      taken.close();
    }
  });
});

describe('a data directory', () => {
  it('serves one process at a time; the second is told so and harms nothing', async () => {
    const first = await freshService();
    const { id } = await first.live.createTemplate();
    const second = launch({ data: first.data });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.stderr).toContain(first.data);
    expect(second.stderr).toMatch(/another|in use|already/i);
    expect(second.stderr).not.toMatch(NO_STACK);
    expect((await first.live.get(`/v1/templates/${id}`)).status).toBe(200);
    await first.live.generate(id, { name: 'Ada' });
  });

  it('is free again at once after its process was killed', async () => {
    const keys = inventKeys();
    const first = await freshService({ keys });
    const { id } = await first.live.createTemplate();
    await first.kill();
    const second = await launch({ data: first.data, keys }).ready();
    expect((await second.live.get(`/v1/templates/${id}`)).status).toBe(200);
  });
});
