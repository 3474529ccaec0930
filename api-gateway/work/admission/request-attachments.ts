import {
  attachmentsKey,
  MAX_ATTACHMENTS,
  MAX_ATTACHMENTS_BODY_BYTES,
  StringEnum,
  type ConformanceLevel,
  type DocumentFormat,
  type ObjectRef,
} from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { RELATIONSHIPS } from '@trifold/platform/records/documents/attachments.ts';
import { yieldForLarge } from '@trifold/platform/request-body/yield-for-large.ts';
import { Type, type Static } from 'typebox';
import type { GatewayConfig } from '../../config.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import { findFilenameProblem } from '../documents/filename.ts';
import { decodedSize } from './base64.ts';
import type { AttachmentPacker, EncodedAttachment, PackedAttachments } from './attachment-packer.ts';

const MAX_BYTES = BOUNDS.attachments.limit.value * 1024;

const RequestAttachment = Type.Object(
  {
    filename: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Name that readers show. It may not contain a path, control characters or invisible formatting characters.',
    }),
    mime_type: Type.String({
      maxLength: 100,
      pattern: '^[A-Za-z0-9][\\w.+-]*/[A-Za-z0-9][\\w.+-]*$',
      description: 'Media type, without parameters.',
    }),
    description: Type.Optional(
      Type.String({ maxLength: 500, description: 'Description that readers show next to the name.' }),
    ),
    relationship: Type.Optional(
      StringEnum(RELATIONSHIPS, {
        description:
          'Purpose of the file: what the document was created from (`source`), data that it shows (`data`), the same content in another form (`alternative`), or more content (`supplement`). Default: unspecified.',
      }),
    ),
    data: Type.String({
      contentEncoding: 'base64',
      description:
        'Content of the file in base64 (RFC 4648, section 4), with padding and without line breaks.',
    }),
  },
  { additionalProperties: false, title: 'Attachment', description: 'A file inside a PDF.' },
);
type RequestAttachment = Static<typeof RequestAttachment>;

/** The `attachments` field of a request. `what`: the documents that contain the files. */
export function requestAttachments(what: string) {
  return Type.Array(RequestAttachment, {
    maxItems: MAX_ATTACHMENTS,
    description: `Files to attach to ${what}. A document has up to ${MAX_ATTACHMENTS} attachments with up to ${MAX_BYTES / 1024 / 1024} MiB in total, each with a different name. Only for PDF, and not with a \`conformance\` of PDF/A-2.`,
  });
}

/** A request's attachments: for all documents, and for individual batch items. */
export interface PackedRequestAttachments {
  readonly common: PackedAttachments | undefined;
  /** One per item of a batch; empty for a single document. */
  readonly items: readonly (PackedAttachments | undefined)[];
}

interface AttachmentsPlace {
  readonly format: DocumentFormat;
  /** JSON Pointer to the attachments. */
  readonly path: string;
  /** Additional attachments for the same document. @default none */
  readonly common?: readonly RequestAttachment[] | undefined;
}

/** Checks and packs attachments. Rejects with ApiError `invalid_request`, or `unavailable` if they cannot be packed. */
export async function readAttachments(
  packer: AttachmentPacker,
  attachments: readonly RequestAttachment[] | undefined,
  { format, path, common = [] }: AttachmentsPlace,
): Promise<PackedAttachments | undefined> {
  if (!attachments || attachments.length === 0) return undefined;
  if (format !== 'pdf') throw invalid(path, `is allowed only with format pdf, not with ${format}`);
  assertWithinLimits([...common, ...attachments], path);
  assertNames(attachments, path, common);
  const encoded: EncodedAttachment[] = [];
  for (const attachment of attachments) {
    const { filename, mime_type: mimeType, description, relationship = 'unspecified', data } = attachment;
    await yieldForLarge(data);
    const base64 = bytesOf(data);
    encoded.push({
      filename,
      mimeType,
      relationship,
      base64,
      ...(description !== undefined && { description }),
    });
  }
  const reply = await packer.pack(encoded);
  if ('invalid' in reply) throw invalid(`${path}/${reply.invalid}/data`, 'is not base64 with padding');
  return { bytes: Buffer.from(reply.bytes.buffer), sha256: reply.sha256 };
}

