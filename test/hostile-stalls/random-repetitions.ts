import { randomFrom } from '../support/seeded-random.ts';
import { INPUT_POINTS } from './input-points.ts';
import type { HostileInput } from './stall-watch.ts';

/** Opening delimiters, closing delimiters and separators of all scanned syntax. */
const FRAGMENTS: readonly string[] = [
  ...String.raw`
    <!-- --> --!> <! <![CDATA[ ]]> <? < > </ /> <p <b> </b> </i> <style </style> <script> <title> <textarea <meta <link
    <body <head> </head <!doctype <svg> <template> <table> <td> <a href= =" =' " ' = & &# &#x &amp ; \ / # %
    {{ }} {{{ }}} {{{{ {{! {{!-- --}} {{~ {{#if {{/if}} {{else}} {{> {{a. {{[ @root. ../ | ( ) [ ] { }
    /* */ @media @page{ @import :not( a{ a:b; url( url(" data: http:// javascript: , . + * ? {1,9} ^ $
    a 0 1e9 - [] {} {"a": "a", \" \u00 @ q=0.1`
    .trim()
    .split(/\s+/),
  ' ',
  '\t',
  '\n',
  '\r',
  '\f',
  '\u00a0',
  '\ufeff',
  'é',
  '\u{1f600}',
  '`',
  ' a=',
  '{{#if a}}',
];

/** Maximum number of fragments in a repeated unit. */
const MAX_UNIT_LENGTH = 3;

/**
 * For each input point, a repetition of random fragments: `abab…`, `aa…bb…`, or `a…b…` with one fragment in between.
 */
export function randomRepetitions(seed: number): HostileInput[] {
  const random = randomFrom(seed);
  const whole = (limit: number) => Math.floor(random() * limit);
  const unit = () =>
    Array.from({ length: 1 + whole(MAX_UNIT_LENGTH) }, () => FRAGMENTS[whole(FRAGMENTS.length)]).join('');
  return Object.entries(INPUT_POINTS).map(([pointName, point]) => {
    const [first, second, middle] = [unit(), unit(), unit()];
    const arrangement = ARRANGEMENTS[whole(ARRANGEMENTS.length)] ?? ARRANGEMENTS[0];
    return {
      name: `${pointName}: ${arrangement.name} ${JSON.stringify([first, second, middle])}`,
      point,
      text: (length) => arrangement.text([first, second, middle], length),
      length: point.maxLength,
    };
  });
}

type Units = readonly [first: string, second: string, middle: string];

/** `length` is in bytes, like the limits. */
const filled = (unit: string, length: number) =>
  unit.repeat(Math.max(1, Math.floor(length / Buffer.byteLength(unit))));

const ARRANGEMENTS = [
  { name: 'one unit of', text: ([first]: Units, length: number) => filled(first, length) },
  { name: 'alternating', text: ([first, second]: Units, length: number) => filled(first + second, length) },
  {
    name: 'one after the other of',
    text: ([first, second, middle]: Units, length: number) =>
      filled(first, length / 2 - Buffer.byteLength(middle)) + middle + filled(second, length / 2),
  },
] as const;
