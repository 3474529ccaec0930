import { createInflate } from 'node:zlib';
import type { PdfFile, PdfStream } from './pdf-file.ts';

const CHUNK_BYTES = 2 ** 16;

/** Yields the content of a stream of text. Inflates it in the thread pool, in small chunks, because it can be huge. */
export async function* inflatedStream(
  file: PdfFile,
  { entries, data }: PdfStream,
): AsyncGenerator<Buffer, void, void> {
  const bytes = file.bytes.subarray(data.start, data.end);
  // The browser does not compress short streams.
  if (!entries.has('Filter')) return yield bytes;
  const inflate = createInflate({ chunkSize: CHUNK_BYTES });
  inflate.end(bytes);
  yield* inflate as AsyncIterable<Buffer>;
}
