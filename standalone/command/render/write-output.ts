import { writeFile } from 'node:fs/promises';
import { FileError, STANDARD } from './read-input.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  EISDIR: 'is a directory, not a file',
  ENOTDIR: 'a part of the path is not a directory',
  EACCES: 'this user cannot write it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Writes a file or standard output. Rejects with FileError; `main.ts` handles standard output errors. */
export async function writeOutput(output: string, content: string | Uint8Array): Promise<void> {
  if (output !== STANDARD) return writeFile(output, content).catch(rejectWrite(output));
  const { promise, resolve } = Promise.withResolvers<void>();
  process.stdout.write(content, (error) => {
    if (!error) resolve();
  });
  return promise;
}

/** Returns a handler for write errors, which throws FileError. */
export function rejectWrite(file: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw new FileError(`${file}: error: ${REASONS[error.code ?? ''] ?? error.message}`, error);
  };
}
