import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listenHost } from './listen-host.ts';

/** Node's own binding. */
const { TCP } = (process as unknown as { binding(name: string): { TCP: { prototype: Binding } } }).binding(
  'tcp_wrap',
);
interface Binding {
  bind6(): number;
}
const EAFNOSUPPORT = -97;

it.each(['::', '0.0.0.0'])('Processes listen on every address: %s', async (address) => {
  const bind = vi.spyOn(TCP.prototype, 'bind6');
  onTestFinished(() => bind.mockRestore());
  if (address === '0.0.0.0') bind.mockReturnValue(EAFNOSUPPORT);
  const server = createServer().listen({ port: 0, host: listenHost('::') });
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect((server.address() as AddressInfo).address).toBe(address);
  expect(listenHost('127.0.0.1')).toBe('127.0.0.1');
});
