import { DEFAULT_LOCALE, DEFAULT_TIME_ZONE, MAX_LOCALE_LENGTH } from '@trifold/crds/limits.ts';
import { LRUCache } from 'lru-cache';
import {
  helperFailure,
  isMissing,
  longIntegerIn,
  namedText,
  toDecimals,
  toNumber,
  type TemplateHelper,
} from './arguments.ts';

/** A point in time, or a day when no time was given. */
interface DateValue {
  readonly time: Date;
  readonly hasTime: boolean;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?$/i;

const DATE_STYLES = ['short', 'medium', 'long', 'full'] as const;
type DateStyle = (typeof DATE_STYLES)[number];
const NO_DATE = 'a value is not a date such as 2026-11-21 or 2026-11-21T09:30:00Z';

/** Creating a formatter takes longer than using it a thousand times. */
const formatters = new LRUCache<string, Intl.NumberFormat | Intl.DateTimeFormat>({ max: 200 });

export const FORMATTING = {
  formatDate: ({ values: [value, style], named }) => {
    if (isMissing(value)) return '';
    const date = parseDate(value);
    if (!date) throw helperFailure('formatDate', NO_DATE);
    if (style === 'iso') return date.time.toISOString().slice(0, 10);
    const locale = localeOf('formatDate', named['locale']);
    const time = namedText('formatDate', 'time', named['time']);
    const options: Intl.DateTimeFormatOptions = {
      dateStyle: dateStyle(style ?? 'medium'),
      // A date without a time is the same day in every time zone.
      timeZone: date.hasTime
        ? (namedText('formatDate', 'timeZone', named['timeZone']) ?? DEFAULT_TIME_ZONE)
        : 'UTC',
      ...(time !== undefined && { timeStyle: dateStyle(time) }),
    };
    return formatter('date', locale, options, () => new Intl.DateTimeFormat(locale, options)).format(
      date.time,
    );
  },
  formatNumber: ({ values: [value], named }) => formatted('formatNumber', value, named, { style: 'decimal' }),
  formatPercent: ({ values: [value], named }) =>
    formatted('formatPercent', value, named, { style: 'percent' }),
  formatCurrency: ({ values: [value, currency], named }) => {
    if (typeof currency !== 'string' || !/^[A-Za-z]{3}$/.test(currency)) {
      throw helperFailure('formatCurrency', 'its second argument is not a currency such as EUR (ISO 4217)');
    }
    return formatted('formatCurrency', value, named, { style: 'currency', currency: currency.toUpperCase() });
  },
} satisfies Record<string, TemplateHelper>;

function formatted(
  helper: string,
  value: unknown,
  named: Readonly<Record<string, unknown>>,
  style: Intl.NumberFormatOptions,
): string {
  if (isMissing(value)) return '';
  const number = longIntegerIn(value) ?? toNumber(helper, value);
  const locale = localeOf(helper, named['locale']);
  const options = { ...style, ...decimalsOf(helper, named['decimals']) };
  return formatter('number', locale, options, () => new Intl.NumberFormat(locale, options)).format(number);
}

function decimalsOf(helper: string, decimals: unknown): Intl.NumberFormatOptions {
  if (isMissing(decimals)) return {};
  const places = toDecimals(helper, 'decimals=', decimals);
  return { minimumFractionDigits: places, maximumFractionDigits: places };
}

/** Canonical language tags. Finding one takes longer than formatting a number. */
const locales = new LRUCache<string, string>({ max: 200 });

/** Returns the language tag of a `locale=`, or the default. */
export function localeOf(helper: string, asked: unknown): string {
  const locale = namedText(helper, 'locale', asked) ?? DEFAULT_LOCALE;
  const known = locales.get(locale);
  if (known !== undefined) return known;
  try {
    // Intl accepts tags of any length, and the caches keep them.
    if (locale.length > MAX_LOCALE_LENGTH) throw new RangeError('the tag is too long');
    const [canonical = DEFAULT_LOCALE] = Intl.getCanonicalLocales(locale);
    locales.set(locale, canonical);
    return canonical;
  } catch {
    throw helperFailure(helper, 'locale= is not a language tag such as de-DE (BCP 47)');
  }
}

function dateStyle(style: unknown): DateStyle {
  const known = DATE_STYLES.find((name) => name === style);
  if (known) return known;
  throw helperFailure(
    'formatDate',
    'the style must be short, medium, long or full; the date style can also be iso',
  );
}

function formatter<Formatter extends Intl.NumberFormat | Intl.DateTimeFormat>(
  kind: string,
  locale: string,
  options: object,
  make: () => Formatter,
): Formatter {
  const key = `${kind} ${locale} ${JSON.stringify(options)}`;
  const kept = formatters.get(key) as Formatter | undefined;
  if (kept) return kept;
  try {
    const made = make();
    formatters.set(key, made);
    return made;
  } catch {
    const what =
      kind === 'date' ? 'timeZone= is not a time zone such as Europe/Berlin' : 'the currency is unknown';
    throw helperFailure(kind === 'date' ? 'formatDate' : 'formatCurrency', what);
  }
}

/**
 * Parses ISO 8601 or milliseconds since 1970. A time without an offset is in UTC, on every machine. Returns undefined
 * for anything else and for nonexistent days.
 */
function parseDate(value: unknown): DateValue | undefined {
  if (typeof value === 'number') return existing(new Date(value), true);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (DAY.test(text)) return existing(dayOf(text), false);
  const [, day, clock, offset = 'Z'] = MOMENT.exec(text) ?? [];
  if (day === undefined || !dayOf(day)) return undefined;
  return existing(new Date(`${day}T${clock}${offset.toUpperCase()}`), true);
}

/** Whether a value is a time that `formatDate` reads as UTC, because it has no offset. */
export function isTimeWithoutOffset(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const match = MOMENT.exec(value.trim());
  return match !== null && match[3] === undefined;
}

/** `Date` would read February 30 as March 2. */
function dayOf(text: string): Date | undefined {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : undefined;
}

function existing(time: Date | undefined, hasTime: boolean): DateValue | undefined {
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : { time, hasTime };
}