/** Returns the characters of a base64 string as bytes. For any other string, the bytes are not base64 either. */
function bytesOf(data: string): Buffer<ArrayBuffer> {
  // Separate memory, so that it can be transferred. It ends with zeros after multi-byte characters.
  const bytes = Buffer.alloc(data.length);
  bytes.write(data);
  return bytes;
}

function assertWithinLimits(attachments: readonly RequestAttachment[], path: string): void {
  const { length } = attachments;
  if (length > MAX_ATTACHMENTS) {
    throw invalid(path, `would attach ${length} files to one document; the limit is ${MAX_ATTACHMENTS}`);
  }
  const bytes = attachments.reduce((sum, { data }) => sum + decodedSize(data), 0);
  if (bytes <= MAX_BYTES) return;
  throw invalid(path, `would attach ${bytes} bytes to one document; the limit is ${MAX_BYTES}`);
}

function assertNames(
  attachments: readonly RequestAttachment[],
  path: string,
  common: readonly RequestAttachment[],
): void {
  const names = new Set(common.map(({ filename }) => filename.normalize()));
  for (const [index, { filename }] of attachments.entries()) {
    const name = filename.normalize();
    const problem = names.has(name) ? 'is the name of another attachment' : findFilenameProblem(filename);
    if (problem !== undefined) throw invalid(`${path}/${index}/filename`, problem);
    names.add(name);
  }
}

/**
 * Throws ApiError `invalid_request` if the level does not allow attachments: in PDF/A-2, they would have to be PDF/A
 * files.
 */
export function assertAttachable(
  { common, items }: PackedRequestAttachments,
  level: ConformanceLevel | undefined,
): void {
  if (!level?.startsWith('a-2')) return;
  const item = items.findIndex((attachments) => attachments !== undefined);
  if (!common && item === -1) return;
  const path = common ? '/attachments' : `/items/${item}/attachments`;
  const message = `is not allowed with conformance ${level}, because PDF/A-2 permits only PDF/A files as attachments: use ${level.replace('2', '3')}`;
  throw invalid(path, message);
}

/** Returns the object that contains a document's or batch's attachments, and the spec field that refers to it. */
export function attachmentsObject(attachments: PackedAttachments | undefined, documentKey: string) {
  if (!attachments) return { objects: [], ref: {} };
  const { bytes, sha256 } = attachments;
  const attachmentsRef: ObjectRef = { key: attachmentsKey(documentKey), sha256, size: bytes.length };
  const object = [attachmentsRef.key, bytes, 'application/octet-stream'] as const;
  return { objects: [object], ref: { attachmentsRef } };
}

/** Body limit of the route that accepts attachments. */
export function attachmentsBodyLimit({
  maxBodyBytes,
  keyBodyBudgetBytes,
}: Pick<GatewayConfig, 'maxBodyBytes' | 'keyBodyBudgetBytes'>): number {
  return Math.max(maxBodyBytes, Math.min(MAX_ATTACHMENTS_BODY_BYTES, keyBodyBudgetBytes));
}

/** Throws ApiError `body_too_large` for a body over the usual limit that has no attachments. */
export function assertBodySize(body: unknown, bytes: number, maxBodyBytes: number): void {
  const { attachments } = (body ?? {}) as { readonly attachments?: unknown };
  if (bytes <= maxBodyBytes || (Array.isArray(attachments) && attachments.length > 0)) return;
  const message = `The body exceeds the limit of ${maxBodyBytes} bytes. Send less data.`;
  throw new ApiError('body_too_large', message);
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('invalid_request', `${path} ${message}.`, { details: [{ path, message }] });
}
