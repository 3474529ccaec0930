import { LRUCache } from 'lru-cache';
import { PrintedText } from './printed-text.ts';

const STYLES = ['short', 'medium', 'long', 'full'] as const;
const YEARS = ['numeric', '2-digit'] as const;
const MONTHS = ['numeric', '2-digit', 'short', 'long'] as const;
const DAYS = ['numeric', '2-digit'] as const;

const FORMS: readonly Intl.DateTimeFormatOptions[] = [
  ...STYLES.map((dateStyle) => ({ dateStyle })),
  ...YEARS.flatMap((year) => MONTHS.flatMap((month) => DAYS.map((day) => ({ year, month, day })))),
];

/** Creating a formatter takes longer than using it a thousand times. */
const formatters = new LRUCache<string, readonly Intl.DateTimeFormat[]>({ max: 50 });

/** Whether text contains a date, in ISO 8601 or as one of the locales writes it. The separators may differ. */
export function hasDate(printed: PrintedText, iso: string, locales: readonly string[]): boolean {
  const text = comparable(printed);
  const forms = locales.flatMap((locale) => dateForms(iso, locale));
  return [iso, ...forms].some((form) =>
    contains(text, comparable(new PrintedText(form, locales[0] ?? 'en'))),
  );
}

/** Returns a date in the locale's medium form, such as 28.11.2026 or Nov 28, 2026. */
export function formattedDate(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(iso));
}

/** Without the period at the end of Croatian and Hungarian dates, which pages may omit. */
function dateForms(iso: string, locale: string): string[] {
  const date = new Date(iso);
  return formattersOf(locale).map((format) => format.format(date).replace(/\.$/, ''));
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

/** 28.11.2026, 28/11/2026, 28-11-2026 and 28. 11. 2026 become the same. */
function comparable(printed: PrintedText): string {
  return printed.spaced.toLowerCase().replaceAll(/(?<=[0-9])(?:[-/]|\. ?)(?=[0-9])/g, '.');
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
