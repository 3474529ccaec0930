import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Call } from '../transport/call.ts';
import { connectionError, nameOf } from '../transport/transport.ts';
import { filenameIn } from './content-disposition.ts';

/** A file that is being downloaded. Read it to the end, or cancel `stream`: it holds a connection. */
export class Download {
  /** The bytes, once. Fails with a ConnectionError when the file does not come whole. */
  readonly stream: ReadableStream<Uint8Array>;
  /** The name that the service gives the file; never a path. */
  readonly filename: string;
  readonly contentType: string;
  /** Bytes; undefined when it is not known before the end, as of a zip. */
  readonly size: number | undefined;

  constructor({ headers, body }: Response, call: Call) {
    this.stream = checked(body ?? new Blob([]).stream(), call);
    this.filename = filenameIn(headers.get('content-disposition')) ?? 'download';
    this.contentType = headers.get('content-type') ?? 'application/octet-stream';
    this.size = sizeIn(headers);
  }

  /** All bytes. For files that may be large use `pipeTo`. */
  async bytes(): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.stream) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** Writes the file to a stream of Node or of the web and ends that; resolves when all of it is written. */
  async pipeTo(target: Writable | WritableStream<Uint8Array>): Promise<void> {
    if (target instanceof WritableStream) await this.stream.pipeTo(target);
    else await pipeline(Readable.from(this.stream), target);
  }
}

function sizeIn(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  // What a proxy has packed is longer when it is unpacked.
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

/** The same bytes; what breaks them off is told as every other error of the connection is. */
function checked(body: ReadableStream<Uint8Array>, call: Call): ReadableStream<Uint8Array> {
  const signal = call.options?.signal;
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(signal?.aborted ? signal.reason : connectionError(nameOf(call), error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
