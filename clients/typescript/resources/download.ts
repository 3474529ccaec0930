import type { Writable } from 'node:stream';
import type { Call, CallOptions } from '../transport/call.ts';
import { connectionError, nameOf, type Transport } from '../transport/transport.ts';

/** A file that is being downloaded. It occupies a connection: read it to the end, or cancel `stream`. */
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

  /** Starts a download. */
  static async open(transport: Transport, path: string, options?: CallOptions): Promise<Download> {
    const call = { method: 'GET', path, accept: '*/*', options } as const;
    return transport.send(call, async (response) => new Download(response, call));
  }

  /** Returns the whole content. Use `pipeTo` for files that may be large. */
  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await new Response(this.stream).arrayBuffer());
  }

  /** Writes the file to a Node or web stream and ends the stream; resolves once everything is written. */
  async pipeTo(target: Writable | WritableStream<Uint8Array>): Promise<void> {
    if (target instanceof WritableStream) await this.stream.pipeTo(target);
    else await pipeToNode(this.stream, target);
  }
}

/** Node's streams are imported only here: browsers do not have them. */
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

/**
 * Returns the file name in a Content-Disposition header: `filename*` takes precedence over `filename` (RFC 6266, RFC
 * 8187). Never contains a path. Undefined if there is no usable name.
 */
export function filenameIn(header: string | null): string | undefined {
  if (header === null) return undefined;
  const name = extendedName(header) ?? quotedName(header) ?? /;\s*filename=([^\s;"]+)/i.exec(header)?.[1];
  // The second alternative is the colon of a Windows drive.
  const safe = name?.replaceAll(/[/\\]|(?<=^[A-Za-z]):/g, '_') ?? '';
  return /^[.\s]*$/.test(safe) ? undefined : safe;
}

function extendedName(header: string): string | undefined {
  const encoded = /;\s*filename\*=UTF-8''([^\s;]+)/i.exec(header)?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function quotedName(header: string): string | undefined {
  return /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
}
