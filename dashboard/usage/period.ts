import type { UsageQuery } from '@trifold/client';

/** A period that the user can choose. */
const RANGES = ['this-month', 'last-month', 'last-30-days', 'last-12-months', 'custom'] as const;
export type Range = (typeof RANGES)[number];

type Granularity = NonNullable<UsageQuery['granularity']>;

/** Days in UTC, both inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
  readonly granularity: Granularity;
}

/** Maximum length of a period with daily entries. */
const MAX_DAYS = 366;
const MAX_MONTHS = 36;
const DAY_MS = 86_400_000;

type Query = Readonly<Record<string, string | undefined>>;

/** Returns the period in the page's URL; this month by default. */
export function periodOf(query: Query, now = new Date()): Period & { readonly range: Range } {
  const range = RANGES.find((one) => one === query['range']) ?? 'this-month';
  const { from, to } = range === 'custom' ? customDays(query, now) : presetDays(range, now);
  const usual = range === 'last-12-months' ? 'month' : 'day';
  const granularity = (['day', 'month'] as const).find((one) => one === query['by']) ?? usual;
  return { range, from, to, granularity };
}

/** Returns the problem with the period; the service rejects such a period as well. */
export function problemOf({ from, to, granularity }: Period): 'order' | 'length' | undefined {
  if (from > to) return 'order';
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const months = monthNumber(to) - monthNumber(from) + 1;
  return (granularity === 'day' ? days > MAX_DAYS : months > MAX_MONTHS) ? 'length' : undefined;
}

/** Returns the month of a day and the preceding months, newest first: `2026-11`. */
export function monthsBefore(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => firstOfMonth(new Date(day), -index).slice(0, 7));
}

function presetDays(range: Exclude<Range, 'custom'>, now: Date): Pick<Period, 'from' | 'to'> {
  const today = dayOf(now);
  const daysAgo = (days: number, since: string) => dayOf(new Date(Date.parse(since) - days * DAY_MS));
  return {
    'this-month': { from: firstOfMonth(now, 0), to: today },
    'last-month': { from: firstOfMonth(now, -1), to: daysAgo(1, firstOfMonth(now, 0)) },
    'last-30-days': { from: daysAgo(29, today), to: today },
    'last-12-months': { from: firstOfMonth(now, -11), to: today },
  }[range];
}

function customDays({ from, to }: Query, now: Date): Pick<Period, 'from' | 'to'> {
  const days = presetDays('this-month', now);
  return { from: isDay(from) ? from : days.from, to: isDay(to) ? to : days.to };
}

function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function firstOfMonth(date: Date, months: number): string {
  return dayOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)));
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
