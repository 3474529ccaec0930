import { expect, test } from 'vitest';
import { protobufSchemaOf } from '../builtin-kinds/protobuf-schemas.ts';
import { decodeProtobufObject } from './protobuf.ts';

/** What kubectl 1.34 sent for `create namespace acme`. */
const NAMESPACE = 'azhzAAoPCgJ2MRIJTmFtZXNwYWNlEhwKFAoEYWNtZRIAGgAiACoAMgA4AEIAEgAaAgoAGgAiAA==';

/** … and for `create secret generic hook --from-literal=key=s3cret --from-literal=empty=`. */
const SECRET =
  'azhzAAoMCgJ2MRIGU2VjcmV0EjkKGwoEaG9vaxIAGgdkZWZhdWx0IgAqADIAOABCABIJCgVlbXB0eRIAEg0KA2tleRIGczNjcmV0GgAaACIA';

const decodeProtobuf = (body: Buffer) => decodeProtobufObject(body, protobufSchemaOf);
const bytes = (base64: string) => Buffer.from(base64, 'base64');

test('a namespace as kubectl sends it is read', () => {
  expect(decodeProtobuf(bytes(NAMESPACE))).toEqual({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'acme' },
  });
});

test('a secret as kubectl sends it is read, with an empty value', () => {
  expect(decodeProtobuf(bytes(SECRET))).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'hook', namespace: 'default' },
    data: { key: 'czNjcmV0', empty: '' },
  });
});

test('whatever is cut off is refused as malformed, never read beyond its end', () => {
  const whole = bytes(SECRET);
  for (let length = 0; length < whole.length; length++) {
    // Cut between two members of the envelope, what came before is whole.
    const allowed = [undefined, expect.objectContaining({ apiVersion: 'v1', kind: 'Secret' })];
    try {
      expect(allowed).toContainEqual(decodeProtobuf(whole.subarray(0, length)));
    } catch (error) {
      expect(error).toMatchObject({ status: { code: 400 } });
    }
  }
});

test('other kinds are not known', () => {
  const other = bytes(NAMESPACE.replace('TmFtZXNwYWNl', Buffer.from('Nothingxy').toString('base64')));
  expect(decodeProtobuf(other)).toBeUndefined();
});

test('bytes that are no protobuf of Kubernetes are refused', () => {
  for (const text of ['', '{}', 'k8s\0\xff\xff\xff', 'k8s\0\x0a\x7f']) {
    expect(() => decodeProtobuf(Buffer.from(text, 'latin1'))).toThrow(/protobuf/);
  }
});
