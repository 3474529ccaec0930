import { RE2JS } from 're2js';
import { expect, it } from 'vitest';
import { isCheapToCompile, maxInstructions } from './schema-cost.ts';

it.each([
  '^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$',
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  '([a-z]{1,30}){30}[0-9]',
  '(((a{1,10}){1,10}){1,10})',
  '((a{30}){30}){1,1}',
  '(a{2}){3}',
  '(a{2}){2}'.repeat(10),
  '[)}]{1000}',
  '(x|[)]{9}){99}',
  'a?'.repeat(500),
  'a*'.repeat(500),
  '\\p{L}{1,1000}',
  '(?:a|b|c){5,}',
  '(?P<year>\\d{4}){0,7}',
  '(a|b|){1000}',
  '.{1000}',
  '[^a]{1,100}',
  '\\Q){\\E{1000}',
  '(((((a{2}){2}){2}){2}){2})',
])("A pattern's estimated size is never smaller than the compiled size: %s", (pattern) => {
  expect(maxInstructions(pattern)).toBeGreaterThanOrEqual(RE2JS.compile(pattern).programSize() - 2);
});

it.each<[boolean, string]>([
  [true, '^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$'],
  [true, '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,6})?Z$'],
  [true, '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'],
  [true, '^\\p{L}[\\p{L} \\-]*$'],
  [false, 'a{1000}'],
  [false, '((((a{2}){9}){9}){9}'],
  [false, '(?i)[\u0100-\uffff]'],
  [false, '\\pL'.repeat(100)],
  [false, 'x'.repeat(1001)],
])("A pattern's estimated size is small enough for the main thread (%s): %s", (isCheap, pattern) => {
  const schema = { fields: [{ name: 'v', type: 'string' as const, pattern }] };
  expect(isCheapToCompile(schema, JSON.stringify(schema))).toBe(isCheap);
});

it("A pattern's estimated size is summed over a schema, including nested fields", () => {
  const nested = { type: 'string' as const, pattern: 'a{600}' };
  const isCheap = (names: string[]) => {
    const properties = Object.fromEntries(names.map((name) => [name, nested]));
    const schema = { fields: [{ name: 'o', type: 'object' as const, properties }] };
    return isCheapToCompile(schema, JSON.stringify(schema));
  };
  expect(isCheap(['a'])).toBe(true);
  expect(isCheap(['a', 'b'])).toBe(false);
});
