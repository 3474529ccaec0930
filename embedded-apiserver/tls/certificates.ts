import { createPrivateKey, KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type * as X509 from '@peculiar/x509';

const DAY_MS = 24 * 60 * 60 * 1000;
const CA_LIFETIME_MS = 3650 * DAY_MS;
/** Clients reject server certificates that are valid for much more than a year. */
const SERVER_LIFETIME_MS = 397 * DAY_MS;

/** Tolerates clock skew between client and server. */
const BACKDATED_MS = 60 * 60 * 1000;

const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };

/** A certificate and its private key, PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Creates a certificate authority that signs only server certificates. It is valid for ten years. */
export async function createAuthority(now: Date): Promise<KeyPair> {
  const x509 = await loadX509();
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Trifold standalone CA',
    ...validity(now, CA_LIFETIME_MS),
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return pemOf(certificate, keys.privateKey);
}

/**
 * Creates a server certificate for DNS names and addresses, signed by the authority. It is valid for 397 days.
 * Throws `ERR_OSSL_*` when the authority is not PEM.
 */
export async function createServerCertificate(
  authority: KeyPair,
  hosts: readonly string[],
  now: Date,
): Promise<KeyPair> {
  const signingKey = createPrivateKey(authority.key).toCryptoKey(KEY_ALGORITHM, false, ['sign']);
  const { raw } = new X509Certificate(authority.certificate);
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(raw);
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=trifold-control-plane',
    issuer: issuer.subjectName,
    ...validity(now, SERVER_LIFETIME_MS),
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isIP(host) === 0 ? 'dns' : 'ip', value: host })),
      ),
      // Copied instead of computed: authorities created by earlier versions hash their key differently.
      ...issuer
        .getExtensions(x509.SubjectKeyIdentifierExtension)
        .map(({ keyId }) => new x509.AuthorityKeyIdentifierExtension(keyId)),
    ],
  });
  return pemOf(certificate, keys.privateKey);
}

/** Lazy import: loading takes 0.1 s or more, and most starts do not create a certificate. */
async function loadX509(): Promise<typeof X509> {
  // The library's dependency injection (tsyringe) needs `Reflect.getMetadata`.
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
}

function validity(now: Date, lifetimeMs: number): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - BACKDATED_MS),
    notAfter: new Date(now.getTime() + lifetimeMs),
  };
}

function pemOf(certificate: X509.X509Certificate, privateKey: webcrypto.CryptoKey): KeyPair {
  return {
    certificate: new X509Certificate(Buffer.from(certificate.rawData)).toString(),
    key: KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
