import { endOfDay, type KeyMode } from '@trifold/crds';
import { inParallel } from '../../async/in-parallel.ts';
import type { Logger } from '../../process/logging.ts';
import type { ObjectStore } from '../../object-store/port.ts';

/** Prefix of gateway counters: one object per day and gateway start, with totals that only grow. */
export const USAGE_PREFIX = 'usage/';

/** Emails compiled, by key mode. */
export type EmailCount = Readonly<Record<KeyMode, number>>;

/**
 * Emails compiled, by the uid of the account's namespace, so that a new account with the same name does not inherit the
 * count.
 */
export type EmailTotals = ReadonlyMap<string, EmailCount>;

/** `usage/20261121/`: prefix of a day's totals; `day` is in the format of report names. */
export function emailTotalsPrefix(day: string): string {
  return `${USAGE_PREFIX}${day.replaceAll('-', '')}/`;
}

/** Key of one gateway's totals since its start. */
export function emailTotalsKey(day: string, gateway: string): string {
  return emailTotalsPrefix(day) + gateway;
}

/** Returns the days with totals, sorted, in the format of report names. */
export async function daysWithEmails(store: Pick<ObjectStore, 'list'>): Promise<string[]> {
  const { prefixes } = await store.list(USAGE_PREFIX, { delimiter: '/' });
  return prefixes
    .filter((prefix) => endOfDay(prefix) !== undefined)
    .map((prefix) => prefix.slice(USAGE_PREFIX.length, -1).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'));
}

export function endOfUsageDay(day: string): Date {
  return endOfDay(emailTotalsPrefix(day)) ?? new Date(Number.NaN);
}

/** Encodes the totals of one gateway as object content. */
export function encodeEmailTotals(totals: EmailTotals): string {
  return JSON.stringify({ accounts: Object.fromEntries(totals) });
}

const CONCURRENT_READS = 8;

/**
 * Returns the counts of all gateways for a day, by account uid; empty if no gateway has counts. An object without valid
 * totals is skipped and reported: a foreign object must not make usage unavailable for all accounts.
 */
export async function readEmailTotals(
  store: Pick<ObjectStore, 'list' | 'read'>,
  day: string,
  unreadable: UnreadableTotals,
): Promise<Map<string, EmailCount>> {
  const sums = new Map<string, EmailCount>();
  const { objects } = await store.list(emailTotalsPrefix(day));
  await inParallel(objects, CONCURRENT_READS, async ({ key }) => {
    const body = await store.read(key);
    if (!body) return;
    try {
      addTotals(sums, decode(body));
    } catch (error) {
      unreadable.note(key, error);
    }
  });
  return sums;
}

function addTotals(sums: Map<string, EmailCount>, totals: Record<string, EmailCount>): void {
  for (const [account, { live, test }] of Object.entries(totals)) {
    const sum = sums.get(account) ?? { live: 0, test: 0 };
    sums.set(account, { live: sum.live + live, test: sum.test + test });
  }
}

/** Decodes all entries; throws if any is invalid. */
function decode(body: Buffer): Record<string, EmailCount> {
  const { accounts } = JSON.parse(body.toString()) as { accounts?: Record<string, EmailCount> };
  const isNumber = (count: number) => Number.isSafeInteger(count) && count >= 0;
  const isCount = ({ live, test }: EmailCount) => isNumber(live) && isNumber(test);
  if (!accounts || !Object.values(accounts).every(isCount))
    throw new Error('it does not contain gateway totals');
  return accounts;
}

/** Notified of each email totals object without valid totals. */
export interface UnreadableTotals {
  note(key: string, error: unknown): void;
}

/** Logs each such object once, as an error with its key, and counts every occurrence. */
export function reportUnreadable(logger: Logger, counter: { inc(): unknown }): UnreadableTotals {
  const known = new Set<string>();
  return {
    note(key, error) {
      counter.inc();
      if (known.has(key)) return;
      known.add(key);
      logger.error({ err: error, key }, 'ignoring unreadable email counts: repair or delete the object');
    },
  };
}
