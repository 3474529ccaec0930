import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { AddressGuard } from './address-guard.ts';
import { OutboundError } from './outbound-error.ts';
import type { Resolver } from './resolver.ts';

type Guard = Pick<AddressGuard, 'allows'>;

/**
 * Resolves a URL's host once and returns the addresses that may be reached. Rejects with OutboundError
 * `address_forbidden` or `dns_failed`, or the signal's reason.
 */
export async function checkedAddresses(
  url: URL,
  guard: Guard,
  resolver: Resolver,
  signal: AbortSignal,
): Promise<string[]> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(hostname) !== 0) {
    if (guard.allows(hostname)) return [hostname];
    throw new OutboundError('address_forbidden', `${hostname} is not an address that may be reached`);
  }
  const found = await resolver.resolve(hostname, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new OutboundError('dns_failed', `the name ${hostname} has no address`, { cause });
  });
  const allowed = found.filter((address) => guard.allows(address));
  if (found.length === 0) throw new OutboundError('dns_failed', `the name ${hostname} has no address`);
  if (allowed.length > 0) return allowed;
  throw new OutboundError('address_forbidden', `${hostname} has no address that may be reached`);
}

/** Replaces the DNS lookup: returns addresses that were resolved and checked before. */
export function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}

/** Second line of defense: closes a connection to a forbidden address before anything is sent. */
export function verifyPeer(socket: Socket, guard: Guard): void {
  socket.once('connect', () => {
    if (guard.allows(socket.remoteAddress ?? '')) return;
    socket.destroy(
      new OutboundError('address_forbidden', 'the connection led to an address that may not be reached'),
    );
  });
}
