import { finished, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** One file in an archive. */
export interface ZipEntry {
  /** Name in the archive. */
  readonly name: string;
  /** Size in bytes, if known; a file of a different size makes the archive fail. */
  readonly size: number | undefined;
  /** Called when the previous entries have been read. */
  open(): Promise<Readable>;
}

/** An archive that is being streamed. */
export interface ZipStream {
  /**
   * The archive. Fails when an entry fails, so that a truncated archive never ends normally. Destroying it destroys the
   * entry that is being read.
   */
  readonly body: Readable;
  /** Size of the whole archive in bytes, if the size of every entry is known. */
  readonly size: number | undefined;
}

const REGULAR_FILE = 0o100644;

/** Streams the entries one after another, with backpressure and without compression. */
export function zipStream(entries: readonly ZipEntry[], modified: Date): ZipStream {
  const zip = new ZipFile();
  const body = zip.outputStream as Readable;
  const fail = (error: unknown) =>
    body.destroy(error instanceof Error ? error : new Error('broken', { cause: error }));
  zip.on('error', fail);
  let current: Readable | undefined;
  finished(body, () => current?.destroy());
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
        // Also handles a source that closes early, which would otherwise leave the archive waiting forever.
        finished(source, (error) => void (error && fail(error)));
        current = source;
        if (body.destroyed) source.destroy();
        read(null, source);
      }, fail);
    });
  }
  let total = -1;
  // yazl passes the size to the callback; its type omits the parameter.
  zip.end(undefined, (...sizes: number[]) => (total = sizes[0] ?? -1));
  return { body, size: total < 0 ? undefined : total };
}

/** Rejects when the archive has been destroyed. */
async function openFor(body: Readable, entry: ZipEntry): Promise<Readable> {
  // A caller that needs only the size destroys the archive immediately.
  await Promise.resolve();
  if (body.destroyed) throw new Error('the client stopped reading the archive');
  return entry.open();
}
