import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { RenderOutcome, RenderTask } from '../port.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts and authenticates task data in Redis: write access to Redis does not allow rendering anything, and read
 * access reveals nothing. Controllers and renderers share the keys (docs/adr/0038-renderers-without-keys.md).
 */
export class TaskSeal {
  readonly #keys: readonly string[];

  /** Seals with the first key; opens with any of them. */
  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  sealTask(task: RenderTask): string {
    return this.#seal(`task ${task.id}`, task);
  }

  /** Returns undefined unless this was sealed with a known key as the task with this ID. */
  openTask(id: string, sealed: unknown): RenderTask | undefined {
    return this.#open(`task ${id}`, sealed) as RenderTask | undefined;
  }

  sealOutcome(id: string, outcome: RenderOutcome): string {
    return this.#seal(`outcome ${id}`, outcome);
  }

  /** Returns undefined unless this was sealed with a known key as the outcome of the task with this ID. */
  openOutcome(id: string, sealed: unknown): RenderOutcome | undefined {
    const outcome = this.#open(`outcome ${id}`, sealed) as RenderOutcome | undefined;
    const isComplete =
      outcome?.status === 'completed' ? outcome.result : outcome?.status === 'failed' && outcome.failure;
    return isComplete ? outcome : undefined;
  }

  #seal(subject: string, value: unknown): string {
    const [newest = ''] = this.#keys;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, subjectKey(newest, subject), nonce, { authTagLength: TAG_BYTES });
    const content = [cipher.update(JSON.stringify(value), 'utf8'), cipher.final()];
    return Buffer.concat([nonce, ...content, cipher.getAuthTag()]).toString('base64');
  }

  #open(subject: string, sealed: unknown): unknown {
    const bytes = typeof sealed === 'string' ? Buffer.from(sealed, 'base64') : Buffer.alloc(0);
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    for (const key of this.#keys) {
      const text = decrypted(subjectKey(key, subject), bytes);
      if (text !== undefined) return JSON.parse(text);
    }
    return undefined;
  }
}

/** One key per subject: nothing can be moved to another task, and no key ever runs out of random nonces. */
function subjectKey(key: string, subject: string): Buffer {
  return createHmac('sha256', key).update(`trifold ${subject}`).digest();
}

function decrypted(key: Buffer, bytes: Buffer): string | undefined {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const content = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
    return decipher.update(content, undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
