import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate } from 'node:timers/promises';
import type { ConnectionTransport } from 'puppeteer-core';
import { textSlices } from '../../time-slices.ts';

const END = 0;
/** UTF-16 units. Longer texts are written in slices. */
const LONGEST_WRITTEN_AT_ONCE = 2 ** 18;
/** Random, so that it equals no other string in a message. */
const PLACEHOLDER = `long-text-${randomUUID()}`;
const QUOTED_PLACEHOLDER = JSON.stringify(PLACEHOLDER);

/** Start of a response with a result. */
const RESULT = /^\{"id":(\d+),"result":/;

/** A message in parts. */
type Parts = Iterable<string>;

/** A command whose response is kept as text. */
interface TextCommand {
  id?: number;
  sessionId?: string | undefined;
  response?: string;
}

/**
 * The DevTools protocol over a browser's pipes (`--remote-debugging-pipe`): JSON messages, each terminated by a zero
 * byte. A received message over the limit closes the transport, so that a document of several gigabytes cannot crash
 * this process. A long text is sent in slices, and other events run in between. Messages keep their order. A large
 * result can be received as text: this thread then does not parse it.
 */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  /** Whether the transport was closed because of a message over the limit. */
  overflowed = false;
  readonly #output: Writable;
  readonly #input: Readable;
  readonly #limit: number;
  /** Decodes a large message as it arrives, not all at once at its end. */
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #length = 0;
  #closed = false;
  /** Long text of the next message. */
  #longText: string | undefined;
  /** The next command, when its response is kept as text. */
  #nextTextCommand: TextCommand | undefined;
  /** Commands in flight whose responses are kept as text, by id. */
  readonly #textCommands = new Map<number, TextCommand>();
  /** Messages queued behind the one that is written in slices; undefined while none is. */
  #queue: Parts[] | undefined;

  constructor(output: Writable, input: Readable, maxMessageBytes: number) {
    this.#output = output;
    this.#input = input;
    this.#limit = maxMessageBytes;
    input.on('data', (chunk: Buffer) => this.#receive(chunk));
    for (const stream of [output, input]) {
      // A broken pipe means that the browser is gone; its process also reports that.
      stream.on('error', () => this.close());
      stream.on('close', () => this.close());
    }
  }

  send(message: string): void {
    if (this.#closed) return;
    this.#rememberTextCommand(message);
    const text = this.#longText;
    this.#longText = undefined;
    if (text === undefined && !this.#queue) this.#output.write(`${message}\0`);
    else this.#enqueue(text === undefined ? [`${message}\0`] : partsOf(message, text));
  }

  /**
   * Sends a message with a text of any length as one of its strings. `send` must send exactly that message before it
   * returns, with the string that it receives in place of the text. Returns, or throws, what `send` does.
   */
  withText<T>(text: string, send: (text: string) => T): T {
    if (text.length <= LONGEST_WRITTEN_AT_ONCE) return send(text);
    this.#longText = text;
    try {
      return send(PLACEHOLDER);
    } finally {
      this.#longText = undefined;
    }
  }

  /**
   * Sends a command and resolves with the browser's response as JSON: `{"id":1,"result":…}`. `send` must send the
   * command before it returns; its promise resolves with an empty result. Rejects as that promise does.
   */
  async receiveText(send: () => Promise<unknown>): Promise<string> {
    const command: TextCommand = {};
    try {
      await this.#sendForText(command, send);
    } finally {
      if (command.id !== undefined) this.#textCommands.delete(command.id);
    }
    if (command.response === undefined) throw new Error('the command was not sent');
    return command.response;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#text = '';
    this.#input.destroy();
    this.#output.destroy();
    this.onclose?.();
  }

  #sendForText(command: TextCommand, send: () => Promise<unknown>): Promise<unknown> {
    this.#nextTextCommand = command;
    try {
      return send();
    } finally {
      this.#nextTextCommand = undefined;
    }
  }

  #rememberTextCommand(message: string): void {
    const command = this.#nextTextCommand;
    if (!command) return;
    this.#nextTextCommand = undefined;
    const { id, sessionId } = JSON.parse(message) as { id: number; sessionId?: string };
    Object.assign(command, { id, sessionId });
    this.#textCommands.set(id, command);
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

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(END); end !== -1; end = chunk.indexOf(END, start)) {
      const message = this.#complete(chunk.subarray(start, end));
      start = end + 1;
      if (!this.#closed) this.onmessage?.(this.#withoutText(message));
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Keeps the response of a text command and returns one with an empty result. Returns other messages unchanged. */
  #withoutText(message: string): string {
    if (this.#textCommands.size === 0) return message;
    const id = Number(RESULT.exec(message)?.[1]);
    const command = this.#textCommands.get(id);
    if (!command) return message;
    command.response = message;
    return JSON.stringify({ id, result: {}, sessionId: command.sessionId });
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

/**
 * Returns the message with the text as JSON in place of the placeholder. Throws when the placeholder does not occur
 * exactly once.
 */
function partsOf(message: string, text: string): Parts {
  const [before, after, ...rest] = message.split(QUOTED_PLACEHOLDER);
  if (before === undefined || after === undefined || rest.length > 0) {
    throw new Error('the message must have its long text exactly once');
  }
  return parts(before, text, after);
}

function* parts(before: string, text: string, after: string): Parts {
  yield `${before}"`;
  for (const slice of textSlices(text)) yield JSON.stringify(slice).slice(1, -1);
  yield `"${after}\0`;
}
