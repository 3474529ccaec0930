import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { OperationsServer } from '@trifold/platform/process/operations-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { removeDirectory, ServiceProcess, temporaryDirectory } from '../support/service.ts';

/** Twice the limit: Node's defaults are longer. */
const DEADLINE_MS = 30_000;

describe('A client that never finishes the headers of a request', () => {
  let data: string;
  let service: ServiceProcess;
  let operations: OperationsServer;

  beforeAll(async () => {
    data = await temporaryDirectory();
    service = new ServiceProcess({ data });
    await service.ready();
    operations = await OperationsServer.listen({
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      logger: createLogger({ level: 'silent', name: 'operations' }),
      metrics: new Metrics(),
      ready: [],
    });
  }, 60_000);
  afterAll(async () => {
    await operations.close();
    await service.stop();
    await removeDirectory(data);
  });

  it('loses its connection to the gateway, the embedded API server and the operations server', async () => {
    const gateway = Number(new URL(service.url).port);
    const api = Number(
      new URL(loadKubeConfig({ kubeconfig: service.kubeconfig }).getCurrentCluster()?.server ?? '').port,
    );
    const options = { host: '127.0.0.1', allowHalfOpen: true };
    const sockets = [
      connect({ ...options, port: gateway }),
      connect({ ...options, port: operations.port }),
      connectTls({ host: '127.0.0.1', port: api, rejectUnauthorized: false }),
      // Never starts the TLS handshake.
      connect({ ...options, port: api }),
    ];
    for (const socket of sockets) socket.on('error', () => undefined).resume();
    for (const socket of sockets.slice(0, 3)) socket.write('GET /readyz HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    await eventually(
      () => {
        // A write reveals a connection that the server has closed but the client has not.
        for (const socket of sockets) if (socket.writable && socket.readableEnded) socket.write('x');
        expect(sockets.map(({ closed }) => closed)).toEqual([true, true, true, true]);
      },
      { timeoutMs: DEADLINE_MS },
    );
  }, 60_000);
});
