const LANGUAGE = document.documentElement.lang || 'en';
const UTC = { timeZone: 'UTC' } as const;

const DAY = new Intl.DateTimeFormat(LANGUAGE, { ...UTC, month: 'short', day: 'numeric' });
const LONG_DAY = new Intl.DateTimeFormat(LANGUAGE, { ...UTC, dateStyle: 'medium' });
const MONTH = new Intl.DateTimeFormat(LANGUAGE, { ...UTC, month: 'short', year: 'numeric' });
const LONG_MONTH = new Intl.DateTimeFormat(LANGUAGE, { ...UTC, month: 'long', year: 'numeric' });

/** Formats a day (`2026-11-21`) or a month (`2026-11`) of usage. `short`: for an axis. */
export function formatDate(date: string, length: 'short' | 'long' = 'long'): string {
  const isMonth = date.length === 7;
  const formats = isMonth ? { short: MONTH, long: LONG_MONTH } : { short: DAY, long: LONG_DAY };
  return formats[length].format(new Date(date));
}

const MAX_DIGITS = 20;

/** Formats an exact decimal amount with all its digits: "€0.015". */
export function formatMoney(amount: string, currency: string): string {
  const format = new Intl.NumberFormat(LANGUAGE, {
    style: 'currency',
    currency,
    maximumFractionDigits: MAX_DIGITS,
  });
  // A string, because a number would lose precision.
  return format.format(amount as `${number}`);
}
