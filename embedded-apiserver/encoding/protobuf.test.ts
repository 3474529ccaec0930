import { expect, test } from 'vitest';
import { decodeProtobufObject } from './protobuf.ts';

/** Body that kubectl 1.34 sends for `create namespace acme`. */
const NAMESPACE = 'azhzAAoPCgJ2MRIJTmFtZXNwYWNlEhwKFAoEYWNtZRIAGgAiACoAMgA4AEIAEgAaAgoAGgAiAA==';

/** Body that kubectl 1.34 sends for `create secret generic hook --from-literal=key=s3cret --from-literal=empty=`. */
const SECRET =
  'azhzAAoMCgJ2MRIGU2VjcmV0EjkKGwoEaG9vaxIAGgdkZWZhdWx0IgAqADIAOABCABIJCgVlbXB0eRIAEg0KA2tleRIGczNjcmV0GgAaACIA';

const bytes = (base64: string) => Buffer.from(base64, 'base64');

test('the protobuf decoder reads a namespace from kubectl', () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'acme' } };
  expect(decodeProtobufObject(bytes(NAMESPACE))).toEqual(namespace);
});

test('the protobuf decoder reads a secret with an empty value from kubectl', () => {
  expect(decodeProtobufObject(bytes(SECRET))).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'hook', namespace: 'default' },
    data: { key: 'czNjcmV0', empty: '' },
  });
});

test('the protobuf decoder rejects a truncated message with 400 and never reads past its end', () => {
  const whole = bytes(SECRET);
  for (let length = 0; length < whole.length; length++) {
    // Truncating between two fields of the envelope leaves a valid message.
    const allowed = [undefined, expect.objectContaining({ apiVersion: 'v1', kind: 'Secret' })];
    try {
      expect(allowed).toContainEqual(decodeProtobufObject(whole.subarray(0, length)));
    } catch (error) {
      expect(error).toMatchObject({ status: { code: 400 } });
    }
  }
});

test('the protobuf decoder reads labels, annotations and a boolean', () => {
  const field = (number: number, ...parts: (Buffer | string)[]) => {
    const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
    return Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
  };
  const entry = (key: string, value: string) => [field(1, key), field(2, value)];
  const metadata = field(1, field(11, ...entry('team', 'x')), field(12, ...entry('note', 'y')));
  const secret = field(2, metadata, field(4, ...entry('a', 'b')), Buffer.from([5 << 3, 1]));
  const type = field(1, field(1, 'v1'), field(2, 'Secret'));
  expect(decodeProtobufObject(Buffer.concat([Buffer.from('k8s\0'), type, secret]))).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { labels: { team: 'x' }, annotations: { note: 'y' } },
    stringData: { a: 'b' },
    immutable: true,
  });
});

test('the protobuf decoder rejects an unknown field unless it is empty', () => {
  // kubectl sends an empty field 4 of metadata (selfLink).
  const sent = bytes(NAMESPACE);
  const selfLink = sent.indexOf(Buffer.from([0x22, 0x00, 0x2a, 0x00]));
  const changed = Buffer.from(sent);
  // The empty fields 4 and 5 become a single two-byte field 4.
  changed[selfLink + 1] = 2;
  expect(() => decodeProtobufObject(changed)).toThrow('field 4');
});

test('the protobuf decoder returns undefined for other kinds', () => {
  const other = bytes(NAMESPACE.replace('TmFtZXNwYWNl', Buffer.from('Nothingxy').toString('base64')));
  expect(decodeProtobufObject(other)).toBeUndefined();
});

test('the protobuf decoder rejects bytes that are not Kubernetes protobuf', () => {
  for (const text of ['', '{}', 'k8s\0\xff\xff\xff', 'k8s\0\x0a\x7f']) {
    expect(() => decodeProtobufObject(Buffer.from(text, 'latin1'))).toThrow(/protobuf/);
  }
});
