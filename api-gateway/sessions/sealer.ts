import { createHash } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt, type JWTPayload } from 'jose';
import type { Clock } from '@trifold/platform/service/clock.ts';

const SEAL = { alg: 'dir', enc: 'A256GCM' } as const;

/**
 * Encrypts and authenticates the content of cookies as JWE (RFC 7516), with a secret that all gateways share. What was
 * sealed for one purpose cannot be opened for another.
 */
export class Sealer<Payload extends object> {
  readonly #key: Uint8Array;
  readonly #clock: Clock;

  constructor(purpose: string, secret: string, clock: Clock) {
    this.#key = createHash('sha256').update(`trifold ${purpose}\n${secret}`).digest();
    this.#clock = clock;
  }

  /** `seconds`: time in which the result can be opened. */
  async seal(payload: Payload, seconds: number): Promise<string> {
    const now = Math.floor(this.#clock.now().getTime() / 1000);
    return new EncryptJWT({ ...payload } as JWTPayload)
      .setProtectedHeader(SEAL)
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .encrypt(this.#key);
  }

  /** Returns undefined for a text that expired or that was not sealed with this secret for this purpose. */
  async open(sealed: string): Promise<{ readonly payload: Payload; readonly sealedAt: Date } | undefined> {
    try {
      const { payload } = await jwtDecrypt<Payload & Required<Pick<JWTPayload, 'iat'>>>(sealed, this.#key, {
        contentEncryptionAlgorithms: [SEAL.enc],
        keyManagementAlgorithms: [SEAL.alg],
        currentDate: this.#clock.now(),
      });
      return { payload, sealedAt: new Date(payload.iat * 1000) };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}
