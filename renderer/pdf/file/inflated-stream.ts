import { createInflate } from 'node:zlib';
import type { PdfFile, PdfStream } from './pdf-file.ts';
import { PdfSyntaxError } from './pdf-syntax.ts';

const CHUNK_BYTES = 2 ** 16;
/** Maximum length of a line in bytes: one for 2 million glyphs. */
const MAX_LINE_BYTES = 2 ** 24;
const LINE_FEED = 0x0a;

/** Yields the content of a text stream. Inflates it in the thread pool, in small chunks, because it can be huge. */
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

/**
 * Yields the content of a text stream in whole lines. Neither the browser nor this service splits a token at the end
 * of a line.
 */
export async function* inflatedLines(file: PdfFile, stream: PdfStream): AsyncGenerator<Buffer, void, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of inflatedStream(file, stream)) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield Buffer.concat([rest, chunk.subarray(0, end)]);
    rest = end > 0 ? Buffer.from(chunk.subarray(end)) : Buffer.concat([rest, chunk]);
    if (rest.length > MAX_LINE_BYTES)
      throw new PdfSyntaxError('a page of the PDF has a line that is too long');
  }
  yield rest;
}
