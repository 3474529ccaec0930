import type { HelperName } from './helper-signatures.ts';

/**
 * What a helper expects of an argument. `any`: the type of the literal next to it, or text; `comparable`: the same, or
 * a number; `condition`: whether there is a value; `numbers` and `texts`: a list of them; `field`: the name of a number
 * in each item of the preceding list.
 */
export type ArgumentType =
  | 'any'
  | 'comparable'
  | 'condition'
  | 'date'
  | 'field'
  | 'list'
  | 'number'
  | 'numbers'
  | 'object'
  | 'text'
  | 'texts';

/** What an editor shows for a helper. docs/template-helpers.md has an example of each. */
export interface HelperDescription {
  readonly summary: string;
  /** Positional arguments in order. The last one also describes any further ones. */
  readonly parameters: Readonly<Record<string, ArgumentType>>;
  /** Named arguments that are not text. */
  readonly named?: Readonly<Record<string, ArgumentType>>;
}

const NUMBERS = { number: 'number', other: 'number' } as const;
const COMPARED = { value: 'comparable', other: 'comparable' } as const;
const CONDITIONS = { value: 'condition', other: 'condition' } as const;
const DECIMALS = { decimals: 'number' } as const;

/** Handlebars helpers that a template may call. */
type BuiltIn = 'each' | 'if' | 'lookup' | 'unless' | 'with';

/** Every helper that a template can call. */
export const HELPER_DESCRIPTIONS: Readonly<Record<HelperName | BuiltIn, HelperDescription>> = {
  each: { summary: 'Repeats its content for each item of a list.', parameters: { list: 'list' } },
  if: { summary: 'Shows its content if there is a value.', parameters: { value: 'condition' } },
  lookup: { summary: 'One item of a list or an object.', parameters: { list: 'list', name: 'any' } },
  unless: { summary: 'Shows its content if there is no value.', parameters: { value: 'condition' } },
  with: { summary: 'Uses an object for the bindings in its content.', parameters: { object: 'object' } },
  formatDate: {
    summary: 'Date, in the style short, medium, long, full or iso.',
    parameters: { date: 'date', style: 'text' },
  },
  formatNumber: {
    summary: 'Number in the format of the locale.',
    parameters: { number: 'number' },
    named: DECIMALS,
  },
  formatCurrency: {
    summary: 'Amount with its currency.',
    parameters: { amount: 'number', currency: 'text' },
    named: DECIMALS,
  },
  formatPercent: { summary: '0.19 as 19%.', parameters: { number: 'number' }, named: DECIMALS },
  add: { summary: 'Sum of numbers.', parameters: NUMBERS },
  subtract: { summary: 'First number minus the second.', parameters: NUMBERS },
  multiply: { summary: 'Product of numbers.', parameters: NUMBERS },
  divide: { summary: 'First number divided by the second.', parameters: NUMBERS },
  round: {
    summary: 'Number rounded to decimals, halves away from zero.',
    parameters: { number: 'number', decimals: 'number' },
  },
  sum: {
    summary: 'Sum of the numbers in a list, or of one field of its items.',
    parameters: { list: 'numbers', field: 'field' },
  },
  eq: { summary: 'Whether two values are equal.', parameters: { value: 'any', other: 'any' } },
  ne: { summary: 'Whether two values differ.', parameters: { value: 'any', other: 'any' } },
  gt: { summary: 'Whether the first value is greater.', parameters: COMPARED },
  gte: { summary: 'Whether the first value is greater or equal.', parameters: COMPARED },
  lt: { summary: 'Whether the first value is less.', parameters: COMPARED },
  lte: { summary: 'Whether the first value is less or equal.', parameters: COMPARED },
  and: { summary: 'Whether all values are present.', parameters: CONDITIONS },
  or: { summary: 'Whether one of the values is present.', parameters: CONDITIONS },
  not: { summary: 'Whether the value is missing, empty, false or 0.', parameters: { value: 'condition' } },
  default: {
    summary: 'The value, or the second one if the first is missing or empty.',
    parameters: { value: 'any', otherwise: 'any' },
  },
  uppercase: { summary: 'Text in uppercase.', parameters: { text: 'text' } },
  lowercase: { summary: 'Text in lowercase.', parameters: { text: 'text' } },
  join: {
    summary: 'Items of a list joined into one string.',
    parameters: { list: 'texts', separator: 'text' },
  },
  lines: { summary: 'Text that keeps its line breaks.', parameters: { text: 'text' } },
  qrCode: { summary: 'QR code.', parameters: { text: 'text' } },
  barCode: {
    summary: 'Bar code of a kind such as code128 or ean13.',
    parameters: { text: 'text', kind: 'text' },
    named: { text: 'condition' },
  },
  epcQr: {
    summary: 'QR code of a SEPA credit transfer, for banking apps.',
    parameters: {},
    named: { amount: 'number' },
  },
  swissQrBill: {
    summary: 'Receipt and payment part of a Swiss QR-bill.',
    parameters: {},
    named: { amount: 'number', creditor: 'object', debtor: 'object' },
  },
};
