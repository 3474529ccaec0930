import { Readable } from 'node:stream';
import type { PreviewView } from './preview-body.ts';

/**
 * Bytes that are encoded together: a multiple of 3, so that the pieces of Base64 join without padding, and few, because
 * the rate at which a client reads is measured in whole pieces.
 */
const PIECE = 3 * 2 ** 14;

/** Returns a preview as JSON. Encodes a file in pieces, because a large one would block the thread. */
export function previewJson(view: Omit<PreviewView, 'file'>, file: Buffer | undefined): Readable {
  return Readable.from(pieces(JSON.stringify(view), file));
}

async function* pieces(members: string, file: Buffer | undefined): AsyncGenerator<string> {
  if (!file) {
    yield `{"file":null,${members.slice(1)}`;
    return;
  }
  yield '{"file":"';
  for (let start = 0; start < file.length; start += PIECE) {
    yield file.toString('base64', start, start + PIECE);
  }
  yield `",${members.slice(1)}`;
}
