import { expect, it } from 'vitest';
import { archiveNames } from './batch-files.ts';

it.each([
  ['different names', ['a.pdf', 'b.pdf'], ['a.pdf', 'b.pdf']],
  ['the same name', ['a.pdf', 'a.pdf', 'a.pdf'], ['a.pdf', 'a (2).pdf', 'a (3).pdf']],
  ['names that differ in case', ['a.pdf', 'A.PDF'], ['a.pdf', 'A (2).PDF']],
  ['forms of an accent', ['\u00e9.pdf', 'e\u0301.pdf'], ['\u00e9.pdf', 'e\u0301 (2).pdf']],
  ['reserved characters', ['a:b.pdf', 'a?b.pdf'], ['a_b.pdf', 'a_b (2).pdf']],
  [
    'names of devices',
    ['NUL.pdf', 'aux.x.pdf', 'Com¹.pdf', 'lpt0 .pdf', 'con.pdf', 'CON.pdf', 'nullable.pdf', 'com10.pdf'],
    [
      '_NUL.pdf',
      '_aux.x.pdf',
      '_Com¹.pdf',
      '_lpt0 .pdf',
      '_con.pdf',
      '_CON (2).pdf',
      'nullable.pdf',
      'com10.pdf',
    ],
  ],
  [
    'a name with a number that is taken',
    ['a (2).pdf', 'a.pdf', 'a.pdf', 'a (2).pdf'],
    ['a (2).pdf', 'a.pdf', 'a (3).pdf', 'a (2) (2).pdf'],
  ],
])('makes names unique: %s', (_what, names, expected) => {
  expect(archiveNames(names, 'pdf')).toEqual(expected);
});

it('keeps the longest device name within 255 bytes', () => {
  const [name] = archiveNames([`NUL.${'a'.repeat(247)}.pdf`], 'pdf');
  expect(name).toBe(`_NUL.${'a'.repeat(246)}.pdf`);
});

it('keeps numbered names within 255 bytes and whole characters', () => {
  const name = `${'🦄'.repeat(62)}abc.pdf`;
  const names = archiveNames(
    Array.from({ length: 100 }, () => name),
    'pdf',
  );
  expect(new Set(names).size).toBe(100);
  expect(names[99]).toBe(`${'🦄'.repeat(61)} (100).pdf`);
  for (const each of names) expect(Buffer.byteLength(each)).toBeLessThanOrEqual(255);
});
