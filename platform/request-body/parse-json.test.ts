import { describe, expect, it } from 'vitest';
import { InvalidJson, parseJson } from './parse-json.ts';

const parse = (text: string) => parseJson(Buffer.from(text)).value;

describe('A JSON body', () => {
  it.each([
    '{}',
    '{"a":{"b":[1,2,{"c":"d:{[\\"\\\\"}]}}',
    '{"a":"\\\\","b":"\\"","c\\"d":":"}',
    ' {"a" : null , "b" :\n[ ] } ',
    '{"ä":"🦄","":0}',
    '{"a":1,"\\u0061":2}',
  ])('is parsed like JSON.parse: %s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('may begin with a byte order mark', () => {
    expect(parse('\uFEFF{"a":"\uFEFF"}')).toEqual({ a: '\uFEFF' });
    expect(() => parse('\uFEFF\uFEFF{}')).toThrow(InvalidJson);
  });

  it('can be nested a hundred levels deep, but no more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parse(nested(100))).toBeInstanceOf(Array);
    expect(() => parse(nested(101))).toThrow(InvalidJson);
  });

  it('does not count brackets in strings as nesting', () => {
    expect(parse(JSON.stringify({ a: '['.repeat(1000) }))).toEqual({ a: '['.repeat(1000) });
  });

  it.each([
    ['[9007199254740993]', ['9007199254740993']],
    ['{"a": -9007199254740993 ,"b":[\n12345678901234567168]}', ['-9007199254740993', '12345678901234567168']],
    ['{"a":1000000000000000000000}', ['1000000000000000000000']],
    ['{"a":9007199254740993,"a":1}', []],
    ['["9007199254740993",{"9007199254740993":": 9007199254740993"}]', []],
    [
      '[9007199254740992,1234567890123456,-0,1e3,9007199254740993.0,9007199254740993e1,0.12345678901234567]',
      [],
    ],
  ])('lists the integers that a double cannot represent: %s', (text, digits) => {
    const { value, longIntegers } = parseJson(Buffer.from(text));
    expect(value).toEqual(JSON.parse(text));
    expect(longIntegers.map((found) => found.digits)).toEqual(digits);
    expect(longIntegers.map(({ holder, key }) => holder[key])).toEqual(digits.map(Number));
  });
});
