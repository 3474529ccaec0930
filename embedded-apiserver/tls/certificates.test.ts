import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, createServerCertificate, type KeyPair } from './certificates.ts';

describe('Certificates', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  let authority: KeyPair;
  let ca: X509Certificate;
  let server: X509Certificate;
  beforeAll(async () => {
    authority = await createAuthority(now);
    ca = new X509Certificate(authority.certificate);
    const hosts = ['localhost', '127.0.0.1', '::1', 'fe80::1:2', '2001:db8::', 'plane.example.com'];
    const pair = await createServerCertificate(authority, hosts, now);
    server = new X509Certificate(pair.certificate);
  });

  it('consist of a self-signed CA and a server certificate that it signs', async () => {
    expect([ca.ca, server.ca]).toEqual([true, false]);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(server.verify(ca.publicKey)).toBe(true);
    expect(server.checkIssued(ca)).toBe(true);
    const other = await createAuthority(now);
    expect(server.verify(new X509Certificate(other.certificate).publicKey)).toBe(false);
  });

  it('contain only the requested names and addresses', () => {
    for (const host of ['localhost', 'plane.example.com']) expect(server.checkHost(host)).toBe(host);
    for (const address of ['127.0.0.1', '::1', 'fe80::1:2', '2001:db8::'])
      expect(server.checkIP(address)).toBe(address);
    expect(server.checkHost('example.com')).toBeUndefined();
    expect(server.checkIP('127.0.0.2')).toBeUndefined();
  });

  it('are valid from one hour ago, the CA for ten years and the server certificate for thirteen months', () => {
    const days = (certificate: X509Certificate) =>
      Math.round((Date.parse(certificate.validTo) - now.getTime()) / 86_400_000);
    expect(new Date(server.validFrom).toISOString()).toBe('2026-11-21T11:00:00.000Z');
    expect([days(ca), days(server)]).toEqual([3650, 397]);
  });

  it('support validity dates after 2049, which are encoded differently', async () => {
    const { certificate } = await createAuthority(new Date('2049-12-31T23:30:00Z'));
    const late = new X509Certificate(certificate);
    expect(new Date(late.validFrom).toISOString()).toBe('2049-12-31T22:30:00.000Z');
    expect(new Date(late.validTo).getUTCFullYear()).toBe(2059);
  });
});
