import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer } });

/** Returns the text of the code that a decoder finds in an image. Throws if it finds none. */
export async function codeIn(image: Uint8Array): Promise<string> {
  const [code] = await readBarcodes(image);
  if (!code) throw new Error('the image has no code that can be read');
  return code.text;
}
