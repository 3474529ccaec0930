import { finished, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** One file of an archive. */
export interface ZipEntry {
  /** Name in the archive. */
  readonly name: string;
  /** Bytes, as far as they are known; a file of another length breaks the archive off. */
  readonly size: number | undefined;
  /** Asked for when the entries before it have been read. */
  open(): Promise<Readable>;
}

/** An archive on its way. */
export interface ZipStream {
  /**
   * The archive. Fails when an entry does, before its end: what was read by then is no whole archive. Destroying it
   * lets go of the entry that is being read.
   */
  readonly body: Readable;
  /** Bytes of the whole archive, where the size of every entry is known. */
  readonly size: number | undefined;
}

const REGULAR_FILE = 0o100644;

/** An archive whose entries are read one after the other, as fast as it is read itself. They are stored as they are. */
export function zipStream(entries: readonly ZipEntry[], modified: Date): ZipStream {
  const zip = new ZipFile();
  const body = zip.outputStream as Readable;
  const fail = (error: unknown) =>
    body.destroy(error instanceof Error ? error : new Error('broken', { cause: error }));
  zip.on('error', fail);
  let inHand: Readable | undefined;
  finished(body, () => inHand?.destroy());
  for (const entry of entries) {
    const { name, size } = entry;
    const options = {
      mtime: modified,
      mode: REGULAR_FILE,
      compress: false,
      ...(size !== undefined && { size }),
    };
    zip.addReadStreamLazy(name, options, (read) => {
      openFor(body, entry).then((source) => {
        // Also when the source ends without a word, which would leave the archive waiting for ever.
        finished(source, (error) => void (error && fail(error)));
        inHand = source;
        if (body.destroyed) source.destroy();
        read(null, source);
      }, fail);
    });
  }
  let total = -1;
  // The callback is told the size; its type leaves that out.
  zip.end(undefined, (...sizes: number[]) => (total = sizes[0] ?? -1));
  return { body, size: total < 0 ? undefined : total };
}

/** Rejects when nobody wants the archive any more. */
async function openFor(body: Readable, entry: ZipEntry): Promise<Readable> {
  // Whoever asked for the archive may want its size alone, and gives it up at once.
  await Promise.resolve();
  if (body.destroyed) throw new Error('nobody reads the archive');
  return entry.open();
}
