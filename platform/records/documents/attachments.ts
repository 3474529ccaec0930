import type { EInvoiceProfile } from '@trifold/crds';
import type { DeclaredInvoice } from '../../e-invoices/declared-invoice.ts';

/** Purposes of an attachment, as in PDF (ISO 32000-2, 7.11.3). */
export const RELATIONSHIPS = ['source', 'data', 'alternative', 'supplement', 'unspecified'] as const;

/** A file to attach to a document. */
export interface Attachment {
  readonly filename: string;
  readonly mimeType: string;
  readonly description?: string;
  readonly relationship: (typeof RELATIONSHIPS)[number];
  /** Set for the document's e-invoice. */
  readonly eInvoice?: EInvoiceProfile;
  /** Values of the e-invoice that the page must show. @default none */
  readonly declared?: DeclaredInvoice;
  readonly bytes: Buffer;
}

/** Length in bytes of the number that precedes the descriptions. */
const LENGTH_BYTES = 4;

/**
 * Packs a document's attachments into one object, so that storing, reading and deleting them takes one request
 * each: the length of the descriptions, the descriptions as JSON, and the files.
 */
export function packAttachments(attachments: readonly Attachment[]): Buffer {
  const about = attachments.map(({ bytes, ...description }) => ({ ...description, size: bytes.length }));
  const json = Buffer.from(JSON.stringify(about));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, ...attachments.map(({ bytes }) => bytes)]);
}

/** Unpacks attachments. The files share the memory of `packed`. Throws RangeError or SyntaxError for other bytes. */
export function unpackAttachments(packed: Buffer): Attachment[] {
  let at = LENGTH_BYTES + packed.readUInt32BE();
  const about = JSON.parse(packed.toString('utf8', LENGTH_BYTES, at)) as (Omit<Attachment, 'bytes'> & {
    readonly size: number;
  })[];
  return about.map(({ size, ...description }) => {
    const bytes = packed.subarray(at, at + size);
    at += size;
    return { ...description, bytes };
  });
}
