import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { packAttachments, type Attachment } from '@trifold/platform/records/documents/attachments.ts';
import { decodeBase64 } from './base64.ts';
import type { EncodedAttachment, PackReply } from './attachment-packer.ts';

function pack(attachments: readonly EncodedAttachment[]): PackReply {
  const files: Attachment[] = [];
  for (const [index, { base64, ...description }] of attachments.entries()) {
    const bytes = decodeBase64(Buffer.from(base64.buffer).toString('latin1'));
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
