import { setMember, type JsonObject } from './json.ts';
import { badRequest } from '../objects/status-error.ts';

/*
 * `kubectl create` of namespaces, config maps and secrets sends the object as protobuf and does not fall back to JSON
 * on 415. This decoder reads only these kinds. Field numbers: generated.proto of meta/v1 and core/v1.
 */

type FieldType = 'string' | 'bytes' | 'boolean' | 'string map' | 'bytes map' | Message;

/** JSON name and type of each field, by field number. */
type Message = Readonly<Record<number, readonly [name: string, type: FieldType]>>;

/** `runtime.Unknown`, the envelope of every Kubernetes object. */
const ENVELOPE: Message = {
  1: ['type', { 1: ['apiVersion', 'string'], 2: ['kind', 'string'] }],
  2: ['raw', 'bytes'],
};

const OBJECT_META: Message = {
  1: ['name', 'string'],
  2: ['generateName', 'string'],
  3: ['namespace', 'string'],
  11: ['labels', 'string map'],
  12: ['annotations', 'string map'],
};

const KINDS: ReadonlyMap<string, Message> = new Map<string, Message>([
  ['v1 Namespace', { 1: ['metadata', OBJECT_META], 3: ['status', { 1: ['phase', 'string'] }] }],
  ['v1 ConfigMap', { 1: ['metadata', OBJECT_META], 2: ['data', 'string map'] }],
  [
    'v1 Secret',
    {
      1: ['metadata', OBJECT_META],
      2: ['data', 'bytes map'],
      3: ['type', 'string'],
      4: ['stringData', 'string map'],
      5: ['immutable', 'boolean'],
    },
  ],
]);

/** Magic number at the start of the envelope (apimachinery `serializer/protobuf`). */
const MAGIC = Buffer.from('k8s\0');

/**
 * Decodes a Namespace, a ConfigMap or a Secret; returns undefined for any other kind. Throws StatusError 400 for
 * malformed bytes and for unknown fields, so that no value is lost.
 */
export function decodeProtobufObject(body: Buffer): JsonObject | undefined {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) throw malformed();
  const { type, raw } = decodeMessage(body.subarray(MAGIC.length), ENVELOPE) as {
    type?: { apiVersion?: string; kind?: string };
    raw?: string;
  };
  const { apiVersion = '', kind = '' } = type ?? {};
  const message = KINDS.get(`${apiVersion} ${kind}`);
  return message && { apiVersion, kind, ...decodeMessage(Buffer.from(raw ?? '', 'base64'), message) };
}

/** Omits unset fields: Go writes them as zero, an empty string or an empty message. */
function decodeMessage(bytes: Buffer, message: Message): JsonObject {
  const result: JsonObject = {};
  for (const { number, content } of fieldsOf(bytes)) {
    if (content === 0 || (typeof content !== 'number' && content.length === 0)) continue;
    const field = message[number];
    if (!field) throw badRequest(`the protobuf body has field ${number}, which this server does not read`);
    const [name, type] = field;
    if (type === 'string map' || type === 'bytes map') addEntry(result, name, decodeEntry(content, type));
    else setUnlessEmpty(result, name, decodeValue(content, type));
  }
  return result;
}

function setUnlessEmpty(result: JsonObject, name: string, value: unknown): void {
  if (typeof value !== 'object' || Object.keys(value as object).length > 0) result[name] = value;
}

interface Entry {
  readonly key?: string;
  readonly value?: string;
}

function decodeEntry(content: number | Buffer, type: 'string map' | 'bytes map'): Entry {
  const value = type === 'string map' ? 'string' : 'bytes';
  return decodeValue(content, { 1: ['key', 'string'], 2: ['value', value] }) as Entry;
}

function addEntry(result: JsonObject, name: string, { key = '', value = '' }: Entry): void {
  setMember((result[name] ??= {}) as JsonObject, key, value);
}

function decodeValue(content: number | Buffer, type: Exclude<FieldType, `${string} map`>): unknown {
  if ((typeof content === 'number') !== (type === 'boolean')) throw malformed();
  if (typeof content === 'number') return true;
  if (type === 'string') return content.toString();
  return type === 'bytes' ? content.toString('base64') : decodeMessage(content, type as Message);
}

/** Reads the wire format: numbers (wire type 0) and byte sequences (wire type 2). */
function* fieldsOf(bytes: Buffer): Generator<{ number: number; content: number | Buffer }> {
  let at = 0;
  const readVarint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at];
      if (byte === undefined) throw malformed();
      at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const numberOrLength = readVarint();
    const number = tag >>> 3;
    const type = tag & 7;
    if (type === 0) yield { number, content: numberOrLength };
    else if (type === 2 && numberOrLength <= bytes.length - at)
      yield { number, content: bytes.subarray(at, (at += numberOrLength)) };
    else throw malformed();
  }
}

function malformed(): Error {
  return badRequest('the protobuf body is malformed');
}
