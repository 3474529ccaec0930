import { describe, expect, it } from 'vitest';
import { Metrics } from './metrics.ts';
import { createLogger } from './logging.ts';
import { listenHost } from './listen-host.ts';
import { OperationsServer } from './operations-server.ts';
import { systemClock } from '../async/clock.ts';

const failsWith = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

describe('Address to listen on', () => {
  it.each([
    ['::', 'EAFNOSUPPORT', '0.0.0.0'],
    ['::', 'EADDRNOTAVAIL', '0.0.0.0'],
    ['0.0.0.0', 'EAFNOSUPPORT', '0.0.0.0'],
    ['127.0.0.1', 'EAFNOSUPPORT', '127.0.0.1'],
  ])('is %s, or without IPv6 (%s) %s', async (host, code, expected) => {
    expect(await listenHost(host, failsWith(code))).toBe(expected);
  });

  it('does not hide other errors', async () => {
    await expect(listenHost('::', failsWith('EMFILE'))).rejects.toThrow('EMFILE');
  });

  it('accepts IPv4, and IPv6 where the machine has it', async () => {
    const host = await listenHost('::');
    const logger = createLogger({ level: 'silent', name: 'test' });
    const options = { clock: systemClock, logger, metrics: new Metrics(), ready: [] };
    const server = await OperationsServer.listen({ ...options, host, port: 0 });
    try {
      for (const address of host === '::' ? ['127.0.0.1', '[::1]'] : ['127.0.0.1']) {
        expect((await fetch(`http://${address}:${server.port}/healthz`)).status).toBe(200);
      }
    } finally {
      await server.close();
    }
  });
});
