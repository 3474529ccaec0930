import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate } from 'node:timers/promises';
import type { ConnectionTransport } from 'puppeteer-core';
import { textSlices } from '../../time-slices.ts';

const END = 0;
/** In UTF-16 units. Longer strings are written in slices. */
const MAX_WRITE_LENGTH = 2 ** 18;
/** Random, so that it differs from every other string in a message. */
const PLACEHOLDER = `long-text-${randomUUID()}`;
const QUOTED_PLACEHOLDER = JSON.stringify(PLACEHOLDER);

/** Start of a response with a result. */
const RESULT = /^\{"id":(\d+),"result":/;
/** Number of bytes that contain this start. */
const START_BYTES = 40;

/** A message in parts. */
type Parts = Iterable<string>;

/** A command whose response is kept as raw bytes. */
interface RawCommand {
  id?: number;
  sessionId?: string | undefined;
  readonly pieces: Buffer[];
}

/**
 * The DevTools protocol over a browser's pipes (`--remote-debugging-pipe`): JSON messages, each terminated by a zero
 * byte. A received message over the limit closes the transport, so that a document of several gigabytes cannot crash
 * this process. A long string is sent in slices, and other events run in between. Messages keep their order. A large
 * result can be received as bytes: this thread then neither decodes nor parses it.
 */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  /** Whether the transport was closed because of a message over the limit. */
  overflowed = false;
  readonly #output: Writable;
  readonly #input: Readable;
  readonly #limit: number;
  /** Decodes a large message as it arrives rather than all at the end. */
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #length = 0;
  #closed = false;
  /** Long string in the next message. */
  #longText: string | undefined;
  /** The next command, if its response is kept as raw bytes. */
  #nextRawCommand: RawCommand | undefined;
  /** In-flight commands whose responses are kept as raw bytes, by ID. */
  readonly #rawCommands = new Map<number, RawCommand>();
  /** Command whose response is arriving. */
  #arriving: RawCommand | undefined;
  /** Start of a message that is too short to show which command it responds to. */
  #shortStart: Buffer | undefined;
  /** Messages queued behind the one being written in slices; undefined if none is being written. */
  #queue: Parts[] | undefined;

  constructor(output: Writable, input: Readable, maxMessageBytes: number) {
    this.#output = output;
    this.#input = input;
    this.#limit = maxMessageBytes;
    input.on('data', (chunk: Buffer) => this.#receive(chunk));
    // It may have been paused.
    input.resume();
    for (const stream of [output, input]) {
      // A broken pipe means that the browser is gone; its process also reports that.
      stream.on('error', () => this.close());
      stream.on('close', () => this.close());
    }
  }

  send(message: string): void {
    if (this.#closed) return;
    this.#rememberRawCommand(message);
    const text = this.#longText;
    this.#longText = undefined;
    if (text === undefined && !this.#queue) this.#output.write(`${message}\0`);
    else this.#enqueue(text === undefined ? [`${message}\0`] : partsOf(message, text));
  }

  /**
   * Sends a message that contains a string of any length. `send` must send exactly that message before it returns, with
   * the placeholder that it receives in place of the string. Returns or throws what `send` does.
   */
  withText<T>(text: string, send: (text: string) => T): T {
    if (text.length <= MAX_WRITE_LENGTH) return send(text);
    this.#longText = text;
    try {
      return send(PLACEHOLDER);
    } finally {
      this.#longText = undefined;
    }
  }

  /**
   * Sends a command and resolves with the browser's response: JSON in UTF-8, `{"id":1,"result":…}`, in chunks. `send`
   * must send the command before it returns; its promise resolves with an empty result. Rejects if that promise does.
   */
  async receiveRaw(send: () => Promise<unknown>): Promise<Buffer[]> {
    const command: RawCommand = { pieces: [] };
    try {
      await this.#sendRaw(command, send);
    } finally {
      if (command.id !== undefined) this.#rawCommands.delete(command.id);
    }
    if (command.id === undefined) throw new Error('the command was not sent');
    return command.pieces;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#text = '';
    this.#input.destroy();
    this.#output.destroy();
    this.onclose?.();
  }

  #sendRaw(command: RawCommand, send: () => Promise<unknown>): Promise<unknown> {
    this.#nextRawCommand = command;
    try {
      return send();
    } finally {
      this.#nextRawCommand = undefined;
    }
  }

  #rememberRawCommand(message: string): void {
    const command = this.#nextRawCommand;
    if (!command) return;
    this.#nextRawCommand = undefined;
    const { id, sessionId } = JSON.parse(message) as { id: number; sessionId?: string };
    Object.assign(command, { id, sessionId });
    this.#rawCommands.set(id, command);
  }

  #enqueue(parts: Parts): void {
    if (this.#queue) {
      this.#queue.push(parts);
    } else {
      this.#queue = [parts];
      void this.#writeAll(this.#queue);
    }
  }

  async #writeAll(queue: Parts[]): Promise<void> {
    for (let parts = queue.shift(); parts; parts = queue.shift()) {
      for (const part of parts) {
        if (this.#closed) return;
        // A pipe that accepts everything drains in the same turn of the event loop.
        if (!this.#output.write(part)) await this.#drained();
        await setImmediate();
      }
    }
    this.#queue = undefined;
  }

  /** Never resolves if the transport closes. */
  #drained(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#output.once('drain', resolve);
    return promise;
  }

  #receive(received: Buffer): void {
    const chunk = this.#shortStart ? Buffer.concat([this.#shortStart, received]) : received;
    this.#shortStart = undefined;
    let start = 0;
    for (let end = chunk.indexOf(END); end !== -1; end = chunk.indexOf(END, start)) {
      const message = this.#complete(chunk.subarray(start, end));
      start = end + 1;
      if (!this.#closed) this.onmessage?.(message);
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Returns the message that ends with this part; for a raw command, one with an empty result. */
  #complete(last: Buffer): string {
    this.#begin(last);
    const command = this.#arriving;
    const text = command ? '' : this.#text + this.#decoder.end(last);
    this.#text = '';
    this.#length = 0;
    this.#arriving = undefined;
    if (!command) return text;
    command.pieces.push(last);
    return JSON.stringify({ id: command.id, result: {}, sessionId: command.sessionId });
  }

  #keep(part: Buffer): void {
    if (this.#length === 0 && this.#rawCommands.size > 0 && part.length < START_BYTES) {
      this.#shortStart = part;
      return;
    }
    this.#begin(part);
    this.#length += part.length;
    if (this.#length > this.#limit) {
      this.overflowed = true;
      this.close();
    } else if (this.#arriving) {
      this.#arriving.pieces.push(part);
    } else {
      this.#text += this.#decoder.write(part);
    }
  }

  /** Detects at the start of a message whether it responds to a raw command. */
  #begin(part: Buffer): void {
    if (this.#length > 0 || this.#rawCommands.size === 0) return;
    const id = RESULT.exec(part.toString('latin1', 0, START_BYTES))?.[1];
    this.#arriving = this.#rawCommands.get(Number(id));
  }
}

/**
 * Returns the message with the string as JSON in place of the placeholder. Throws when the placeholder does not occur
 * exactly once.
 */
function partsOf(message: string, text: string): Parts {
  const [before, after, ...rest] = message.split(QUOTED_PLACEHOLDER);
  if (before === undefined || after === undefined || rest.length > 0) {
    throw new Error('the message must contain its long string exactly once');
  }
  return (function* () {
    yield `${before}"`;
    for (const slice of textSlices(text)) yield JSON.stringify(slice).slice(1, -1);
    yield `"${after}\0`;
  })();
}
