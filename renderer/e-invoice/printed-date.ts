import { LRUCache } from 'lru-cache';
import { PrintedText } from './printed-text.ts';

const STYLES = ['short', 'medium', 'long', 'full'] as const;
const YEARS = ['numeric', '2-digit'] as const;
const MONTHS = ['numeric', 'short', 'long'] as const;

const FORMS: readonly Intl.DateTimeFormatOptions[] = [
  ...STYLES.map((dateStyle) => ({ dateStyle })),
  ...YEARS.flatMap((year) => MONTHS.map((month) => ({ year, month, day: 'numeric' as const }))),
];

/** As in March 8th and 1er mars. */
const ORDINAL = /(?<=[0-9])(?:st|nd|rd|th|er|º)(?![\p{L}\p{N}])/gu;

/** Up to 20 formatters for each locale. Creating one takes longer than using it a thousand times. */
const formatters = new LRUCache<string, readonly Intl.DateTimeFormat[]>({ max: 10 });

/** Whether a text contains a date: as ISO 8601, or as one of the locales writes it. Punctuation may differ. */
export function hasDate(printed: PrintedText, iso: string, locales: readonly string[]): boolean {
  const text = comparable(printed);
  const forms = [iso, ...locales.flatMap((locale) => dateForms(iso, locale))].map((form) =>
    comparableForm(new PrintedText(form, locales[0] ?? 'en')),
  );
  return [...new Set(forms)].some((form) => contains(text, form));
}

/** Returns a date in the locale's medium form, such as 28.11.2026 or Nov 28, 2026. */
export function formattedDate(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(iso));
}

function dateForms(iso: string, locale: string): string[] {
  const date = new Date(iso);
  return formattersOf(locale).flatMap((format) => [
    format.format(date),
    ...dayFirst(format.formatToParts(date)),
  ]);
}

/** As in 08-Mar-2026, which is also common where other dates begin with the month. */
function dayFirst(parts: readonly Intl.DateTimeFormatPart[]): string[] {
  const values = new Map(parts.map(({ type, value }) => [type, value]));
  const [day, month = '', year] = [values.get('day'), values.get('month'), values.get('year')];
  const isNamed = /\p{L}/u.test(month);
  return isNamed && day !== undefined && year !== undefined ? [`${day} ${month} ${year}`] : [];
}

function formattersOf(locale: string): readonly Intl.DateTimeFormat[] {
  const known = formatters.get(locale);
  if (known) return known;
  const calendars = new Set([new Intl.DateTimeFormat(locale).resolvedOptions().calendar, 'gregory']);
  const made = [...calendars].flatMap((calendar) =>
    FORMS.map((form) => new Intl.DateTimeFormat(locale, { ...form, calendar, timeZone: 'UTC' })),
  );
  formatters.set(locale, made);
  return made;
}

/**
 * 8.3.2026, 08/03/2026, 8-3-2026 and 8. 3. 2026 become the same. Where not between digits, separators and spaces become
 * the same, as in 8. März 2026 and 8-März-2026.
 */
function comparable(printed: PrintedText): string {
  return printed.spaced
    .toLowerCase()
    .replaceAll(ORDINAL, '')
    .replaceAll(/(?<![0-9])0(?=[0-9])/g, '')
    .replaceAll(/(?<=[0-9])(?:[-/]|\. ?)(?=[0-9])/g, '.')
    .replaceAll(/(?<![0-9])[-/.,]|[-/.,](?![0-9])/g, ' ')
    .replaceAll(/ {2,}/g, ' ');
}

/** Without an abbreviation of one letter for "year" or "day" at the end, which pages may omit. */
function comparableForm(form: PrintedText): string {
  return comparable(form)
    .trim()
    .replace(/(?<=[0-9]) ?\p{L}$/u, '');
}

/** Whether text contains a form that is not part of a longer number. */
function contains(text: string, form: string): boolean {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
    if (!bothDigits(text[at - 1], form[0]) && !bothDigits(form.at(-1), text[at + form.length])) return true;
  }
  return false;
}

function bothDigits(left = '', right = ''): boolean {
  return /[0-9]/.test(left) && /[0-9]/.test(right);
}
