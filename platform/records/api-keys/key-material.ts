import { createHash, randomInt } from 'node:crypto';
import { isKey, type ApiKeySpec, type KeyMode, type Scope } from '@trifold/crds';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_LENGTH = 43;

/** Generates a key. `randomInt` uses the CSPRNG without modulo bias. */
export function generateKey(mode: KeyMode): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  return `tf_${mode}_${secret.join('')}`;
}

/** Returns the SHA-256 of a key, lowercase hexadecimal. The key has 256 bits of randomness: no salt, no stretching. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Returns the spec of the ApiKey resource for a key. Throws a RangeError for a string that is not a key. */
export function apiKeySpecOf(
  key: string,
  description: { name: string; scopes: readonly Scope[]; description?: string },
): ApiKeySpec {
  if (!isKey(key)) throw new RangeError('a key is tf_live_ or tf_test_ followed by 43 letters and digits');
  return {
    ...description,
    scopes: [...description.scopes],
    mode: key.startsWith('tf_live_') ? 'live' : 'test',
    sha256: hashKey(key),
    lastFour: key.slice(-4),
  };
}
