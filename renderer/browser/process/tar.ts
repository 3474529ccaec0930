import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

const BLOCK = 512;
const FILE = '0';
const DIRECTORY = '5';

/** Extracts the files of a small tar archive (ustar, plain names) into a directory. Throws on links and devices. */
export async function extractTar(archive: Buffer, directory: string): Promise<void> {
  let offset = 0;
  while (offset + BLOCK <= archive.length && archive[offset] !== 0) {
    const header = archive.subarray(offset, offset + BLOCK);
    const size = Number.parseInt(text(header, 124, 12), 8);
    const path = entryPath(header, directory);
    const type = text(header, 156, 1) || FILE;
    const start = offset + BLOCK;
    if (type === FILE) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(path, archive.subarray(start, start + size), { mode: 0o700 });
    } else if (type !== DIRECTORY) {
      throw new Error(`the archive holds an entry of type ${type}`);
    }
    offset = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}

function entryPath(header: Buffer, directory: string): string {
  const name = normalize(join(text(header, 345, 155), text(header, 0, 100)));
  if (name.startsWith('..') || name.startsWith('/')) throw new Error(`the archive holds the path ${name}`);
  return join(directory, name);
}

function text(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('latin1', 0, end === -1 ? length : end).trim();
}
