import type { Writable } from 'node:stream';
import type { Call } from '../transport/call.ts';
import { connectionError, nameOf } from '../transport/transport.ts';
import { filenameIn } from './content-disposition.ts';

/** A file that is being downloaded. It holds a connection: read it to the end, or cancel `stream`. */
export class Download {
  /** The content, readable once. Fails with a ConnectionError if the file is incomplete. */
  readonly stream: ReadableStream<Uint8Array>;
  /** File name from the service; never a path. */
  readonly filename: string;
  readonly contentType: string;
  /** Size in bytes; undefined if unknown before the end, as for a zip. */
  readonly size: number | undefined;

  constructor({ headers, body }: Response, call: Call) {
    this.stream = checked(body ?? new Blob([]).stream(), call);
    this.filename = filenameIn(headers.get('content-disposition')) ?? 'download';
    this.contentType = headers.get('content-type') ?? 'application/octet-stream';
    this.size = sizeIn(headers);
  }

  /** Returns the whole content. Use `pipeTo` for files that may be large. */
  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await new Response(this.stream).arrayBuffer());
  }

  /** Writes the file to a Node or web stream and ends the stream; resolves when everything is written. */
  async pipeTo(target: Writable | WritableStream<Uint8Array>): Promise<void> {
    if (target instanceof WritableStream) await this.stream.pipeTo(target);
    else await pipeToNode(this.stream, target);
  }
}

/** Imports Node's streams only here: browsers do not have them. */
async function pipeToNode(stream: ReadableStream<Uint8Array>, target: Writable): Promise<void> {
  const [{ Readable }, { pipeline }] = await Promise.all([
    import('node:stream'),
    import('node:stream/promises'),
  ]);
  await pipeline(Readable.from(stream), target);
}

function sizeIn(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  // A file compressed by a proxy is larger after decompression.
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

/** Passes the content through and converts read errors to ConnectionError. */
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
