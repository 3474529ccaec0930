import { randomBytes, X509Certificate } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { makeDirectory } from '@trifold/platform/object-store/directory/make-directory.ts';
import { replaceFile } from '@trifold/platform/process/durability.ts';
import { SetupError } from '@trifold/platform/errors/trifold-error.ts';
import { createAuthority, createServerCertificate, type KeyPair } from './certificates.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A server certificate that expires sooner than this is renewed at startup. */
const RENEW_BEFORE_MS = 90 * DAY_MS;

/** Credentials for the listener and its clients. */
export interface Credentials {
  /** PEM. */
  readonly caCertificate: string;
  readonly server: KeyPair;
  readonly token: string;
}

/**
 * Reads the CA, the server certificate and the token from the directory; creates missing files and renews an expiring
 * certificate. Only the owner can read the files. The CA and the token do not change, so that kubeconfigs remain valid.
 * Rejects with SetupError when the files are damaged.
 */
export async function loadCredentials(directory: string, host: string, now: Date): Promise<Credentials> {
  await makeDirectory(directory, 0o700);
  await chmod(directory, 0o700);
  try {
    return await readOrMake(new CredentialFiles(directory), host, now);
  } catch (error) {
    if (!isCryptographic(error)) throw error;
    const advice =
      'remove the directory to create new ones; programs that use the kubeconfig must read it again';
    throw new SetupError(`the certificates in ${directory} are damaged: ${advice}`, error);
  }
}

async function readOrMake(files: CredentialFiles, host: string, now: Date): Promise<Credentials> {
  const authority = await files.keyPair('ca', () => createAuthority(now));
  const hosts = serverNames(host);
  const server = await files.keyPair(
    'server',
    () => createServerCertificate(authority, hosts, now),
    (pair) => isUsable(pair, authority, { hosts, now }),
  );
  const token = await files.text('token', () => randomBytes(32).toString('base64url'));
  return { caCertificate: authority.certificate, server, token: token.trim() };
}

function isCryptographic(error: unknown): boolean {
  return error instanceof Error && /^ERR_(?:OSSL|CRYPTO)_/.test((error as NodeJS.ErrnoException).code ?? '');
}

/** Names of the server; a listener on all addresses is also reachable by the machine's host name. */
function serverNames(host: string): string[] {
  const isWildcard = host === '0.0.0.0' || host === '::' || host === '';
  return [...new Set(['localhost', '127.0.0.1', '::1', isWildcard ? hostname() : host])];
}

function isUsable(
  pair: KeyPair,
  authority: KeyPair,
  wanted: { hosts: readonly string[]; now: Date },
): boolean {
  const certificate = new X509Certificate(pair.certificate);
  const expires = Date.parse(certificate.validTo);
  return (
    expires - wanted.now.getTime() > RENEW_BEFORE_MS &&
    certificate.verify(new X509Certificate(authority.certificate).publicKey) &&
    wanted.hosts.every((host) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)))
  );
}

class CredentialFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async keyPair(
    name: string,
    create: () => Promise<KeyPair>,
    usable: (pair: KeyPair) => boolean = () => true,
  ): Promise<KeyPair> {
    const [certificate, key] = await Promise.all([this.#read(`${name}.crt`), this.#read(`${name}.key`)]);
    if (certificate && key && usable({ certificate, key })) return { certificate, key };
    const pair = await create();
    // The key is written first: if a certificate exists, so does its key.
    await this.#write(`${name}.key`, pair.key);
    await this.#write(`${name}.crt`, pair.certificate);
    return pair;
  }

  async text(name: string, create: () => string): Promise<string> {
    const present = await this.#read(name);
    if (present) return present;
    const text = create();
    await this.#write(name, `${text}\n`);
    return text;
  }

  async #read(name: string): Promise<string | undefined> {
    try {
      return await readFile(path.join(this.#directory, name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async #write(name: string, text: string): Promise<void> {
    await replaceFile(path.join(this.#directory, name), text);
  }
}
