import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackArchive } from '../../browser/process/bundled-browser.ts';

/** Returns a font file that every machine has after `npm ci`: Open Sans Bold. */
export async function fontFile(): Promise<Buffer> {
  const packed = join(dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium')))), 'bin');
  const directory = await mkdtemp(join(tmpdir(), 'trifold-font-'));
  try {
    await unpackArchive(join(packed, 'fonts.tar.br'), directory);
    return await readFile(join(directory, 'fonts', 'Open_Sans', 'OpenSans-Bold.ttf'));
  } finally {
    await rm(directory, { recursive: true });
  }
}
