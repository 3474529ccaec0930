import { describe, expect, it } from 'vitest';
import { InvalidJson, parseJson } from './parse-json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

describe('JSON body', () => {
  it.each([
    '{}',
    '{"a":{"b":[1,2,{"c":"d:{[\\"\\\\"}]}}',
    '{"a":"\\\\","b":"\\"","c\\"d":":"}',
    ' {"a" : null , "b" :\n[ ] } ',
    '{"ä":"🦄","":0}',
    '{"a":1,"\\u0061":2}',
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
      '/a~1b/0/~0 contains half of a surrogate pair, which is not valid Unicode',
    );
  });
});
