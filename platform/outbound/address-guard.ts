import { BlockList, isIP, isIPv6 } from 'node:net';

/** A range of addresses: `10.0.0.0/8`, `fd00::/8`. */
export interface AddressRange {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/**
 * IPv4 ranges that are not public (IANA special-purpose registry, RFC 6890 and later), and the one public address that a
 * cloud serves to its own machines. The metadata services of the other clouds are in ranges of the registry: AWS, Google,
 * DigitalOcean, Hetzner, OpenStack and Tencent in 169.254.0.0/16, Alibaba 100.100.100.200 in 100.64.0.0/10, Oracle
 * 192.0.0.192 in 192.0.0.0/24; fd00:ec2::254 (AWS) and fd20:ce::254 (Google) are unique local.
 */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, and what clouds tell their machines
  '168.63.129.16/32', // Azure's platform: DNS, health probes and the configuration of a machine
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

/**
 * Of IPv6 only what is given out is public, 2000::/3; these are the ranges in it that are not, most of them because they
 * hold an IPv4 address that somebody on the way unpacks. Forms outside of it (mapped ::ffff:0:0/96, compatible ::/96,
 * NAT64 64:ff9b::/96 and 64:ff9b:1::/48, unique local fc00::/7, link-local fe80::/10, multicast ff00::/8) fall with the rest.
 */
const NOT_PUBLIC_IPV6 = [
  '2001::/23', // protocol assignments, with Teredo 2001::/32, benchmarks and ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];
const GIVEN_OUT_IPV6 = '2000::/3';

/** Reads `address/prefix`; an address alone is a range of one. Throws a RangeError that says what was expected. */
export function parseAddressRange(text: string): AddressRange {
  const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const prefix = Number(bits ?? most);
  if (version !== 0 && prefix <= most) return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
  throw new RangeError(
    `must be ranges of addresses such as 10.96.0.0/12 or fd00::/8, separated by commas, not ${JSON.stringify(text)}`,
  );
}

/** Decides to which addresses a request may go that somebody else has asked for. */
export class AddressGuard {
  readonly #allowed: BlockList;
  readonly #denied: BlockList;
  readonly #forbidden = blockListOf([...NOT_PUBLIC_IPV4, ...NOT_PUBLIC_IPV6].map(parseAddressRange));
  readonly #givenOut = blockListOf([parseAddressRange(GIVEN_OUT_IPV6)]);

  /**
   * `allowed` are ranges that may be reached although they are not public, for receivers in the same cluster; `denied`
   * may not be reached, whether they are public or allowed.
   */
  constructor(allowed: readonly AddressRange[] = [], denied: readonly AddressRange[] = []) {
    this.#allowed = blockListOf(allowed);
    this.#denied = blockListOf(denied);
  }

  /** Whether a connection to this address may be made; false for what is no address. */
  allows(address: string): boolean {
    const plain = withoutZone(address);
    const version = isIP(plain);
    if (version === 0) return false;
    // BlockList looks at a mapped address as the IPv4 address it holds: for a connection it is the same thing.
    if (isIn(this.#denied, plain, version === 4 ? 'ipv4' : 'ipv6')) return false;
    if (version === 4) return isIn(this.#allowed, plain, 'ipv4') || !isIn(this.#forbidden, plain, 'ipv4');
    if (isIn(this.#allowed, plain, 'ipv6')) return true;
    return isIn(this.#givenOut, plain, 'ipv6') && !isIn(this.#forbidden, plain, 'ipv6');
  }
}

function blockListOf(ranges: readonly AddressRange[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix, family } of ranges) list.addSubnet(address, prefix, family);
  return list;
}

function isIn(list: BlockList, address: string, family: 'ipv4' | 'ipv6'): boolean {
  return list.check(address, family);
}

/** `fe80::1%eth0` names an interface of this machine. */
function withoutZone(address: string): string {
  const zone = address.indexOf('%');
  return zone > 0 && isIPv6(address.slice(0, zone)) ? address.slice(0, zone) : address;
}
