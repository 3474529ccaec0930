import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import {
  bitString,
  boolean,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  tagged,
  time,
  utf8String,
  type Der,
} from '../http/der.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const CA_LIFETIME_MS = 3650 * DAY_MS;
/** Clients refuse server certificates that are valid for much longer than a year. */
const SERVER_LIFETIME_MS = 397 * DAY_MS;

/** Clocks of client and server may differ. */
const BACKDATED_MS = 60 * 60 * 1000;

const AUTHORITY_NAME = 'Trifold standalone CA';

/** A certificate and its key, PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** A new certificate authority that signs server certificates only. */
export function createAuthority(now: Date): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return certify(privateKey, {
    subject: AUTHORITY_NAME,
    signingKey: privateKey,
    publicKey,
    now,
    lifetimeMs: CA_LIFETIME_MS,
    extensions: [
      // CA: true, and no further CA below it.
      extension('2.5.29.19', true, sequence(boolean(true), integer(Buffer.from([0])))),
      // keyCertSign and cRLSign.
      extension('2.5.29.15', true, bitString(Buffer.from([0b0000_0110]), 1)),
      extension('2.5.29.14', false, octetString(keyIdentifier(publicKey))),
    ],
  });
}

/** A new server certificate for the names and addresses, signed by the authority. */
export function createServerCertificate(authority: KeyPair, hosts: readonly string[], now: Date): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const authorityKey = new X509Certificate(authority.certificate).publicKey;
  return certify(privateKey, {
    subject: 'trifold-control-plane',
    signingKey: createPrivateKey(authority.key),
    publicKey,
    now,
    lifetimeMs: SERVER_LIFETIME_MS,
    extensions: [
      extension('2.5.29.19', true, sequence()),
      // digitalSignature.
      extension('2.5.29.15', true, bitString(Buffer.from([0b1000_0000]), 7)),
      // serverAuth.
      extension('2.5.29.37', false, sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))),
      extension('2.5.29.17', false, sequence(...hosts.map((host) => alternativeName(host)))),
      extension('2.5.29.35', false, sequence(tagged(0, keyIdentifier(authorityKey), false))),
    ],
  });
}

interface CertificateParts {
  readonly subject: string;
  readonly signingKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly now: Date;
  readonly lifetimeMs: number;
  readonly extensions: readonly Der[];
}

/** ecdsa-with-SHA256. */
const SIGNATURE_ALGORITHM = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

/** Builds and signs a certificate (RFC 5280, version 3). */
function certify(privateKey: KeyObject, parts: CertificateParts): KeyPair {
  const serial = randomBytes(16);
  serial[0] = (serial[0] ?? 0) & 0x7f || 0x01;
  const content = sequence(
    tagged(0, integer(Buffer.from([2])), true),
    integer(serial),
    SIGNATURE_ALGORITHM,
    commonName(AUTHORITY_NAME),
    sequence(
      time(new Date(parts.now.getTime() - BACKDATED_MS)),
      time(new Date(parts.now.getTime() + parts.lifetimeMs)),
    ),
    commonName(parts.subject),
    spki(parts.publicKey),
    tagged(3, sequence(...parts.extensions), true),
  );
  const signature = sign('sha256', content, parts.signingKey);
  const der = sequence(content, SIGNATURE_ALGORITHM, bitString(signature));
  return {
    certificate: new X509Certificate(der).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function commonName(name: string): Der {
  return sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(name))));
}

function spki(key: KeyObject): Der {
  return key.export({ type: 'spki', format: 'der' });
}

/** Any unique value will do (RFC 7093): the start of a SHA-256. */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha256').update(spki(key)).digest().subarray(0, 20);
}

function extension(identifier: string, critical: boolean, value: Der): Der {
  return sequence(objectIdentifier(identifier), ...(critical ? [boolean(true)] : []), octetString(value));
}

/** A DNS name or an address, as subjectAltName has it. */
function alternativeName(host: string): Der {
  const version = isIP(host);
  if (version === 0) return tagged(2, Buffer.from(host), false);
  return tagged(7, version === 4 ? ipv4Bytes(host) : ipv6Bytes(host), false);
}

function ipv4Bytes(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

function ipv6Bytes(address: string): Buffer {
  // URL writes any form of an address in its short hexadecimal form.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = short.split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [
    ...groups(head),
    ...Array.from({ length: tail === undefined ? 0 : missing }, () => '0'),
    ...groups(tail),
  ];
  return Buffer.from(
    all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]),
  );
}
