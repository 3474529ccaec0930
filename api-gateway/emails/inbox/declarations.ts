import { statementsOf, withoutComments } from './css-statements.ts';

/** A property and its value in a rule or a style attribute. */
export interface Declaration {
  readonly name: string;
  readonly value: string;
  readonly isImportant: boolean;
}

/** Values that every client supporting the property accepts: they need no fallback. */
const PLAIN_WORDS = new Set(
  (
    'auto none normal bold italic inherit left right center justify top middle bottom baseline underline line-through ' +
    'uppercase lowercase capitalize nowrap block inline inline-block hidden visible both collapse separate fixed ' +
    'solid dashed dotted double repeat no-repeat repeat-x repeat-y thin medium thick transparent black silver gray ' +
    'white maroon red purple fuchsia green lime olive yellow navy blue teal aqua orange'
  ).split(' '),
);
const PLAIN_VALUE = /^(?:#(?:[\da-f]{3}){1,2}|[+-]?(?:0|(?:\d*\.)?\d+(?:px|em|ex|pt|pc|in|cm|mm|%)))$/i;
const PLAIN_NUMBER = /^\d*\.?\d+$/;
const NUMBERS = new Set(['line-height', 'font-weight']);
const MAX_PLAIN_LENGTH = 200;

/** Returns the declarations of a block that have a value, without nested rules and invalid input. */
export function declarationsOf(block: string): Declaration[] {
  const declarations: Declaration[] = [];
  for (const { source, block: nested } of statementsOf(block, 'rule')) {
    const declaration = nested === undefined && declarationOf(withoutComments(source));
    if (declaration) declarations.push(declaration);
  }
  return declarations;
}

function declarationOf(source: string): Declaration | undefined {
  const colon = source.indexOf(':');
  if (colon < 0) return undefined;
  const name = source.slice(0, colon).trim();
  const isCustom = name.startsWith('--');
  const whole = source
    .slice(colon + 1)
    .replace(/;$/, '')
    .trim();
  const mark = /!\s*important$/i.exec(whole);
  const value = mark ? whole.slice(0, mark.index).trimEnd() : whole;
  // Only a custom property may be empty.
  if (!/^[^\s{}()[\]"'/\\]+$/.test(name) || (value === '' && !isCustom)) return undefined;
  return { name: isCustom ? name : name.toLowerCase(), value, isImportant: mark !== null };
}

/** Returns declarations as CSS. */
export function cssOf(declarations: readonly Declaration[], separator = ''): string {
  return declarations
    .map(({ name, value, isImportant }) => `${name}: ${value}${isImportant ? ' !important' : ''};`)
    .join(separator);
}

/**
 * Merges the declarations of several rules, the weakest rule first. Clients treat the result as they would the rules:
 * they use the last declaration they support, important ones first. Fallbacks within a rule are kept. Declarations that
 * no client can use, because a stronger rule overrides them, are removed.
 */
export function cascade(rules: readonly (readonly Declaration[])[]): Declaration[] {
  const all = rules.flatMap((declarations, rule) =>
    declarations.map((declaration) => ({ declaration, rule })),
  );
  const strongestFirst = [
    ...all.filter(({ declaration }) => !declaration.isImportant),
    ...all.filter(({ declaration }) => declaration.isImportant),
  ].toReversed();
  const used = new Set<(typeof all)[number]>();
  const stronger = new Map<string, Overriding>();
  for (const one of strongestFirst) {
    const { name, value } = one.declaration;
    const overriding = stronger.get(name) ?? { values: new Set(), plainIn: undefined };
    const isOverridden = overriding.plainIn !== undefined && overriding.plainIn !== one.rule;
    if (isOverridden || overriding.values.has(value)) continue;
    used.add(one);
    overriding.values.add(value);
    if (isPlain(one.declaration)) overriding.plainIn ??= one.rule;
    stronger.set(name, overriding);
  }
  return all.filter((one) => used.has(one)).map(({ declaration }) => declaration);
}

/** Stronger declarations of a property. */
interface Overriding {
  readonly values: Set<string>;
  /** The rule with a value that every client supports. */
  plainIn: number | undefined;
}

/** Whether every client supports the value, so that none needs a fallback. */
function isPlain({ name, value }: Declaration): boolean {
  if (name.startsWith('--')) return true;
  if (value.length > MAX_PLAIN_LENGTH) return false;
  if (name === 'font-family') return !value.includes('(');
  return value.split(/[\s,]+/).every((word) => {
    if (NUMBERS.has(name) && PLAIN_NUMBER.test(word)) return true;
    return PLAIN_VALUE.test(word) || PLAIN_WORDS.has(word.toLowerCase());
  });
}
