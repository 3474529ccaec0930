import { text } from '../messages/text.ts';

const LANGUAGE = document.documentElement.lang || 'en';

const DATE_TIME = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'medium' });
const NUMBER = new Intl.NumberFormat(LANGUAGE);
const MILLISECONDS = new Intl.NumberFormat(LANGUAGE, { style: 'unit', unit: 'millisecond' });
const RELATIVE = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' });

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Formats an RFC 3339 time in the user's time zone. */
export function formatTime(time: string): string {
  return DATE_TIME.format(new Date(time));
}

/** Formats a past time relative to now, for example "3 minutes ago", or "a moment ago" for less than a minute. */
export function formatAgo(time: string): string {
  const [count, unit] = distanceOf(time);
  return unit === 'second' ? text.common.justNow : RELATIVE.format(count, unit);
}

/** Formats a future time relative to now, for example "in 3 minutes". */
export function formatUntil(time: string): string {
  return RELATIVE.format(...distanceOf(time));
}

function distanceOf(time: string): [count: number, unit: (typeof UNITS)[number][0] | 'second'] {
  const milliseconds = Date.parse(time) - Date.now();
  for (const [unit, length] of UNITS) {
    if (Math.abs(milliseconds) >= length) return [Math.trunc(milliseconds / length), unit];
  }
  return [Math.trunc(milliseconds / 1000), 'second'];
}

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** Formats a duration, for example "1,200 ms". */
export function formatMilliseconds(duration: number): string {
  return MILLISECONDS.format(Math.round(duration));
}

/** Formats a number of bytes with a decimal unit, for example "1.2 MB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const unit = ['byte', 'kilobyte', 'megabyte', 'gigabyte'][power] ?? 'byte';
  const maximumFractionDigits = power === 0 ? 0 : 1;
  // The short form has no plural for "byte".
  const unitDisplay = power === 0 ? 'long' : 'short';
  return new Intl.NumberFormat(LANGUAGE, { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(
    bytes / 1000 ** power,
  );
}
