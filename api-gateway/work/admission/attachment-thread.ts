import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { packAttachments, type Attachment } from '@trifold/platform/records/documents/attachments.ts';
import type { EncodedAttachment, PackReply } from './attachment-packer.ts';

/** Decodes base64 (RFC 4648, section 4). Returns undefined for anything else. */
function decode(base64: Uint8Array<ArrayBuffer>): Buffer | undefined {
  const text = Buffer.from(base64.buffer).toString('latin1');
  const bytes = Buffer.from(text, 'base64');
  const padding = /={0,2}$/.exec(text.slice(-2))?.[0].length ?? 0;
  // Node.js skips other characters, and also decodes the URL-safe form.
  const isBase64 = text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding;
  return isBase64 && !/[-_]/.test(text) ? bytes : undefined;
}

function pack(attachments: readonly EncodedAttachment[]): PackReply {
  const files: Attachment[] = [];
  for (const [index, { base64, ...description }] of attachments.entries()) {
    const bytes = decode(base64);
    if (!bytes) return { invalid: index };
    files.push({ ...description, bytes });
  }
  const bytes = new Uint8Array(packAttachments(files));
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

parentPort?.on('message', (attachments: readonly EncodedAttachment[]) => {
  const reply = pack(attachments);
  parentPort?.postMessage(reply, 'bytes' in reply ? [reply.bytes.buffer] : []);
});
