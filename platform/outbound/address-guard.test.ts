import { describe, expect, it } from 'vitest';
import { AddressGuard } from './address-guard.ts';
import { parseAddressRange } from '../settings/address-range.ts';

const FORBIDDEN = `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.9
  168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.0.1
  198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 ::
  ::1 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:0:127.0.0.1
  ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::a00:1 100::1 2001::1
  2001:0:53aa:64c:0:fbfe:8080:fefe 2001:db8::1 2002:7f00:1::1 2002:a00:1:: 3fff::1 fc00::1
  fd12:3456::1 fe80::1 fe80::1%lo fec0::1 ff02::1 5f00::1 localhost 2130706433`.split(/\s+/);

const PUBLIC = `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
  168.63.129.15 168.63.129.17 169.253.255.255 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0
  198.17.255.255 198.20.0.0 223.255.255.255 2606:4700:4700::1111 2a00:1450:4001:800::200e
  2001:4860:4860::8888 2003::1`.split(/\s+/);

describe('An address guard without an allow-list', () => {
  const guard = new AddressGuard();
  it.each([...FORBIDDEN, ''])('blocks %s', (address) => expect(guard.allows(address)).toBe(false));
  it.each(PUBLIC)('allows %s', (address) => expect(guard.allows(address)).toBe(true));
});

describe('An address guard with a deny-list', () => {
  const allowed = ['10.96.0.0/12', 'fd00::/8'].map(parseAddressRange);
  const denied = ['10.100.0.0/16', '8.8.8.0/24', '2a00:1450::/32', 'fd00:1::/32'].map(parseAddressRange);
  const guard = new AddressGuard(allowed, denied);
  it.each([
    ['8.8.8.8', false],
    ['8.8.4.4', true],
    ['10.96.0.1', true],
    ['10.100.0.1', false],
    ['::ffff:10.96.0.1', true],
    ['::ffff:10.100.0.1', false],
    ['::ffff:808:808', false],
    ['2a00:1450:4001:800::200e', false],
    ['2606:4700:4700::1111', true],
    ['fd00:1::1', false],
    ['fd00:2::1', true],
  ])('denies public and allowed addresses: %s is reachable: %s', (address, expected) =>
    expect(guard.allows(address)).toBe(expected),
  );
});

describe('An address guard with an allow-list', () => {
  const guard = new AddressGuard(['10.96.0.0/12', '127.0.0.1', 'fd00::/8'].map(parseAddressRange));
  it.each([
    ['10.96.0.1', true],
    ['10.111.255.255', true],
    ['10.112.0.0', false],
    ['127.0.0.1', true],
    ['127.0.0.2', false],
    ['fd12::1', true],
    ['fc12::1', false],
    ['8.8.8.8', true],
    ['::1', false],
  ])('decides that %s is reachable: %s', (address, expected) => expect(guard.allows(address)).toBe(expected));

  it('may allow a cloud address that is not public', () => {
    expect(new AddressGuard([parseAddressRange('168.63.129.16')]).allows('168.63.129.16')).toBe(true);
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    'fd00::/129',
    '10.0.0/8',
    'example.com',
    '',
    '10.0.0.0/x',
    '10.0.0.0/',
  ])('rejects the range %j', (text) => expect(() => parseAddressRange(text)).toThrow(RangeError));
});
