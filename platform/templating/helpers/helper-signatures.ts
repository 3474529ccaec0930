/** Call signature of a helper: lets the check of a template validate calls without running anything. */
export interface HelperSignature {
  /** Minimum and maximum number of positional arguments. */
  readonly least: number;
  readonly most: number;
  /** Names of named arguments (`locale="de-DE"`). */
  readonly named: readonly string[];
  /** Whether it may open a block: `{{#eq a b}}…{{else}}…{{/eq}}`. */
  readonly block: boolean;
  /** Whether it can only open a block. */
  readonly onlyBlock?: true;
  /** Whether it allows block parameters: `{{#each lines as |line|}}`. */
  readonly blockNames?: true;
}

/** Templates with more arguments are rejected on save. */
const MANY = 16;

const value = (least: number, most: number, ...named: string[]): HelperSignature => ({
  least,
  most,
  named,
  block: false,
});
const condition = (least: number, most: number): HelperSignature => ({ least, most, named: [], block: true });

/** Trifold's helpers, in addition to those of Handlebars. docs/template-helpers.md describes each. */
export const HELPER_SIGNATURES = {
  formatDate: value(1, 2, 'time', 'locale', 'timeZone'),
  formatNumber: value(1, 1, 'decimals', 'locale'),
  formatCurrency: value(2, 2, 'decimals', 'locale'),
  formatPercent: value(1, 1, 'decimals', 'locale'),
  add: value(2, MANY),
  subtract: value(2, 2),
  multiply: value(2, MANY),
  divide: value(2, 2),
  round: value(1, 2),
  sum: value(1, 2),
  eq: condition(2, 2),
  ne: condition(2, 2),
  gt: condition(2, 2),
  gte: condition(2, 2),
  lt: condition(2, 2),
  lte: condition(2, 2),
  and: condition(2, MANY),
  or: condition(2, MANY),
  not: condition(1, 1),
  default: value(2, 2),
  uppercase: value(1, 1, 'locale'),
  lowercase: value(1, 1, 'locale'),
  join: value(1, 2),
  lines: value(1, 1),
  qrCode: value(1, 1, 'size', 'level'),
  barCode: value(2, 2, 'width', 'height', 'text'),
  epcQr: value(0, 0, 'name', 'iban', 'amount', 'currency', 'bic', 'reference', 'text', 'size'),
  swissQrBill: value(
    ...([0, 0] as const),
    ...(['iban', 'creditor', 'debtor', 'amount', 'currency', 'reference', 'message', 'language'] as const),
  ),
} as const satisfies Record<string, HelperSignature>;

export type HelperName = keyof typeof HELPER_SIGNATURES;

const block = (...named: string[]): HelperSignature => ({
  least: 1,
  most: 1,
  named,
  block: true,
  onlyBlock: true,
});

/** Handlebars' built-in helpers that a template may call. `log` is excluded: document data must not reach a log. */
export const BUILT_IN_SIGNATURES: Readonly<Record<string, HelperSignature>> = {
  each: { ...block(), blockNames: true },
  if: block('includeZero'),
  lookup: value(2, 2),
  unless: block('includeZero'),
  with: { ...block(), blockNames: true },
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

/** Returns what is wrong with a call that has arguments or a built-in name; undefined when it is valid. */
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
  const unknown = named.find((member) => !signature.named.includes(member));
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
  return named.length === 0 ? '' : `; it supports ${named.join(', ')}`;
}
