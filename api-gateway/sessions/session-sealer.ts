import { createHash } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import type { Clock } from '@trifold/platform/service/clock.ts';

/** Maximum time between two uses of a session, in seconds. */
export const SESSION_SECONDS = 8 * 3600;

/** What the cookie of a session contains: the holder of a key, never the key itself. */
export interface Session {
  /** Namespace of the account. */
  readonly account: string;
  /** Name of the ApiKey. */
  readonly keyId: string;
  /** Uid of the ApiKey, which no later key of the same name has. */
  readonly keyUid: string;
  readonly signedInAt: Date;
  /** Whether only https requests carry the cookie. */
  readonly https: boolean;
}

export interface OpenedSession extends Session {
  /** Time when the cookie was sealed. */
  readonly sealedAt: Date;
}

interface Payload extends Omit<Session, 'signedInAt'> {
  /** Milliseconds since 1970. */
  readonly signedInAt: number;
  /** Seconds since 1970. */
  readonly iat: number;
}

const SEAL = { alg: 'dir', enc: 'A256GCM' } as const;

/** Encrypts and authenticates sessions as JWE (RFC 7516), with a secret that all gateways share. */
export class SessionSealer {
  readonly #key: Uint8Array;
  readonly #clock: Clock;

  constructor(secret: string, clock: Clock) {
    this.#key = createHash('sha256').update(`trifold session\n${secret}`).digest();
    this.#clock = clock;
  }

  async seal({ signedInAt, ...session }: Session): Promise<string> {
    const now = Math.floor(this.#clock.now().getTime() / 1000);
    return new EncryptJWT({ ...session, signedInAt: signedInAt.getTime() })
      .setProtectedHeader(SEAL)
      .setIssuedAt(now)
      .setExpirationTime(now + SESSION_SECONDS)
      .encrypt(this.#key);
  }

  /** Returns undefined for a session that expired or that was not sealed with this secret. */
  async open(sealed: string): Promise<OpenedSession | undefined> {
    try {
      const { payload } = await jwtDecrypt<Payload>(sealed, this.#key, {
        contentEncryptionAlgorithms: [SEAL.enc],
        keyManagementAlgorithms: [SEAL.alg],
        currentDate: this.#clock.now(),
      });
      const { account, keyId, keyUid, https, signedInAt, iat } = payload;
      const sealedAt = new Date(iat * 1000);
      return { account, keyId, keyUid, https, signedInAt: new Date(signedInAt), sealedAt };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}
