/**
 * Type that a helper expects for an argument. `any`: the type of the literal next to it, or text; `comparable`: the
 * same, or a number; `condition`: whether there is a value; `numbers` and `texts`: a list of them; `field`: the name of
 * a number in each item of the preceding list.
 */
type ArgumentType =
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

type Arguments = Readonly<Record<string, ArgumentType>>;

/**
 * A helper's signature, for template checks and editors, which do not run helpers. docs/template-helpers.md has an
 * example of each.
 */
export interface HelperSignature {
  readonly summary: string;
  /** Positional arguments in order. The last one also describes any further ones. */
  readonly parameters: Arguments;
  /** Minimum and maximum number of positional arguments. */
  readonly least: number;
  readonly most: number;
  /** Named arguments (`locale="de-DE"`). */
  readonly named: Arguments;
  /** Whether it may open a block: `{{#eq a b}}…{{else}}…{{/eq}}`. */
  readonly block: boolean;
  /** Whether it can only open a block. */
  readonly onlyBlock?: true;
  /** Whether it allows block parameters: `{{#each lines as |line|}}`. */
  readonly blockNames?: true;
}

/** Templates with more arguments are rejected on save. */
const MANY = { most: 16 };

/** Declares a helper that takes all its parameters, unless `more` says otherwise. */
function value(
  summary: string,
  parameters: Arguments,
  more: Partial<Pick<HelperSignature, 'least' | 'most' | 'named'>> = {},
): HelperSignature {
  const { length } = Object.keys(parameters);
  return { summary, parameters, least: length, most: length, named: {}, block: false, ...more };
}

const condition = (...declared: Parameters<typeof value>): HelperSignature => ({
  ...value(...declared),
  block: true,
});
const block = (...declared: Parameters<typeof value>) =>
  ({ ...condition(...declared), onlyBlock: true }) as const;

const NUMBERS = { number: 'number', other: 'number' } as const;
const COMPARED = { value: 'comparable', other: 'comparable' } as const;
const CONDITIONS = { value: 'condition', other: 'condition' } as const;
const LOCALE = { locale: 'text' } as const;
const FORMAT = { named: { decimals: 'number', ...LOCALE } } as const;
const ZERO = { named: { includeZero: 'text' } } as const;

/** Trifold's helpers, in addition to Handlebars' own. */
export const HELPER_SIGNATURES = {
  formatDate: value(
    'Date, in the style short, medium, long, full or iso.',
    { date: 'date', style: 'text' },
    { least: 1, named: { time: 'text', ...LOCALE, timeZone: 'text' } },
  ),
  formatNumber: value('Number in the format of the locale.', { number: 'number' }, FORMAT),
  formatCurrency: value('Amount with its currency.', { amount: 'number', currency: 'text' }, FORMAT),
  formatPercent: value('0.19 as 19%.', { number: 'number' }, FORMAT),
  add: value('Sum of numbers.', NUMBERS, MANY),
  subtract: value('First number minus the second.', NUMBERS),
  multiply: value('Product of numbers.', NUMBERS, MANY),
  divide: value('First number divided by the second.', NUMBERS),
  round: value(
    'Number rounded to a given number of decimals, halves away from zero.',
    { number: 'number', decimals: 'number' },
    { least: 1 },
  ),
  sum: value(
    'Sum of the numbers in a list, or of one field of its items.',
    { list: 'numbers', field: 'field' },
    { least: 1 },
  ),
  eq: condition('Whether two values are equal.', { value: 'any', other: 'any' }),
  ne: condition('Whether two values differ.', { value: 'any', other: 'any' }),
  gt: condition('Whether the first value is greater than the second.', COMPARED),
  gte: condition('Whether the first value is greater than or equal to the second.', COMPARED),
  lt: condition('Whether the first value is less than the second.', COMPARED),
  lte: condition('Whether the first value is less than or equal to the second.', COMPARED),
  and: condition('Whether all values are present.', CONDITIONS, MANY),
  or: condition('Whether one of the values is present.', CONDITIONS, MANY),
  not: condition('Whether the value is missing, empty, false or 0.', { value: 'condition' }),
  default: value('The value, or the second one if the first is missing or empty.', {
    value: 'any',
    otherwise: 'any',
  }),
  uppercase: value('Text in uppercase.', { text: 'text' }, { named: LOCALE }),
  lowercase: value('Text in lowercase.', { text: 'text' }, { named: LOCALE }),
  join: value('Items of a list joined into one string.', { list: 'texts', separator: 'text' }, { least: 1 }),
  lines: value('Text that keeps its line breaks.', { text: 'text' }),
  qrCode: value('QR code.', { text: 'text' }, { named: { size: 'text', level: 'text' } }),
  barCode: value(
    'Bar code of a kind such as code128 or ean13.',
    { text: 'text', kind: 'text' },
    { named: { width: 'text', height: 'text', text: 'condition' } },
  ),
  epcQr: value(
    'QR code of a SEPA credit transfer, for banking apps.',
    {},
    {
      named: {
        ...({ name: 'text', iban: 'text', amount: 'number', currency: 'text' } as const),
        ...({ bic: 'text', reference: 'text', text: 'text', size: 'text' } as const),
      },
    },
  ),
  swissQrBill: value(
    'Receipt and payment part of a Swiss QR-bill.',
    {},
    {
      named: {
        ...({ iban: 'text', creditor: 'object', debtor: 'object', amount: 'number' } as const),
        ...({ currency: 'text', reference: 'text', message: 'text', language: 'text' } as const),
      },
    },
  ),
} as const satisfies Record<string, HelperSignature>;

