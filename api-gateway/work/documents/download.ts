import type { FastifyReply, FastifyRequest } from 'fastify';
import { contentTypeOf, FORMATS, type DocumentFormat } from '@trifold/crds';
import type { ObjectInfo, ObjectStore } from '@trifold/platform/object-store/port.ts';
import {
  isTombstone,
  storedResult,
  type DocumentState,
} from '@trifold/platform/records/documents/finished-document.ts';
import type { DownloadAccess } from '../../config.ts';
import type { Caller } from '../../server/auth/caller.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import { documentDeleted, expired } from '../work-repository.ts';
import type { Documents, StoredDocument } from './documents.ts';
import { contentDisposition } from './filename.ts';

/** A file to send: the file of a document or a batch item. */
export type SentFile = Pick<StoredDocument, 'id' | 'key' | 'format' | 'filename'>;

/**
 * Throws ApiError `different_key` if only the key that created a file may download it and the caller uses another key
 * (interface, "GET /v1/generate/:id/download": the same API key). Work created with kubectl has no key.
 */
export function checkDownloadKey(
  what: 'document' | 'batch',
  madeBy: string | undefined,
  caller: Caller,
  access: DownloadAccess,
): void {
  const isAllowed = access === 'account' || caller.downloads === 'account';
  if (isAllowed || madeBy === undefined || madeBy === caller.keyId) return;
  const message = `Another API key in this account created the ${what}. Download it with that key.`;
  throw new ApiError('different_key', message);
}

/**
 * Throws ApiError `not_ready` or `generation_failed` (409) unless `what`, such as `Item 3`, is completed. `statusPath`:
 * where to poll.
 */
export function assertCompleted(
  what: string,
  { status, error }: Pick<DocumentState, 'status' | 'error'>,
  statusPath: string,
): void {
  if (status === 'completed') return;
  if (status === 'failed') {
    const reason = error ? `: ${error.message}` : '.';
    throw new ApiError('generation_failed', `${what} could not be generated${reason}`);
  }
  throw new ApiError('not_ready', `${what} is ${status}. Poll ${statusPath} until its status is completed.`);
}

/** Sends the file of a completed document. HEAD gets only the headers; a client with the current version gets 304. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: SentFile,
  store: ObjectStore,
): Promise<FastifyReply> {
  const known = request.headers['if-none-match'];
  if (request.method === 'HEAD' || known !== undefined) {
    const info = availableFile(file, await store.head(file.key));
    const etag = etagOf(info);
    if (hasCurrent(known, etag)) return reply.code(304).header('etag', etag).send();
    if (request.method === 'HEAD') return reply.headers(headersOf(file, info)).send();
  }
  await reply.openDownload();
  const object = await store.get(file.key);
  try {
    reply.headers(headersOf(file, availableFile(file, object?.info)));
  } catch (error) {
    object?.body.destroy();
    throw error;
  }
  return reply.send(object?.body);
}

/** Sends the data of a document, or only its headers for HEAD. Throws ApiError `data_deleted`. */
export async function sendData(
  { method, caller }: FastifyRequest,
  reply: FastifyReply,
  document: StoredDocument,
  documents: Pick<Documents, 'data'>,
): Promise<FastifyReply> {
  await reply.openDownload();
  const data = await documents.data(caller.account, document);
  if (data === undefined) {
    const message = `The data of document ${document.id} is not stored. The data of completed documents is deleted, and so is the data of failed documents if the operator has chosen this.`;
    throw new ApiError('data_deleted', message);
  }
  reply.header('content-type', 'application/json; charset=utf-8');
  if (typeof data === 'string') return reply.send(data);
  reply.header('content-length', data.info.size);
  if (method !== 'HEAD') return reply.send(data.body);
  data.body.destroy();
  return reply.send();
}

/** Throws ApiError `expired` or `document_deleted`: the file may have been deleted since its document was read. */
function availableFile({ id }: SentFile, info: ObjectInfo | undefined): ObjectInfo {
  if (!info) throw expired('document', id);
  if (isTombstone(info)) throw documentDeleted(id);
  return info;
}

function headersOf({ id, filename, format }: SentFile, info: ObjectInfo): Record<string, string> {
  return {
    'content-type': contentTypeOf(format),
    'content-disposition': contentDisposition(filename, id, format),
    'content-length': String(info.size),
    etag: etagOf(info),
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    ...guardOf(format),
  };
}

function etagOf(info: ObjectInfo): string {
  return `"${storedResult(info)?.sha256 ?? ''}"`;
}

/**
 * If a browser shows HTML, or XML that contains XHTML, despite `attachment`, it must not run scripts or have the
 * service's origin.
 */
function guardOf(format: DocumentFormat): Record<string, string> {
  const { shown } = FORMATS[format];
  return shown === 'website' || shown === 'text' ? { 'content-security-policy': 'sandbox' } : {};
}

function hasCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag) ?? false;
}
