import { createHash, type webcrypto } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import type { SealedSecret } from '@trifold/crds';

/** HPKE in base mode (RFC 9180). Both sides use the same algorithms; a new suite needs a new key ID. */
const SUITE = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
const INFO = Buffer.from('trifold.dev/webhook-secret');
const ID_LENGTH = 16;

type CryptoKey = webcrypto.CryptoKey;

/** The endpoint that a secret is sealed for. The secret cannot be opened for any other. */
export interface SecretOwner {
  /** UID of the account's namespace. */
  readonly accountUid: string;
  /** Name of the WebhookEndpoint. */
  readonly endpoint: string;
}

/** Public key that seals signing secrets. It cannot open them. */
export class SealingKey {
  readonly id: string;
  /** The raw X25519 public key in base64. */
  readonly text: string;
  readonly #key: CryptoKey;

  private constructor(bytes: Uint8Array, key: CryptoKey) {
    this.id = createHash('sha256').update(bytes).digest('hex').slice(0, ID_LENGTH);
    this.text = Buffer.from(bytes).toString('base64');
    this.#key = key;
  }

  /** Rejects if the string is not a public key. */
  static async parse(text: string): Promise<SealingKey> {
    const bytes = Buffer.from(text, 'base64');
    return new SealingKey(bytes, await SUITE.kem.deserializePublicKey(bytes));
  }

  static async of(key: CryptoKey): Promise<SealingKey> {
    return new SealingKey(new Uint8Array(await SUITE.kem.serializePublicKey(key)), key);
  }

  async seal(secret: string, owner: SecretOwner): Promise<SealedSecret> {
    const sender = { recipientPublicKey: this.#key, info: INFO };
    const { enc, ct } = await SUITE.seal(sender, Buffer.from(secret), associatedData(owner));
    const ciphertext = Buffer.concat([new Uint8Array(enc), new Uint8Array(ct)]).toString('base64');
    return { keyId: this.id, ciphertext };
  }
}

interface KeyPair {
  readonly publicKey: SealingKey;
  readonly privateKey: CryptoKey;
}

/** The controller's key pairs. */
export class WebhookKeys {
  readonly #texts: readonly string[];
  #pairs: Promise<KeyPair[]> | undefined;

  /** `texts`: secret input for the key pairs, at least 32 characters each, newest first. */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  /** Returns the newest public key, or undefined if there are no keys. */
  async sealingKey(): Promise<SealingKey | undefined> {
    const [newest] = await this.#derived();
    return newest?.publicKey;
  }

  /** Whether one of the keys has this ID. */
  async has(keyId: string): Promise<boolean> {
    return (await this.#derived()).some(({ publicKey }) => publicKey.id === keyId);
  }

  /** Returns the secret; undefined if no key has its ID, if it was changed, or if it belongs to another owner. */
  async open({ keyId, ciphertext }: SealedSecret, owner: SecretOwner): Promise<string | undefined> {
    const pair = (await this.#derived()).find(({ publicKey }) => publicKey.id === keyId);
    if (!pair) return undefined;
    const bytes = Buffer.from(ciphertext, 'base64');
    const enc = bytes.subarray(0, SUITE.kem.encSize);
    const recipient = { recipientKey: pair.privateKey, enc, info: INFO };
    try {
      const opened = await SUITE.open(recipient, bytes.subarray(SUITE.kem.encSize), associatedData(owner));
      return Buffer.from(opened).toString();
    } catch {
      return undefined;
    }
  }

  #derived(): Promise<KeyPair[]> {
    this.#pairs ??= Promise.all(this.#texts.map(derive));
    return this.#pairs;
  }
}

/** Derives a key pair from a high-entropy string (RFC 9180, DeriveKeyPair). */
async function derive(text: string): Promise<KeyPair> {
  const { privateKey, publicKey } = await SUITE.kem.deriveKeyPair(Buffer.from(text));
  return { publicKey: await SealingKey.of(publicKey), privateKey };
}

/** Names contain no slash, so no two owners share this value. */
function associatedData({ accountUid, endpoint }: SecretOwner): Buffer {
  return Buffer.from(`${accountUid}/${endpoint}`);
}
