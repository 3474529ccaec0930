/** How a helper is called: what the check of a template knows of it, without running anything. */
export interface HelperSignature {
  /** Fewest and most arguments without a name. */
  readonly least: number;
  readonly most: number;
  /** Arguments with a name (`locale="de-DE"`). */
  readonly named: readonly string[];
  /** May open a block: `{{#eq a b}}…{{else}}…{{/eq}}`. */
  readonly block: boolean;
  /** Does nothing but open a block. */
  readonly onlyBlock?: true;
  /** May name what its block is about: `{{#each lines as |line|}}`. */
  readonly blockNames?: true;
}

/** More arguments are refused when a template is saved. */
const MANY = 16;

const value = (least: number, most: number, ...named: string[]): HelperSignature => ({
  least,
  most,
  named,
  block: false,
});
const condition = (least: number, most: number): HelperSignature => ({ least, most, named: [], block: true });

/** Helpers of Trifold, beside those of Handlebars. docs/template-helpers.md describes each. */
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
} as const satisfies Record<string, HelperSignature>;

export type HelperName = keyof typeof HELPER_SIGNATURES;

const block = (...named: string[]): HelperSignature => ({
  least: 1,
  most: 1,
  named,
  block: true,
  onlyBlock: true,
});

/** Handlebars' own that a template may call. `log` is not among them: document data must not reach a log. */
const BUILT_IN: Readonly<Record<string, HelperSignature>> = {
  each: { ...block(), blockNames: true },
  if: block('includeZero'),
  lookup: value(2, 2),
  unless: block('includeZero'),
  with: { ...block(), blockNames: true },
};

/** How a name is called in a template. */
export interface HelperCall {
  readonly name: string;
  readonly arguments: number;
  readonly named: readonly string[];
  readonly block: boolean;
  /** With names for what its block is about. */
  readonly blockNames: boolean;
}

/** Never a binding, though it has no arguments. */
export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(BUILT_IN, name);
}

/** Says what is wrong with a call that has arguments, or is one of Handlebars' own; undefined when nothing is. */
export function findCallProblem(call: HelperCall): string | undefined {
  const { name } = call;
  const signature = isBuiltIn(name) ? BUILT_IN[name] : isHelper(name) ? HELPER_SIGNATURES[name] : undefined;
  if (signature === undefined) return `unknown helper "${name}"`;
  return findBlockProblem(call, signature) ?? findArgumentProblem(call, signature);
}

function findBlockProblem({ name, ...call }: HelperCall, signature: HelperSignature): string | undefined {
  if (call.block && !signature.block) return `${name} cannot open a block`;
  if (!call.block && signature.onlyBlock) return `${name} opens a block: {{#${name} …}}…{{/${name}}}`;
  if (call.blockNames && !signature.blockNames)
    return `${name} gives its block nothing to name with "as |…|"`;
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
  return unknown === undefined ? undefined : `${name} knows no "${unknown}="${known(signature)}`;
}

function isHelper(name: string): name is HelperName {
  return Object.hasOwn(HELPER_SIGNATURES, name);
}

function countOf({ least, most }: HelperSignature): string {
  if (least === most) return least === 1 ? '1 argument' : `${least} arguments`;
  return `${least} to ${most} arguments`;
}

function known({ named }: HelperSignature): string {
  return named.length === 0 ? '' : `: it knows ${named.join(', ')}`;
}
