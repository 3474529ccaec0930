import type { IncomingMessage } from 'node:http';
import { firstText } from './s3-xml.ts';

/** Limit for reading the body of an error response. */
const BODY_LIMIT = 64 * 1024;
const MESSAGE_LIMIT = 200;

/** An error response of the store. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;
  /**
   * S3 error code such as NoSuchKey; derived from the status for a response without a body; empty when there is none.
   */
  readonly code: string;
  /** Region of the bucket, if the store reports it. */
  readonly region: string | undefined;

  constructor(facts: { status: number; code: string; message?: string; region?: string | undefined }) {
    super(facts.message ?? '');
    this.status = facts.status;
    this.code = facts.code;
    this.region = facts.region;
  }

  /** Whether the store reports that the object does not exist; a proxy's 404 page does not count. */
  get isMissingObject(): boolean {
    return this.status === 404 && (this.code === 'NoSuchKey' || this.code === 'NotFound');
  }
}

/** Reads the response body, as far as it arrives. Never rejects. */
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

/** Responses to HEAD have no body with an error code. */
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
      // Leaving the loop destroys the response and its connection.
      if (size > BODY_LIMIT) break;
    }
  } catch {
    // The body was cut off: only the status is available.
  }
  return Buffer.concat(pieces).toString();
}
