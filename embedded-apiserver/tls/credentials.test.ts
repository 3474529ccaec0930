import { X509Certificate } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadCredentials } from './credentials.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** An authority from an earlier version: its key identifier is a SHA-256. */
const EARLIER_AUTHORITY = {
  'ca.crt': `-----BEGIN CERTIFICATE-----
MIIBgTCCASmgAwIBAgIQQh10lA+3lymDJWoOEeaB3TAKBggqhkjOPQQDAjAgMR4w
HAYDVQQDDBVUcmlmb2xkIHN0YW5kYWxvbmUgQ0EwHhcNMjYxMTIyMDU0OTA4WhcN
MzYxMTE5MDY0OTA4WjAgMR4wHAYDVQQDDBVUcmlmb2xkIHN0YW5kYWxvbmUgQ0Ew
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARBfhe3SaoQo8mGrFG0o9pDCjWvE5ik
1YhtbNjiq8o4sgpJNXk08SxdTKDisZBFMotIEoMksKG31fSd9S9vH2Eoo0UwQzAS
BgNVHRMBAf8ECDAGAQH/AgEAMA4GA1UdDwEB/wQEAwIBBjAdBgNVHQ4EFgQUWPAA
3OZPW6HQbxjaQsr5odfxc7YwCgYIKoZIzj0EAwIDRgAwQwIfYcJl9/+0EZEOi8DX
wRp3P0nTZqyaslMMlMpKg0iVOwIgdLV/+irwZgJi7sZplJKs02ImUNR33z85HcV+
mX4sn+w=
-----END CERTIFICATE-----
`,
  'ca.key': `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrCsD2Jzi73LdfA1P
0oorCE8QfNfeEV6hObcx7gmHySChRANCAARBfhe3SaoQo8mGrFG0o9pDCjWvE5ik
1YhtbNjiq8o4sgpJNXk08SxdTKDisZBFMotIEoMksKG31fSd9S9vH2Eo
-----END PRIVATE KEY-----
`,
};

describe('loadCredentials', () => {
  let directory: string;
  const start = new Date('2026-11-21T12:00:00Z');

  beforeEach(() => void (directory = testDirectory()));

  const load = (host: string, afterDays: number) =>
    loadCredentials(directory, host, new Date(start.getTime() + afterDays * DAY_MS));

  it('keeps valid credentials', async () => {
    const first = await load('127.0.0.1', 0);
    expect(await load('127.0.0.1', 300)).toEqual(first);
    expect(await load('localhost', 300)).toEqual(first);
  });

  it('renews the certificate before it expires, under the same CA and token', async () => {
    const first = await load('127.0.0.1', 0);
    const later = await load('127.0.0.1', 310);
    expect(later.server).not.toEqual(first.server);
    expect([later.token, later.caCertificate]).toEqual([first.token, first.caCertificate]);
    const { publicKey } = new X509Certificate(first.caCertificate);
    expect(new X509Certificate(later.server.certificate).verify(publicKey)).toBe(true);
  });

  it('issues a new certificate under a CA from an earlier version and keeps that CA', async () => {
    for (const [name, text] of Object.entries(EARLIER_AUTHORITY))
      writeFileSync(path.join(directory, name), text);
    const { caCertificate, server } = await load('127.0.0.1', 0);
    expect(caCertificate).toBe(EARLIER_AUTHORITY['ca.crt']);
    const authority = new X509Certificate(caCertificate);
    const certificate = new X509Certificate(server.certificate);
    // Compares the names and the key identifiers; `verify` compares the signature.
    expect(certificate.checkIssued(authority)).toBe(true);
    expect(certificate.verify(authority.publicKey)).toBe(true);
  });

  it('renews the certificate if it does not contain the host', async () => {
    const host = 'plane.example.com';
    const first = new X509Certificate((await load('127.0.0.1', 0)).server.certificate);
    const other = new X509Certificate((await load(host, 0)).server.certificate);
    expect([first.checkHost(host), other.checkHost(host)]).toEqual([undefined, host]);
    expect(other.checkIP('127.0.0.1')).toBe('127.0.0.1');
  });

  it('creates new credentials if a crash left a key without its certificate', async () => {
    const first = await load('127.0.0.1', 0);
    rmSync(path.join(directory, 'server.crt'));
    writeFileSync(path.join(directory, 'server.crt.new'), 'half of a');
    const second = await load('127.0.0.1', 0);
    expect(second.server).not.toEqual(first.server);
    expect(second.caCertificate).toBe(first.caCertificate);
  });
});