export type HelperName = keyof typeof HELPER_SIGNATURES;

/** Handlebars' built-in helpers that a template may call. `log` is excluded: document data must not reach a log. */
export const BUILT_IN_SIGNATURES: Readonly<Record<string, HelperSignature>> = {
  each: { ...block('Repeats its content for each item in a list.', { list: 'list' }), blockNames: true },
  if: block('Shows its content if there is a value.', { value: 'condition' }, ZERO),
  lookup: value('One item of a list or an object.', { list: 'list', name: 'any' }),
  unless: block('Shows its content if there is no value.', { value: 'condition' }, ZERO),
  with: {
    ...block('Uses an object for the bindings in its content.', { object: 'object' }),
    blockNames: true,
  },
};

/** A call in a template. */
export interface HelperCall {
  readonly name: string;
  readonly arguments: number;
  readonly named: readonly string[];
  readonly block: boolean;
  /** Whether the call has block parameters. */
  readonly blockNames: boolean;
}

/** A built-in name is never a binding, even without arguments. */
export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(BUILT_IN_SIGNATURES, name);
}

/** Returns the problem with a call that has arguments or a built-in name; undefined if the call is valid. */
export function findCallProblem(call: HelperCall): string | undefined {
  const { name } = call;
  const signature = isBuiltIn(name)
    ? BUILT_IN_SIGNATURES[name]
    : isHelper(name)
      ? HELPER_SIGNATURES[name]
      : undefined;
  if (signature === undefined) return `unknown helper "${name}"`;
  return findBlockProblem(call, signature) ?? findArgumentProblem(call, signature);
}

function findBlockProblem({ name, ...call }: HelperCall, signature: HelperSignature): string | undefined {
  if (call.block && !signature.block) return `${name} is not a block helper`;
  if (!call.block && signature.onlyBlock)
    return `${name} is a block helper: write {{#${name} …}}…{{/${name}}}`;
  if (call.blockNames && !signature.blockNames) return `${name} does not support "as |…|"`;
  return undefined;
}

function findArgumentProblem(
  { name, named, ...call }: HelperCall,
  signature: HelperSignature,
): string | undefined {
  if (call.arguments < signature.least || call.arguments > signature.most) {
    return `${name} takes ${countOf(signature)}, not ${call.arguments}`;
  }
  const unknown = named.find((member) => !Object.hasOwn(signature.named, member));
  return unknown === undefined ? undefined : `${name} does not support "${unknown}="${known(signature)}`;
}

function isHelper(name: string): name is HelperName {
  return Object.hasOwn(HELPER_SIGNATURES, name);
}

function countOf({ least, most }: HelperSignature): string {
  if (least === most) return least === 1 ? '1 argument' : `${least} arguments`;
  return `${least} to ${most} arguments`;
}

function known({ named }: HelperSignature): string {
  const names = Object.keys(named);
  return names.length === 0 ? '' : `; it supports ${names.join(', ')}`;
}
