import { isIP } from 'node:net';

/** An address range in CIDR notation: `10.0.0.0/8`, `fd00::/8`. */
export interface AddressRange {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/**
 * Parses `address/prefix`; an address without a prefix is a range of one. Throws a RangeError that says what was
 * expected.
 */
export function parseAddressRange(text: string): AddressRange {
  const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const prefix = Number(bits ?? most);
  if (version !== 0 && prefix <= most) return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
  throw new RangeError(
    `must be address ranges such as 10.96.0.0/12 or fd00::/8, separated by commas, not ${JSON.stringify(text)}`,
  );
}
