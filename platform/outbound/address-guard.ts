import { BlockList, isIP, isIPv6 } from 'node:net';
import { parseAddressRange, type AddressRange } from '../settings/address-range.ts';

/**
 * IPv4 ranges that are not public (IANA special-purpose registry, RFC 6890 and later), and the one public address that
 * a cloud serves to its own VMs. The metadata services of the other clouds are in ranges of the registry: AWS, Google,
 * DigitalOcean, Hetzner, OpenStack and Tencent in 169.254.0.0/16, Alibaba 100.100.100.200 in 100.64.0.0/10, Oracle
 * 192.0.0.192 in 192.0.0.0/24; fd00:ec2::254 (AWS) and fd20:ce::254 (Google) are unique local.
 */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, and metadata services of clouds
  '168.63.129.16/32', // Azure's platform: DNS, health probes and machine configuration
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
 * In IPv6 only the allocated range 2000::/3 is public. These are its exceptions, most of them because they contain an
 * IPv4 address that a router on the way extracts. Forms outside of it (mapped ::ffff:0:0/96, compatible ::/96, NAT64
 * 64:ff9b::/96 and 64:ff9b:1::/48, unique local fc00::/7, link-local fe80::/10, multicast ff00::/8) are not public
 * either.
 */
const NOT_PUBLIC_IPV6 = [
  '2001::/23', // protocol assignments, with Teredo 2001::/32, benchmarks and ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];
const GIVEN_OUT_IPV6 = '2000::/3';

/** Decides which addresses a request to a user-supplied URL may reach. */
export class AddressGuard {
  readonly #allowed: BlockList;
  readonly #denied: BlockList;
  readonly #forbidden = blockListOf([...NOT_PUBLIC_IPV4, ...NOT_PUBLIC_IPV6].map(parseAddressRange));
  readonly #givenOut = blockListOf([parseAddressRange(GIVEN_OUT_IPV6)]);

  /**
   * `allowed` are non-public ranges that may be reached, for receivers in the same cluster. `denied` ranges may not be
   * reached, whether they are public or allowed.
   */
  constructor(allowed: readonly AddressRange[] = [], denied: readonly AddressRange[] = []) {
    this.#allowed = blockListOf(allowed);
    this.#denied = blockListOf(denied);
  }

  /** Whether a connection to this address is allowed; false for a string that is not an address. */
  allows(address: string): boolean {
    const plain = withoutZone(address);
    const version = isIP(plain);
    if (version === 0) return false;
    // BlockList treats a mapped address as the IPv4 address in it, as do connections.
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

/** Removes the zone: `fe80::1%eth0` names an interface of this machine. */
function withoutZone(address: string): string {
  const zone = address.indexOf('%');
  return zone > 0 && isIPv6(address.slice(0, zone)) ? address.slice(0, zone) : address;
}
