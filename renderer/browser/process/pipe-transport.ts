import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ConnectionTransport } from 'puppeteer-core';

const END = 0;

/**
 * The DevTools protocol over a browser's pipes (`--remote-debugging-pipe`): JSON messages, each ended by a zero byte.
 * A message over the limit closes the transport: a document of the size of gigabytes must not take the process with it.
 */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  /** Whether the transport was closed because of a message over the limit. */
  overflowed = false;
  readonly #output: Writable;
  readonly #input: Readable;
  readonly #limit: number;
  /** A large message is decoded as it arrives, not all at once when it has ended. */
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #length = 0;
  #closed = false;

  constructor(output: Writable, input: Readable, maxMessageBytes: number) {
    this.#output = output;
    this.#input = input;
    this.#limit = maxMessageBytes;
    input.on('data', (chunk: Buffer) => this.#receive(chunk));
    for (const stream of [output, input]) {
      // A broken pipe is the browser's end; its process says so too.
      stream.on('error', () => this.close());
      stream.on('close', () => this.close());
    }
  }

  send(message: string): void {
    if (!this.#closed) this.#output.write(`${message}\0`);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#text = '';
    this.#input.destroy();
    this.#output.destroy();
    this.onclose?.();
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(END); end !== -1; end = chunk.indexOf(END, start)) {
      const message = this.#complete(chunk.subarray(start, end));
      start = end + 1;
      if (!this.#closed) this.onmessage?.(message);
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #complete(last: Buffer): string {
    const message = this.#text + this.#decoder.end(last);
    this.#text = '';
    this.#length = 0;
    return message;
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#limit) {
      this.overflowed = true;
      this.close();
    } else {
      this.#text += this.#decoder.write(part);
    }
  }
}
