import { describe, expect, it } from 'vitest';
import { JsonPositions } from './json-positions.ts';
import { syntaxProblem } from './read-input.ts';

describe('syntaxProblem', () => {
  it.each([
    ['{"a": x}', 6, "Unexpected token 'x'"],
    ['{"a": [1, 2,]}', 12, "Unexpected token ']'"],
    [`{"a": "${'long '.repeat(100)}", "b": 'c'}`, 515, "Unexpected token '''"],
    ['{"a": tru}', 9, "Unexpected token '}'"],
    ['{"a": 1', 7, "Expected ',' or '}' after property value"],
    ['{"a": "b', 8, 'Unterminated string'],
    ['', 0, 'Unexpected end of JSON'],
    ['{"a": 1} 2', 9, 'Unexpected non-whitespace character after JSON'],
  ])('finds the character in %s', (text, index, message) => {
    expect(syntaxProblem(text)).toEqual({ index, message });
  });

  it('finds nothing in JSON', () => {
    expect(syntaxProblem('{"a": [1, "x"]}')).toBeUndefined();
  });
});

describe('JsonPositions', () => {
  const text = '{\n\t"a/b": [{"~": "#"},\n\t\t-1e3], "é": {"0": null},\n "list": []}';
  it.each([
    ['', 1, 1],
    ['/a~1b/0/~0', 2, 16],
    ['/a~1b/1', 3, 3],
    ['/a~1b/0/none', 2, 10],
    ['/é/0', 3, 21],
    ['/list/0/x', 4, 10],
  ])('finds %s', (pointer, line, column) => {
    expect(JSON.parse(text)).toBeTruthy();
    expect(new JsonPositions(text).at(pointer)).toEqual({ line, column });
  });
});
