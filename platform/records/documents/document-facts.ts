import { documentFormat, type ClientMetadata, type DocumentFormat, type KeyMode } from '@trifold/crds';

/**
 * Facts about a document that are known when it is accepted. Kept in the stored file's metadata or in the document's
 * record, so that they are available after the resource is deleted.
 */
export interface DocumentFacts {
  /** Name of the GenerationJob. */
  readonly job: string;
  readonly uid: string;
  readonly template: string;
  readonly version?: number;
  readonly format: DocumentFormat;
  /** Mode of the key that created it; a document of a test key has a watermark. */
  readonly mode: KeyMode;
  /** ApiKey that created it; undefined for a job created with kubectl. */
  readonly keyId?: string;
  readonly filename?: string;
  /** Metadata of the client. Only in the record: with it, the facts could be too large for the metadata of an object. */
  readonly metadata?: ClientMetadata;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Encodes the facts, except the client's metadata, as object metadata: lowercase names, ASCII values. */
export function encodeFacts(facts: DocumentFacts): Record<string, string> {
  const { job, uid, template, version, format, mode, keyId, filename, createdAt, expiresAt } = facts;
  return {
    job,
    uid,
    template,
    format,
    mode,
    'created-at': createdAt,
    'expires-at': expiresAt,
    ...(version !== undefined && { version: String(version) }),
    ...(keyId !== undefined && { 'key-id': keyId }),
    // base64url: metadata is sent in HTTP headers, and file names are any Unicode.
    ...(filename !== undefined && { filename: Buffer.from(filename).toString('base64url') }),
  };
}

/** Decodes the facts of a stored document. Returns undefined when the metadata is not a document's. */
export function decodeFacts(metadata: Readonly<Record<string, string>>): DocumentFacts | undefined {
  const { job, uid, template, version, filename } = metadata;
  const createdAt = metadata['created-at'];
  const expiresAt = metadata['expires-at'];
  const keyId = metadata['key-id'];
  if (!job || !uid || !template || !createdAt || !expiresAt) return undefined;
  return {
    job,
    uid,
    template,
    ...kindIn(metadata),
    createdAt,
    expiresAt,
    ...(version !== undefined && { version: Number(version) }),
    ...(keyId !== undefined && { keyId }),
    ...(filename !== undefined && { filename: Buffer.from(filename, 'base64url').toString() }),
  };
}

function kindIn(metadata: Readonly<Record<string, string>>): Pick<DocumentFacts, 'format' | 'mode'> {
  const format = documentFormat(metadata['format']) ?? 'pdf';
  return { format, mode: metadata['mode'] === 'test' ? 'test' : 'live' };
}
