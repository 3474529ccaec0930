/**
 * A gateway with its own control plane, run as a process: it prints `{port, key}` when it listens, and closes and exits
 * on SIGTERM. Its jobs never finish. Each preview is a 26 MB file.
 */
import type { AddressInfo } from 'node:net';
import { GatewayFixture } from './gateway-fixture.ts';
import { completed } from './scripted-previews.ts';

const previewRenderer = {
  render: async () => ({ ...completed(''), file: Buffer.alloc(26_000_000, 'png ') }),
};
const fixture = await GatewayFixture.start({ previewRenderer });
await fixture.gateway.app.listen({ host: '127.0.0.1', port: 0 });
const { port } = fixture.gateway.app.server.address() as AddressInfo;
process.once('SIGTERM', () => void fixture.stop());
process.stdout.write(`${JSON.stringify({ port, key: fixture.key })}\n`);
