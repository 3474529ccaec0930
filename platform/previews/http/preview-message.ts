import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { DOCUMENT_FORMATS } from '@trifold/crds';
import type { PreviewOutcome, PreviewTask } from '../port.ts';

/** Path of the only route; its method is POST. */
export const PREVIEW_PATH = '/previews';
/** Header with the task's account, which the renderer needs before it reads the task. */
export const ACCOUNT_HEADER = 'trifold-account';
/** Media type of a message: one line of JSON, then bytes. */
export const MESSAGE_TYPE = 'application/vnd.trifold.preview';
/** Maximum size of a message, in bytes: the largest data that TRIFOLD_MAX_BODY allows, and the template. */
const MAX_MESSAGE_BYTES = 272 * 2 ** 20;
/** Maximum deadline for a task, in milliseconds. */
const MAX_DEADLINE_MS = 60_000;

const LINE_END = 0x0a;

/**
 * A task or an outcome on the wire. The bytes are not part of the JSON, because encoding large ones blocks the thread.
 */
export interface PreviewMessage {
  /** JSON and a line feed. */
  readonly line: Buffer;
  /** A task's data, or an outcome's file. */
  readonly bytes: Uint8Array;
}

/** A message that does not follow this protocol. */
export class PreviewMessageError extends Error {
  /** HTTP status of the response. */
  readonly statusCode: 400 | 413;

  constructor(statusCode: 400 | 413, message: string, cause?: unknown) {
    super(message, { cause });
    this.statusCode = statusCode;
  }
}

export function encodeTask({ data, template, ...task }: PreviewTask): PreviewMessage {
  // The data has been checked, and documents contain neither the schema nor the email.
  const { schema: _schema, email: _email, ...content } = template;
  return { line: lineOf({ ...task, template: content }), bytes: data };
}

/** Throws PreviewMessageError. */
export function decodeTask(message: Buffer): PreviewTask {
  const [head, data] = decode(message);
  const task = { ...(head as unknown as Omit<PreviewTask, 'data'>), data };
  const isTask =
    typeof task.id === 'string' &&
    typeof task.account === 'string' &&
    DOCUMENT_FORMATS.includes(task.format) &&
    typeof task.template?.html === 'string' &&
    typeof task.options === 'object' &&
    Date.parse(task.createdAt) > 0 &&
    task.deadlineMs > 0 &&
    task.deadlineMs <= MAX_DEADLINE_MS;
  if (!isTask) throw new PreviewMessageError(400, 'the message is not a preview task');
  return task;
}

export function encodeOutcome(outcome: PreviewOutcome): PreviewMessage {
  if (outcome.status !== 'completed') return { line: lineOf(outcome), bytes: Buffer.alloc(0) };
  const { file, ...head } = outcome;
  return { line: lineOf(head), bytes: file };
}

/** Throws PreviewMessageError. */
export function decodeOutcome(message: Buffer): PreviewOutcome {
  const [head, file] = decode(message);
  const outcome = head as unknown as PreviewOutcome;
  return outcome.status === 'completed' ? { ...outcome, file } : outcome;
}

/** Size of the message in bytes, for the Content-Length header. */
export function messageLength({ line, bytes }: PreviewMessage): number {
  return line.length + bytes.length;
}

/** Writes the message and ends the stream. */
export function writeMessage({ line, bytes }: PreviewMessage, stream: Writable): void {
  stream.write(line);
  stream.end(bytes);
}

/** Throws PreviewMessageError unless the length of a request or a response is known and not too large. */
export function assertLength({ headers }: IncomingMessage): void {
  const length = Number(headers['content-length']);
  if (length <= MAX_MESSAGE_BYTES) return;
  throw new PreviewMessageError(413, `the message must not exceed ${MAX_MESSAGE_BYTES} bytes`);
}

/** Reads the message of a request or a response. Rejects with the connection's error. */
export async function readMessage(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  message.on('data', (piece: Buffer) => pieces.push(piece));
  await once(message, 'end');
  return Buffer.concat(pieces);
}

function lineOf(head: object): Buffer {
  return Buffer.from(`${JSON.stringify(head)}\n`);
}

function decode(message: Buffer): [Readonly<Record<string, unknown>>, Buffer] {
  const end = message.indexOf(LINE_END);
  try {
    const head: unknown = JSON.parse(message.subarray(0, Math.max(0, end)).toString());
    if (typeof head === 'object' && head) return [{ ...head }, message.subarray(end + 1)];
  } catch (error) {
    throw new PreviewMessageError(400, 'the message does not begin with a line of JSON', error);
  }
  throw new PreviewMessageError(400, 'the message does not begin with a JSON object');
}
