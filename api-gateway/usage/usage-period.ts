import { StringEnum, MAX_USAGE_DAYS, MAX_USAGE_MONTHS, DAY_MS } from '@trifold/crds';
import { dayOf } from '@trifold/platform/records/usage/work-usage.ts';
import { Type, type Static } from 'typebox';
import { ApiError, type ErrorDetail } from '../server/errors/api-error.ts';

/** Period of one entry in a response. */
export const GRANULARITIES = ['day', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

const Day = (example: string, description: string) =>
  Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    'x-pattern-message': 'must be a day such as 2026-11-21',
    description,
    examples: [example],
  });

/** Parameters of `GET /v1/usage`. */
export const UsageQuery = Type.Object(
  {
    from: Type.Optional(
      Day('2026-11-01', 'First day, in UTC. Default: the first day of the month that contains the last day.'),
    ),
    to: Type.Optional(Day('2026-11-30', 'Last day, inclusive, in UTC. Default: today.')),
    granularity: StringEnum(GRANULARITIES, {
      default: 'day',
      examples: ['month'],
      description: 'Period that each entry covers.',
    }),
  },
  { additionalProperties: false },
);
/** Parsed UsageQuery with its defaults. */
export type UsageQuery = Static<typeof UsageQuery>;

/** Parameters of `GET /v1/billing`. */
export const BillingQuery = Type.Object(
  {
    period: Type.Optional(
      Type.String({
        pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
        'x-pattern-message': 'must be a month such as 2026-11',
        description: 'The month, in UTC. Default: the current month.',
        examples: ['2026-11'],
      }),
    ),
  },
  { additionalProperties: false },
);

/** Days in UTC, both inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Returns the requested period. Throws ApiError `invalid_request` that names the invalid parameters. */
export function usagePeriod({ from, to, granularity }: UsageQuery, now: Date): Period {
  const unreal = Object.entries({ from, to }).filter(([, day]) => day !== undefined && !isDay(day));
  if (unreal.length > 0)
    throw wrong(...unreal.map(([name]) => ({ path: `/${name}`, message: 'is not a valid date' })));
  const last = to ?? dayOf(now);
  const first = from ?? `${last.slice(0, 8)}01`;
  if (first > last) {
    const message = to === undefined ? `must not be after today, ${last}` : `must not be after to, ${last}`;
    throw wrong({ path: '/from', message });
  }
  const most = granularity === 'day' ? MAX_USAGE_DAYS : MAX_USAGE_MONTHS;
  const length = granularity === 'day' ? daysIn(first, last) : monthsIn(first, last);
  if (length > most)
    throw wrong({
      path: '/from',
      message: `must be at most ${most} ${granularity}s before to, not ${length}`,
    });
  return { from: first, to: last };
}

/** Returns the whole month; the current one if `month` is undefined. */
export function billingPeriod(month: string | undefined, now: Date): Period & { readonly month: string } {
  const given = month ?? dayOf(now).slice(0, 7);
  const [year = 0, number = 1] = given.split('-').map(Number);
  const end = new Date(0);
  end.setUTCFullYear(year, number, 0);
  return { month: given, from: `${given}-01`, to: dayOf(end) };
}

/** Returns the names of all entries in the period, in order: days or months. */
export function entriesOf({ from, to }: Period, granularity: Granularity): string[] {
  const days = Array.from({ length: daysIn(from, to) }, (_, index) =>
    dayOf(new Date(Date.parse(from) + index * DAY_MS)),
  );
  return granularity === 'day' ? days : [...new Set(days.map(monthOf))];
}

/** Returns the month of a day, `2026-11`. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && dayOf(new Date(time)) === text;
}

function daysIn(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

function monthsIn(from: string, to: string): number {
  const count = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return count(to) - count(from) + 1;
}

function wrong(...details: ErrorDetail[]): ApiError {
  const named = details.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ');
  return new ApiError('invalid_request', `The period is invalid: ${named}.`, { details });
}
