import type { IncomingMessage } from 'node:http';
import { firstText } from './s3-xml.ts';

/** How much of an error's body is read. */
const BODY_LIMIT = 64 * 1024;
const MESSAGE_LIMIT = 200;

/** An answer of the store other than success. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;
  /** S3's code, such as NoSuchKey; of an answer without a body what its status says; empty when there is none. */
  readonly code: string;
  /** The region that the store says the bucket is in, when it says so. */
  readonly region: string | undefined;

  constructor(facts: { status: number; code: string; message?: string; region?: string | undefined }) {
    super(facts.message ?? '');
    this.status = facts.status;
    this.code = facts.code;
    this.region = facts.region;
  }

  /** Whether the object is not there, told by a store (and not by a proxy that knows no such page). */
  get isMissingObject(): boolean {
    return this.status === 404 && (this.code === 'NoSuchKey' || this.code === 'NotFound');
  }
}

/** Reads the answer's body, as far as it comes. Never rejects. */
export async function readS3Error(method: string, response: IncomingMessage): Promise<S3Error> {
  const { statusCode: status = 0, headers } = response;
  const body = await bodyOf(response);
  const header = (name: string) => headers[name]?.toString() ?? '';
  const code = firstText(body, 'Code') ?? header('x-minio-error-code');
  const message = firstText(body, 'Message') ?? header('x-minio-error-desc');
  const region = header('x-amz-bucket-region') || firstText(body, 'Region');
  return new S3Error({
    status,
    code: code || codeOfStatus(method, status, header('content-type')),
    message: message.slice(0, MESSAGE_LIMIT),
    region: region || undefined,
  });
}

/** Answers to HEAD have no body that would say more. */
function codeOfStatus(method: string, status: number, contentType: string): string {
  if (method !== 'HEAD' || contentType.startsWith('text/')) return '';
  if (status === 404) return 'NotFound';
  return status === 403 ? 'AccessDenied' : '';
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      size += piece.length;
      // Leaving the loop destroys the answer and its connection.
      if (size > BODY_LIMIT) break;
    }
  } catch {
    // Cut off: the status alone must do.
  }
  return Buffer.concat(pieces).toString();
}
