import { expect, it } from 'vitest';
import { listenHost } from './listen-host.ts';

it.each([
  ['::', true, '::'],
  ['::', false, '0.0.0.0'],
  ['::1', false, '::1'],
  ['127.0.0.1', false, '127.0.0.1'],
])('The address %s, with IPv6 %s, listens on %s', async (host, hasIpv6, expected) => {
  expect(await listenHost(host, async () => hasIpv6)).toBe(expected);
});
