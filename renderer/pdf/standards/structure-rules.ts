import type { CheckedRule } from './rule-at-level.ts';

/** A rule, and the types that it allows. */
type Allowed = readonly [rule: CheckedRule, types: readonly string[]];

const ROW_OWNERS = ['Table', 'THead', 'TBody', 'TFoot'];

/** For each element type, the types that may contain it (ISO 14289-1, 7.2). */
export const PARENTS: Readonly<Record<string, Allowed>> = {
  TR: ['7.2-4', ROW_OWNERS],
  THead: ['7.2-5', ['Table']],
  TBody: ['7.2-6', ['Table']],
  TFoot: ['7.2-7', ['Table']],
  TH: ['7.2-8', ['TR']],
  TD: ['7.2-9', ['TR']],
  LI: ['7.2-17', ['L']],
  LBody: ['7.2-18', ['LI']],
  TOCI: ['7.2-26', ['TOC']],
};

/** For each element type, the types that it may contain (ISO 14289-1, 7.2). */
export const KIDS: Readonly<Record<string, Allowed>> = {
  Table: ['7.2-3', ['TR', 'THead', 'TBody', 'TFoot', 'Caption']],
  TR: ['7.2-10', ['TH', 'TD']],
  L: ['7.2-19', ['L', 'LI', 'Caption']],
  LI: ['7.2-20', ['Lbl', 'LBody']],
  TOC: ['7.2-27', ['TOC', 'TOCI', 'Caption']],
  THead: ['7.2-36', ['TR']],
  TBody: ['7.2-37', ['TR']],
  TFoot: ['7.2-38', ['TR']],
};

/** A rule that an element breaks if its children's types, joined with spaces, match. */
type Order = readonly [rule: CheckedRule, broken: RegExp, what: string];

/** Rules for the children of an element, by its type. */
export const ORDERS: Readonly<Record<string, readonly Order[]>> = {
  Table: [
    ['7.2-11', /\bTHead\b.*\bTHead\b/, 'a table has more than one head'],
    ['7.2-12', /\bTFoot\b.*\bTFoot\b/, 'a table has more than one foot'],
    ['7.2-13', /^(?=.*\bTFoot\b)(?!.*\bTBody\b)/, 'a table has a foot, but no body'],
    ['7.2-14', /^(?=.*\bTHead\b)(?!.*\bTBody\b)/, 'a table has a head, but no body'],
    ['7.2-16', / Caption /, 'the caption of a table is between its rows'],
    ['7.2-39', /\bCaption\b.*\bCaption\b/, 'a table has more than one caption'],
  ],
  L: [['7.2-40', / Caption\b/, 'the caption of a list is not before its items']],
  TOC: [['7.2-28', / Caption\b/, 'the caption of a table of contents is not before its items']],
};

/** Rule for the children of any element. */
export const HEADINGS: Order = [
  '7.4.4-1',
  /\bH\b.*\bH\b/,
  'an element has more than one heading without a level',
];

/** Rules for element descriptions, by type, and what breaks them. */
export const DESCRIBED: Readonly<Record<string, readonly [rule: CheckedRule, what: string]>> = {
  Figure: ['7.3-1', 'an image has no alternative text'],
  Formula: ['7.7-1', 'a formula has no alternative text'],
  Note: ['7.9-1', 'a note has no id'],
  Form: ['7.18.4-2', 'a form control has no role'],
};
