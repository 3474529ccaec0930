import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../async/clock.ts';
import { createLogger } from './logging.ts';
import { Metrics } from './metrics.ts';
import { OperationsServer, type OperationsOptions } from './operations-server.ts';

const logger = createLogger({ level: 'silent', name: 'test' });
const COMMON = {
  host: '127.0.0.1',
  port: 0,
  clock: systemClock,
  logger,
  metrics: new Metrics(),
  ready: [],
};
let server: OperationsServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function ask(
  path: string,
  options: Partial<OperationsOptions> = {},
  init: RequestInit = {},
): Promise<{ status: number; text: string }> {
  server ??= await OperationsServer.listen({ ...COMMON, metrics: new Metrics(), ...options });
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
  return { status: response.status, text: await response.text() };
}

const failing = (name: string, reason: string) => ({
  name,
  check: () => Promise.reject(new Error(reason)),
});
const holding = (name: string) => ({ name, check: async () => undefined });

describe('The operations server', () => {
  it('reports a live and ready process while its checks pass', async () => {
    const options = { live: [holding('browsers')], ready: [holding('queue'), holding('store')] };
    expect(await ask('/healthz', options)).toMatchObject({ status: 200 });
    const { status, text } = await ask('/readyz', options);
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        status: 'ready',
        checks: [
          { name: 'queue', ready: true },
          { name: 'store', ready: true },
        ],
      },
    ]);
  });

  it('accepts IPv4 on the address ::', async () => {
    expect(await ask('/healthz', { host: '::' })).toMatchObject({ status: 200 });
  });

  it('exposes the last result of its checks as metrics', async () => {
    const options = { ready: [holding('queue'), failing('store', 'no route')] };
    await ask('/readyz', options);
    const { text } = await ask('/metrics');
    expect(text).toContain('trifold_readiness_check{check="queue"} 1');
    expect(text).toContain('trifold_readiness_check{check="store"} 0');
  });

  it('reports which readiness check failed and why while the process is live', async () => {
    const options = { ready: [holding('queue'), failing('store', 'no route')] };
    const { status, text } = await ask('/readyz', options);
    expect([status, JSON.parse(text)]).toMatchObject([
      503,
      { status: 'not ready', checks: [{ ready: true }, { name: 'store', ready: false, reason: 'no route' }] },
    ]);
    expect((await ask('/healthz')).status).toBe(200);
  });

  it('fails liveness if a liveness check fails', async () => {
    const { status, text } = await ask('/healthz', { live: [failing('tasks', 'one is overdue')] });
    expect([status, text]).toEqual([503, expect.stringContaining('one is overdue')]);
  });

  it('serves no other routes', async () => {
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/healthz', {}, { method: 'POST' })).status).toBe(405);
  });

  it('fails to start on a port in use', async () => {
    await ask('/healthz');
    const port = server?.port ?? 0;
    await expect(OperationsServer.listen({ ...COMMON, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
