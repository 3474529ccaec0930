import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createDeflate } from 'node:zlib';
import { pdfDictionary, pdfStream } from './pdf-update.ts';

/**
 * Returns a PDF stream with compressed content. `entries` extend its dictionary, and are read after the content.
 * Compresses in the thread pool.
 */
export async function deflatedStream(
  content: () => AsyncGenerator<Buffer | string, void, void>,
  entries: Iterable<readonly [string, string]> = [],
): Promise<string> {
  const compressed = await pipeline(content, createDeflate(), (deflated) => buffer(deflated));
  const dictionary = [...entries, ['Filter', '/FlateDecode'], ['Length', String(compressed.length)]] as const;
  return pdfStream(pdfDictionary(dictionary), compressed.toString('latin1'));
}
