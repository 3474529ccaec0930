import { Worker } from 'node:worker_threads';
import type { Attachment } from '@trifold/platform/records/documents/attachments.ts';
import { unavailable } from '../../server/errors/api-error.ts';

/** Attachments as they are stored. */
export interface PackedAttachments {
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** An attachment whose content is base64. */
export interface EncodedAttachment extends Omit<Attachment, 'bytes'> {
  readonly base64: Uint8Array<ArrayBuffer>;
}

/** Packed attachments, or the index of the first one that is not base64. */
export type PackReply =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly sha256: string }
  | { readonly invalid: number };

interface Waiting {
  readonly resolve: (reply: PackReply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Decodes, packs and hashes attachments in a thread, which starts on the first call. The budget for request bodies
 * limits what waits for it.
 */
export class AttachmentPacker {
  #thread: Worker | undefined;
  /** Calls in the order of the thread's replies. */
  #waiting: Waiting[] = [];

  /** Takes over the attachments' memory. Rejects with ApiError `unavailable` if the thread ends. */
  async pack(attachments: readonly EncodedAttachment[]): Promise<PackReply> {
    this.#thread ??= this.#start();
    const memory = attachments.map(({ base64 }) => base64.buffer);
    this.#thread.postMessage(attachments, memory);
    return new Promise((resolve, reject) => void this.#waiting.push({ resolve, reject }));
  }

  #start(): Worker {
    const thread = new Worker(new URL('./attachment-thread.ts', import.meta.url));
    thread.on('message', (reply: PackReply) => this.#waiting.shift()?.resolve(reply));
    let cause: unknown;
    thread.once('error', (error) => void (cause = error));
    thread.once('exit', () => this.#fail(cause));
    thread.unref();
    return thread;
  }

  #fail(cause: unknown): void {
    this.#thread = undefined;
    const failed = this.#waiting;
    this.#waiting = [];
    for (const { reject } of failed) {
      reject(unavailable('The attachments could not be read. Try again.', undefined, cause));
    }
  }
}
