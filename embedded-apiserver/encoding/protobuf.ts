import { toKubernetesTime } from '@trifold/crds';
import { setMember, type JsonObject } from './json.ts';
import { badRequest } from '../objects/refusal.ts';

/** What a field of a message holds. `time` is the message of seconds and nanoseconds. */
export type ProtobufType = 'string' | 'bytes' | 'integer' | 'boolean' | 'time' | ProtobufMessage;

/** A field: its JSON name, its type, and whether it repeats or is a map from strings. */
export interface ProtobufField {
  readonly name: string;
  readonly type: ProtobufType;
  readonly shape?: 'list' | 'map';
}

/** The fields of a message by number. Fields that are not named are skipped. */
export interface ProtobufMessage {
  readonly fields: Readonly<Record<number, ProtobufField>>;
}

/** Every Kubernetes object in protobuf begins with these bytes (apimachinery `serializer/protobuf`). */
const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

const ENVELOPE: ProtobufMessage = {
  fields: {
    1: {
      name: 'type',
      type: { fields: { 1: { name: 'apiVersion', type: 'string' }, 2: { name: 'kind', type: 'string' } } },
    },
    2: { name: 'raw', type: 'bytes' },
  },
};

/** Reads an object in Kubernetes' protobuf envelope. Undefined when no schema is known for its kind. */
export function decodeProtobufObject(
  body: Buffer,
  schemaOf: (apiVersion: string, kind: string) => ProtobufMessage | undefined,
): JsonObject | undefined {
  if (!body.subarray(0, 4).equals(MAGIC)) throw badRequest('the body is not protobuf of Kubernetes');
  const { type, raw } = decodeMessage(body.subarray(4), ENVELOPE) as {
    type?: { apiVersion?: string; kind?: string };
    raw?: string;
  };
  const { apiVersion = '', kind = '' } = type ?? {};
  const schema = schemaOf(apiVersion, kind);
  if (!schema) return undefined;
  return { apiVersion, kind, ...decodeMessage(Buffer.from(raw ?? '', 'base64'), schema) };
}

/** Reads one message; what was never set is left out. */
function decodeMessage(bytes: Buffer, message: ProtobufMessage): JsonObject {
  const result: JsonObject = {};
  const reader = new Reader(bytes);
  while (!reader.done) {
    const tag = reader.varint();
    const content = reader.content(tag & 7);
    const field = message.fields[tag >>> 3];
    if (field) keep(result, field, content);
  }
  return result;
}

function keep(result: JsonObject, field: ProtobufField, content: number | Buffer): void {
  if (field.shape === 'map') {
    const entry = decodeMessage(bufferOf(content), {
      fields: { 1: { name: 'key', type: 'string' }, 2: { name: 'value', type: field.type } },
    });
    const map = (result[field.name] ??= {}) as JsonObject;
    setMember(map, (entry['key'] as string | undefined) ?? '', entry['value'] ?? '');
    return;
  }
  const value = decodeValue(field.type, content);
  if (field.shape === 'list') ((result[field.name] ??= []) as unknown[]).push(value);
  else if (!isUnset(value)) result[field.name] = value;
}

/** Go writes members that were never set: empty texts, messages and times. */
function isUnset(value: unknown): boolean {
  return value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function decodeValue(type: ProtobufType, content: number | Buffer): unknown {
  if (typeof type === 'object') return decodeMessage(bufferOf(content), type);
  switch (type) {
    case 'string':
      return bufferOf(content).toString();
    case 'bytes':
      return bufferOf(content).toString('base64');
    case 'integer':
      return content;
    case 'boolean':
      return content === 1;
    case 'time':
      return decodeTime(bufferOf(content));
  }
}

/** A time that is not set is an empty message. */
function decodeTime(bytes: Buffer): string | null {
  const { seconds = 0, nanos = 0 } = decodeMessage(bytes, {
    fields: { 1: { name: 'seconds', type: 'integer' }, 2: { name: 'nanos', type: 'integer' } },
  }) as { seconds?: number; nanos?: number };
  if (seconds === 0 && nanos === 0) return null;
  const whole = toKubernetesTime(new Date(seconds * 1000));
  return nanos === 0 ? whole : whole.replace('Z', `.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`);
}

function bufferOf(content: number | Buffer): Buffer {
  if (typeof content === 'number') throw badRequest('the protobuf body does not fit its kind');
  return content;
}

/** Reads the wire format. Refuses with 400 what ends too early. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Exact up to 2^53; whole numbers below zero come as their two's complement and are not read back. */
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw badRequest('the protobuf body ends too early');
      this.#at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  content(wireType: number): number | Buffer {
    if (wireType === 0) return this.varint();
    const length = this.#lengthOf(wireType);
    const end = this.#at + length;
    if (end > this.#bytes.length) throw badRequest('the protobuf body ends too early');
    const content = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return content;
  }

  #lengthOf(wireType: number): number {
    if (wireType === 2) return this.varint();
    if (wireType === 1) return 8;
    if (wireType === 5) return 4;
    throw badRequest('the protobuf body is malformed');
  }
}
