import { expect, it } from 'vitest';
import { EVERYDAY_SCRIPTS, SCRIPT_SAMPLES } from './unicode-scripts.ts';
import { usedScripts } from './used-scripts.ts';

/** Node.js may use an earlier Unicode version than the table. */
const isKnown = (name: string): boolean => {
  try {
    return new RegExp(String.raw`\p{Script=${name}}`, 'u').unicode;
  } catch {
    return false;
  }
};
const SCRIPTS = Object.keys(SCRIPT_SAMPLES).filter(isKnown);

it.each([
  ['Latin, punctuation and symbols', '<p>Łódź naïve — 17 € ™ → ≤ ✓ 1️ \u{e000}</p>', []],
  ['a letter', '<p>Total: ཀ</p>', ['Tibetan']],
  ['several scripts', 'ฅ and Ж, 𐀀', ['Thai', 'Cyrillic', 'Linear_B']],
  ['an emoji', 'Done 🎉', ['Emoji']],
  ['a hexadecimal reference', '<p>&#x0F40;&#XF41</p>', ['Tibetan']],
  ['a decimal reference', '<p>&#3904;</p>', ['Tibetan']],
  ['references without a letter', '&#xffffff; &#9999999; &#xd800; &# &#x; &#8364;', []],
  ['lone surrogates', 'a\ud800b\udc00', []],
])('finds %s', (_, html, scripts) => {
  expect(usedScripts(html)).toEqual(scripts);
});

it('finds the scripts of several strings', () => {
  expect(usedScripts('Ж', '', 'ཀЖ')).toEqual(['Cyrillic', 'Tibetan']);
});

it('finds every script in the table by its sample', () => {
  const found = Object.values(SCRIPT_SAMPLES).map((code) => usedScripts(String.fromCodePoint(code)));
  expect(found.flat()).toEqual(SCRIPTS.filter((name) => name !== 'Latin'));
  expect([...EVERYDAY_SCRIPTS].filter((name) => name !== 'Emoji' && !(name in SCRIPT_SAMPLES))).toEqual([]);
});

it('knows every script in the Unicode version of this Node.js', () => {
  const known = SCRIPTS.map((name) => String.raw`\p{Script=${name}}`);
  const others = String.raw`\p{Script=Common}\p{Script=Inherited}\p{Script=Unknown}`;
  const unknown = new RegExp(`[^${known.join('')}${others}]`, 'u');
  const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
  expect(characters.filter((character) => unknown.test(character))).toEqual([]);
});

it('stops at 20 scripts', () => {
  const text = Object.values(SCRIPT_SAMPLES)
    .map((code) => String.fromCodePoint(code))
    .join('');
  expect(usedScripts(text)).toHaveLength(20);
});
