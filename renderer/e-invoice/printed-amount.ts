import { NO_BREAK_SPACES } from './printed-text.ts';

/** An amount as an e-invoice declares it. */
export interface DeclaredAmount {
  /** Plain decimal. */
  readonly value: string;
  /** ISO 4217. */
  readonly currency: string;
}

const APOSTROPHES = `'\u2019`;
const DECIMAL_SEPARATORS = '.,\u066b';
const GROUP_SEPARATORS = `.,\u066c${APOSTROPHES}`;
const SEPARATORS = `.,\u066b\u066c${APOSTROPHES}`;

const NOT_AFTER_NUMBER = `(?<![0-9])(?<![0-9][${SEPARATORS}${NO_BREAK_SPACES}])`;
const NOT_BEFORE_PERCENT = `(?![ ${NO_BREAK_SPACES}]?[%\u066a])`;
const NOT_BEFORE_NUMBER = `(?![0-9])(?![${SEPARATORS}][0-9])${NOT_BEFORE_PERCENT}`;
/** Without decimal places, parts of dates and times look like amounts. */
const NOT_AFTER_DATE = '(?<![0-9][-/:])';
const NOT_BEFORE_DATE = `(?![-/:${NO_BREAK_SPACES}][0-9])`;
const IN_NUMBER = `[0-9${SEPARATORS}${NO_BREAK_SPACES}]`;
/** A number, with what may be in it. */
const NUMBERS = new RegExp(
  `(?<!${IN_NUMBER})[0-9]${IN_NUMBER}{0,30}(?!${IN_NUMBER})${NOT_BEFORE_PERCENT}`,
  'g',
);

/**
 * Returns a pattern for an amount that is not part of another number, with or without grouping. Whole amounts need no
 * decimal places. With them, the separators of all locales mean the same; without, those of the document's locale
 * count. A plain space groups digits only if the locale groups with a space: elsewhere, it may separate a quantity from
 * a price. The sign is ignored: credit notes often show positive amounts as negative ones.
 */
export function amountPattern(amount: DeclaredAmount, locale: string): RegExp {
  const { whole, fraction } = parts(amount.value);
  const significant = fraction.replace(/0+$/, '');
  const group = localeGroup(locale);
  const space = /\s/.test(group) ? ' ' : '';
  const anyGroup = `${GROUP_SEPARATORS}${space}`;
  const places = new Set([fraction.length, currencyPlaces(amount.currency, locale), 0]);
  const forms = [...places]
    .filter((count) => count >= significant.length)
    .map((count) =>
      count === 0
        ? `${NOT_AFTER_DATE}${grouped(whole, `${group}${APOSTROPHES}${space}`)}${NOT_BEFORE_DATE}`
        : `${grouped(whole, anyGroup)}[${DECIMAL_SEPARATORS}]${significant.padEnd(count, '0')}`,
    );
  // As in 1.190,–
  if (significant === '') forms.push(`${grouped(whole, anyGroup)}[.,] ?[-\u2013\u2014]`);
  return new RegExp(`${NOT_AFTER_NUMBER}(?:${forms.join('|')})${NOT_BEFORE_NUMBER}`);
}

/** Returns an amount as the locale formats it. */
export function formattedAmount({ value, currency }: DeclaredAmount, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(value));
}

/** Returns the printed number with the amount's decimal places whose value is closest to it. */
export function closestAmount(
  text: string,
  { value, currency }: DeclaredAmount,
  locale: string,
): string | undefined {
  const places = currencyPlaces(currency, locale);
  const declared = Math.abs(Number(value));
  let closest: string | undefined;
  let distance = Infinity;
  for (const [match] of text.matchAll(NUMBERS)) {
    const printed = match.replace(/[^0-9]$/, '');
    const apart = Math.abs(printedValue(printed, places) - declared);
    if (apart < distance) [closest, distance] = [printed, apart];
  }
  return closest;
}

/** Returns NaN for a number with other decimal places. */
function printedValue(printed: string, places: number): number {
  const digits = printed.replaceAll(/[^0-9]/g, '');
  if (places === 0) return Number(digits);
  const isSeparated = DECIMAL_SEPARATORS.includes(printed.at(-places - 1) ?? ' ');
  return isSeparated ? Number(digits) / 10 ** places : NaN;
}

function parts(value: string): { readonly whole: string; readonly fraction: string } {
  const [whole = '', fraction = ''] = value.replace(/^[+-]/, '').split('.');
  return { whole: whole.replace(/^0+(?=\d)/, '') || '0', fraction };
}

/** Groups of three digits or, in India, of two before the last three. */
function grouped(whole: string, separators: string): string {
  const separator = `[${separators}${NO_BREAK_SPACES}]?`;
  const thousands = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '_');
  const lakhs = whole.replaceAll(/\B(?=(?:\d{2})*\d{3}$)/g, '_');
  const forms = [...new Set([thousands, lakhs])].map((form) => form.replaceAll('_', separator));
  return `(?:${forms.join('|')})`;
}

function localeGroup(locale: string): string {
  const found = new Intl.NumberFormat(locale).formatToParts(1e9).find(({ type }) => type === 'group');
  return found?.value ?? '';
}

function currencyPlaces(currency: string, locale: string): number {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
