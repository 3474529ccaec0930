import type { FastifyReply, FastifyRequest } from 'fastify';
import { contentTypeOf, type DocumentFormat } from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { isTombstone } from '@trifold/platform/records/documents/tombstone.ts';
import { contentDisposition } from './filename.ts';
import { documentDeleted, expired } from '../work-reader.ts';
import type { DocumentResult, StoredDocument } from './documents.ts';

/** Metadata of a file that is sent: a document, or an item of a batch. */
export interface SentFile extends Pick<StoredDocument, 'key'> {
  readonly facts: Pick<StoredDocument['facts'], 'job' | 'filename' | 'format'>;
  readonly result?: Pick<DocumentResult, 'sha256'> | undefined;
}

/** Sends the file of a completed document. HEAD gets the headers alone; a client with the current version gets 304. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  document: SentFile,
  store: ObjectStore,
): Promise<FastifyReply> {
  const { facts, result, key } = document;
  const etag = `"${result?.sha256 ?? ''}"`;
  if (hasCurrent(request.headers['if-none-match'], etag)) {
    return reply.code(304).header('etag', etag).send();
  }
  const headers = {
    'content-type': contentTypeOf(facts.format),
    'content-disposition': contentDisposition(facts.filename, facts.job, facts.format),
    etag,
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    ...guardOf(facts.format),
  };
  if (request.method === 'HEAD') {
    const info = await store.head(key);
    if (!info) throw expired('document', facts.job);
    if (isTombstone(info)) throw documentDeleted(facts.job);
    return reply.headers({ ...headers, 'content-length': String(info.size) }).send();
  }
  await reply.openDownload();
  const object = await store.get(key);
  if (!object) throw expired('document', facts.job);
  // It was deleted after its document was read.
  if (isTombstone(object.info)) {
    object.body.destroy();
    throw documentDeleted(facts.job);
  }
  return reply.headers({ ...headers, 'content-length': String(object.info.size) }).send(object.body);
}

/** HTML that a browser shows despite `attachment` must not run scripts or have the origin of the service. */
function guardOf(format: DocumentFormat): Record<string, string> {
  return format === 'html' ? { 'content-security-policy': 'sandbox' } : {};
}

function hasCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag) ?? false;
}
