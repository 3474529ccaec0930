import { describe, expect, it } from 'vitest';
import { decodeBody } from './body.ts';
import { findDuplicateMembers } from './duplicate-members.ts';
import { measureJson } from './json-text.ts';

describe('findDuplicateMembers', () => {
  it.each([
    ['{"a":1,"b":2}', []],
    ['{"a":1,"a":2}', ['a']],
    ['{"spec":{"a":1, "a" : {"b":1}}}', ['spec.a']],
    ['{"list":[{"a":1},{"a":1,"a":2}]}', ['list[1].a']],
    ['{"a":"\\"a\\":1","b":"{\\"b\\":1}"}', []],
    [String.raw`{"a":1,"\u0061":2}`, ['a']],
    ['[[{"a":1}],[{"a":1,"a":2,"a":3}]]', ['[1][0].a', '[1][0].a']],
  ])('returns the paths of duplicate members in %s', (text, duplicates) => {
    expect(findDuplicateMembers(text)).toEqual(duplicates);
  });
});

describe('measureJson', () => {
  it.each([
    ['[[[]]]', 2, true],
    ['[[[]]]', 3, false],
    ['{"a":[{"b":[]}]}', 3, true],
    ['["[[[[[[[[", "\\"[[[[[["]', 2, false],
    ['["\\\\", [[[1]]]]', 3, true],
    ['["never closed [[[[', 2, false],
  ])('compares the depth of %s with the limit %d', (text, limit, deeper) => {
    expect(measureJson(text).depth > limit).toBe(deeper);
  });
});

describe('decodeBody', () => {
  it('accepts YAML', async () => {
    const body = await decodeBody(
      'kind: Template\nspec:\n  html: |\n    <p>\n',
      'application/yaml; charset=utf-8',
      'Template',
    );
    expect(body.value).toEqual({ kind: 'Template', spec: { html: '<p>\n' } });
  });

  it.each([
    ['{"a":', 'application/json', 400],
    ['', 'application/json', 400],
    ['[]', 'application/json', 400],
    ['null', undefined, 400],
    ['a: [', 'application/yaml', 400],
    [`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'application/json', 400],
    ['{}', 'text/plain', 415],
    ['{}', 'application/vnd.kubernetes.protobuf', 415],
  ])('rejects %s sent as %s with %d', async (text, type, code) => {
    await expect(decodeBody(text, type, 'Template')).rejects.toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code }) as unknown }),
    );
  });

  it('does not quote a malformed body, which can hold a secret', async () => {
    await expect(decodeBody('{"token": "s3cret', 'application/json', 'Secret')).rejects.toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('s3cret') as unknown }),
    );
  });
});
