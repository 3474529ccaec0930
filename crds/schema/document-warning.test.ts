import { Check } from 'typebox/value';
import { expect, it } from 'vitest';
import { MAX_WARNINGS } from '../limits.ts';
import {
  DocumentWarning,
  MAX_WARNING_LENGTH,
  storableWarnings,
  type ProblemPart,
  type WarningCode,
} from './document-warning.ts';

const warning = (changes: Partial<DocumentWarning> = {}): DocumentWarning => ({
  code: 'resource_blocked',
  message: 'The image was not loaded.',
  name: 'https://images.example/logo.png',
  part: 'html',
  line: 3,
  ...changes,
});

it('storableWarnings keeps 20 warnings, or 19 and a count of the rest', () => {
  const many = Array.from({ length: MAX_WARNINGS + 5 }, (_, index) => warning({ name: `${index}` }));
  expect(storableWarnings(many.slice(0, 20))).toEqual(many.slice(0, 20));
  const more = { code: 'more_warnings', message: 'and 6 more', name: '6' };
  expect(storableWarnings(many)).toEqual([...many.slice(0, 19), more]);
});

it.each([
  ['code', { code: 'of_a_later_version' as WarningCode }],
  ['part', { part: 'later' as ProblemPart }],
])('storableWarnings drops a %s that the schema does not allow', (_, unknown) => {
  expect(storableWarnings([warning(unknown), warning()])).toEqual([warning()]);
});

it.each([
  ['long', 'x'.repeat(MAX_WARNING_LENGTH + 1), `${'x'.repeat(MAX_WARNING_LENGTH - 1)}…`],
  ['as long as allowed', 'x'.repeat(MAX_WARNING_LENGTH), 'x'.repeat(MAX_WARNING_LENGTH)],
  ['with a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ['cut inside a character', '😀'.repeat(200), `${'😀'.repeat(127)}\ufffd…`],
  ['with control characters', 'a\u0000b\nc', 'a b c'],
])('storableWarnings makes a string storable: %s', (_, text, expected) => {
  const [stored] = storableWarnings([warning({ message: text, name: text })]);
  expect(stored).toEqual(warning({ message: expected, name: expected }));
  expect(Check(DocumentWarning, stored)).toBe(true);
});
