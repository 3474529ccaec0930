import { describe, expect, it } from 'vitest';
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
