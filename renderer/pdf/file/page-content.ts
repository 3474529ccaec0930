import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createDeflate, createInflate } from 'node:zlib';
import type { PdfFile } from './pdf-file.ts';
import { PdfSyntaxError, type Span } from './pdf-syntax.ts';

/**
 * Returns the content of a page between `q` and `Q`, because it does not restore its coordinate system, and more content
 * behind it, as one compressed stream. Compresses in the thread pool. Memory is in proportion to the compressed content,
 * because a page can compress a thousandfold. Rejects with PdfSyntaxError for content that is not one stream of Chromium.
 */
export async function contentWith(file: PdfFile, contents: Span, behind: string): Promise<string> {
  const stream = file.stream(contents);
  const filter = stream?.entries.get('Filter');
  if (!stream || (filter && file.text(filter) !== '/FlateDecode')) throw unreadable();
  const data = file.bytes.subarray(stream.data.start, stream.data.end);
  const content = async function* () {
    yield 'q\n';
    yield* filter ? inflated(data) : [data];
    yield `\nQ\n${behind}`;
  };
  const compressed = await pipeline(content, createDeflate(), (deflated) => buffer(deflated));
  return `<</Filter /FlateDecode /Length ${compressed.length}>>\nstream\n${compressed.toString('latin1')}\nendstream`;
}

async function* inflated(data: Buffer): AsyncGenerator<Buffer, void, void> {
  const inflate = createInflate();
  inflate.end(data);
  try {
    yield* inflate;
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(cause?: unknown): PdfSyntaxError {
  return new PdfSyntaxError('the PDF has no readable content of a page', cause);
}
