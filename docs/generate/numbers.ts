import * as limits from '@trifold/crds/limits.ts';
import * as retention from '@trifold/crds/retention.ts';
import { MAX_LOST_ATTEMPTS, OUTAGE_ATTEMPTS } from '@trifold/controller/work/attempts.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import * as eInvoices from '@trifold/platform/e-invoices/e-invoice-limits.ts';
import type { Bound, BoundValue } from '@trifold/platform/bounds/bound.ts';
import * as timeouts from '@trifold/platform/bounds/timeouts.ts';
import { WEBHOOK_TIMEOUT_MS } from '@trifold/platform/bounds/webhook-timeout.ts';
import type { Setting } from '@trifold/platform/settings/setting.ts';
import { SETTINGS } from '@trifold/platform/settings/settings.ts';

/** Milliseconds per unit of time, and bytes per unit of size; any other word after a number is not a unit. */
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  second: 1000,
  min: 60_000,
  minute: 60_000,
  h: retention.HOUR_MS,
  hour: retention.HOUR_MS,
  day: retention.DAY_MS,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};
const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const MARKED = /(?<=<!-- ([\w.]+) -->)[^<\n]*(?=<!-- \/ -->)/g;

/**
 * Rewrites the numbers in a page: each is between `<!-- NAME -->` and `<!-- / -->`, where NAME is a limit, a bound, a
 * setting, an element of a setting such as `TRIFOLD_WEBHOOK_RETRY_SCHEDULE.1`, or a timeout. The page chooses the unit
 * and whether a number is a word. Throws an Error for an unknown name, and for a value that is not a whole number in
 * the page's unit. A mark at the start of a line would begin an HTML block.
 */
export function withNumbers(page: string, markdown: string): string {
  return markdown.replace(MARKED, (written, name: string) => {
    const [, number = '', rest = '', unit = ''] = /^([\d.,]+|[a-z]+)(\s?([A-Za-z]*).*)$/.exec(written) ?? [];
    const value = valueOf(name) / (UNITS[unit] ?? UNITS[unit.replace(/s$/, '')] ?? 1);
    if (!Number.isInteger(value))
      throw new Error(`${page}: ${name} is not a whole number of "${rest.trim()}"`);
    const isWord = WORDS.includes(number) && value < WORDS.length;
    return (isWord ? WORDS[value] : value.toLocaleString('en-US')) + rest;
  });
}

function valueOf(name: string): number {
  const constants: Record<string, unknown> = {
    ...limits,
    ...retention,
    ...timeouts,
    ...eInvoices,
    WEBHOOK_TIMEOUT_MS,
  };
  const attempts: Record<string, number> = { MAX_LOST_ATTEMPTS, OUTAGE_ATTEMPTS };
  const bounds: Record<string, Bound> = BOUNDS;
  const bound = bounds[name];
  const value = constants[name] ?? attempts[name] ?? (bound ? boundValue(bound.limit) : settingValue(name));
  if (typeof value === 'number') return value;
  throw new Error(`there is no number ${name}`);
}

function boundValue(bound: BoundValue): unknown {
  if ('setting' in bound) return settingValue(bound.setting);
  return bound.value * (UNITS[bound.unit.replace(/s$/, '')] ?? 1);
}

function settingValue(name: string): unknown {
  const [setting = '', index] = name.split('.');
  const { type, default: text = '' }: Partial<Setting> = (SETTINGS as Record<string, Setting>)[setting] ?? {};
  const value = type?.parse(text);
  return Array.isArray(value) ? value[Number(index)] : value;
}
