import { crc32, inflateRawSync } from 'node:zlib';

/** One file of a zip, from its central directory. */
export interface ZippedFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** Whether the file is stored without compression. */
  readonly stored: boolean;
  /** From the extra field with the UTC time, or undefined. */
  readonly modified: Date | undefined;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const UNIVERSAL_TIME = 0x5455;

/** Reads a zip through its central directory, as unzip programs do, and verifies sizes and checksums. */
export function readZip(archive: Buffer): ZippedFile[] {
  const end = archive.length - 22;
  if (end < 0 || archive.readUInt32LE(end) !== END)
    throw new Error('no end of the central directory: cut off?');
  const count = archive.readUInt16LE(end + 10);
  const files: ZippedFile[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(at) !== CENTRAL) throw new Error(`no entry ${index} in the central directory`);
    const lengths = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths;
    const extra = archive.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    files.push(fileAt(archive, at, { nameLength, extra }));
    at += 46 + nameLength + extraLength + commentLength;
  }
  if (at !== end) throw new Error('the central directory is not as long as it says');
  return files;
}

function fileAt(
  archive: Buffer,
  at: number,
  { nameLength, extra }: { nameLength: number; extra: Buffer },
): ZippedFile {
  const method = archive.readUInt16LE(at + 10);
  const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
  const local = archive.readUInt32LE(at + 42);
  if (archive.readUInt32LE(local) !== LOCAL) throw new Error(`${name} is not where its entry says`);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const kept = archive.subarray(start, start + archive.readUInt32LE(at + 20));
  const bytes = method === 0 ? kept : inflateRawSync(kept);
  if (bytes.length !== archive.readUInt32LE(at + 24)) throw new Error(`${name} has another size`);
  if (crc32(bytes) !== archive.readUInt32LE(at + 16)) throw new Error(`${name} has another checksum`);
  return { name, bytes, stored: method === 0, modified: modifiedIn(extra) };
}

function modifiedIn(extra: Buffer): Date | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === UNIVERSAL_TIME) return new Date(extra.readInt32LE(at + 5) * 1000);
  }
  return undefined;
}
