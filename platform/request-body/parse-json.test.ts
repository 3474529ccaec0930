import { describe, expect, it } from 'vitest';
import { InvalidJson, parseJson } from './parse-json.ts';
import { repeatedMember, shapeOf } from './json-scan.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

describe('JSON body', () => {
  it.each([
    '{}',
    '{"a":{"b":[1,2,{"c":"d:{[\\"\\\\"}]}}',
    '{"a":"\\\\","b":"\\"","c\\"d":":"}',
    ' {"a" : null , "b" :\n[ ] } ',
    '{"ä":"🦄","":0}',
  ])('is parsed as by JSON.parse: %s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('may nest a hundred levels and no more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parse(nested(100))).toBeInstanceOf(Array);
    expect(() => parse(nested(101))).toThrow(InvalidJson);
  });

  it('does not count brackets in strings as nesting', () => {
    expect(parse(JSON.stringify({ a: '['.repeat(1000) }))).toEqual({ a: '['.repeat(1000) });
  });

  it('reports the location of a value that cannot be kept exactly', () => {
    expect(() => parse('{"a/b":[{"~":"\\udfff"}]}')).toThrow(
      '/a~1b/0/~0 holds half of a surrogate pair, which is not Unicode text',
    );
  });
});

describe('Scan of a JSON text', () => {
  it('counts members and depth without the content of strings', () => {
    expect(shapeOf(Buffer.from('{"a:{[":[{"b":1}],"\\"c":":"}'))).toEqual({ depth: 3, members: 3 });
  });

  it('ends on an unterminated string', () => {
    expect(shapeOf(Buffer.from('{"a":"\\"'))).toEqual({ depth: 1, members: 1 });
  });

  it('finds a member that one object has twice, not one that two objects share', () => {
    expect(repeatedMember(Buffer.from('[{"a":1},{"a":2}]'))).toBeUndefined();
    expect(repeatedMember(Buffer.from('{"x":{"a":1},"a":2,"y":["a"],"\\u0061":3}'))).toBe('a');
  });
});
