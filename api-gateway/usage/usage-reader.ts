import { BATCH, GENERATION_JOB, USAGE_REPORT, type KubernetesObject, type UsageReport } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import {
  KubernetesClient,
  type ListResult,
  type ResourceClient,
} from '@trifold/platform/kubernetes/client/client.ts';
import { metadataOnly } from '@trifold/platform/kubernetes/client/metadata-only.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import {
  daysWithEmails,
  readEmailTotals,
  type EmailCount,
} from '@trifold/platform/records/usage/email-totals.ts';
import type { UnreadableTotals } from '@trifold/platform/records/usage/unreadable-totals.ts';
import {
  addUsage,
  NO_USAGE,
  usageOfReport,
  type UsageCounters,
} from '@trifold/platform/records/usage/usage-counters.ts';
import {
  dayOf,
  FINISHED_WORK,
  usageOfBatch,
  usageOfJob,
  workPageSize,
  type WorkUsage,
} from '@trifold/platform/records/usage/work-usage.ts';
import type { KeyCache } from '../server/auth/key-cache.ts';
import { unavailable } from '../server/errors/api-error.ts';
import type { EmailCounts } from './email-counts.ts';
import type { Period } from './usage-period.ts';
import { SharedReads } from './shared-reads.ts';

/** Usage of an account by day; days without usage are absent. */
export type DailyUsage = ReadonlyMap<string, UsageCounters>;

export interface UsageReaderOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: Pick<ObjectStore, 'list' | 'read'>;
  readonly accounts: Pick<KeyCache, 'accountUid'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly unreadable: UnreadableTotals;
  /** Counts of this gateway that are not yet written. */
  readonly counts: Pick<EmailCounts, 'flush'>;
}

/** A kind of work: lists its finished work in pages, each with the usage and its day. */
interface Work {
  first(account: string): Promise<WorkPage>;
}

interface WorkPage {
  readonly entries: readonly (WorkUsage & { readonly uid: string })[];
  next(): Promise<WorkPage> | undefined;
}

const REPORTS_IN_PAGE = 500;
/**
 * Older days are complete in the reports: finished work is kept for a day, and email counts are final after two. If no
 * controller ran in all that time, the rest appears once a controller has counted it.
 */
const SETTLED_AFTER_MS = 7 * 24 * 60 * 60 * 1000;
/** Maximum attempts when the reports change during a read. */
const MOST_ATTEMPTS = 5;

/**
 * Reads the usage of an account: its reports plus the finished work that is not in them yet. Each list is a consistent
 * snapshot, and the reports are read before and after the work lists start. If the reports did not change in between,
 * nothing is missing or counted twice.
 */
export class UsageReader {
  readonly #reports: ResourceClient<UsageReport>;
  readonly #versions: ResourceClient<UsageReport>;
  readonly #work: readonly Work[];
  readonly #store: UsageReaderOptions['store'];
  readonly #accounts: UsageReaderOptions['accounts'];
  readonly #counts: UsageReaderOptions['counts'];
  readonly #clock: UsageReaderOptions['clock'];
  readonly #unreadable: UnreadableTotals;
  readonly #reads = new SharedReads<DailyUsage>((account) => this.#snapshot(account));
  readonly #settled = new SharedReads<DailyUsage>((account) => this.#reported(account));

  constructor({ kubernetes, store, accounts, clock, unreadable, counts }: UsageReaderOptions) {
    this.#reports = kubernetes.resource(USAGE_REPORT);
    this.#versions = new KubernetesClient(metadataOnly(kubernetes.transport)).resource(USAGE_REPORT);
    this.#work = [
      workOf(kubernetes.resource(GENERATION_JOB), usageOfJob),
      workOf(kubernetes.resource(BATCH), usageOfBatch),
    ];
    this.#store = store;
    this.#accounts = accounts;
    this.#clock = clock;
    this.#unreadable = unreadable;
    this.#counts = counts;
  }

  /**
   * Returns usage by day, for at least the days of the period. It is current, or slightly old where reading takes long.
   * Throws ApiError `unavailable` when the reports changed during every one of several attempts.
   */
  async read(account: string, { to }: Period): Promise<DailyUsage> {
    const settled = dayOf(new Date(this.#clock.now().getTime() - SETTLED_AFTER_MS));
    return to < settled ? this.#settled.read(account) : this.#reads.read(account);
  }

  /** Reads only the reports: one list is a consistent snapshot, so nothing is counted twice. */
  async #reported(account: string): Promise<DailyUsage> {
    return sum(await listAll(this.#reports, account), new Map(), []);
  }

  async #snapshot(account: string): Promise<DailyUsage> {
    await this.#counts.flush();
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const reports = await listAll(this.#reports, account);
      const emails = await this.#emails(account);
      const pages = await Promise.all(this.#work.map((work) => work.first(account)));
      if (await this.#isUnchanged(account, reports)) return sum(reports, emails, pages);
    }
    // The last read may miss a document or count it twice.
    throw unavailable('Usage is being counted at this moment. Try again in a moment.');
  }

  async #isUnchanged(account: string, reports: readonly UsageReport[]): Promise<boolean> {
    const now = await listAll(this.#versions, account);
    const known = new Set(reports.map(versionOf));
    return now.length === known.size && now.every((report) => known.has(versionOf(report)));
  }

  async #emails(account: string): Promise<ReadonlyMap<string, EmailCount>> {
    const uid = this.#accounts.accountUid(account);
    if (uid === undefined) return new Map();
    const days = await daysWithEmails(this.#store);
    const counts = await Promise.all(
      days.map(
        async (day) => [day, (await readEmailTotals(this.#store, day, this.#unreadable)).get(uid)] as const,
      ),
    );
    return new Map(counts.flatMap(([day, count]) => (count ? [[day, count] as const] : [])));
  }
}

/** Sums usage by day. */
class Days extends Map<string, UsageCounters> {
  add(day: string, usage: UsageCounters): void {
    this.set(day, addUsage(this.get(day) ?? NO_USAGE, usage));
  }
}

async function sum(
  reports: readonly UsageReport[],
  emails: ReadonlyMap<string, EmailCount>,
  firstPages: readonly WorkPage[],
): Promise<DailyUsage> {
  const days = new Days();
  addReports(days, reports, emails);
  const counted = new Set(reports.flatMap(({ status }) => status?.pending ?? []).map(({ uid }) => uid));
  for await (const { uid, day, usage } of entriesOf(firstPages)) {
    if (!counted.has(uid)) days.add(day, usage);
  }
  return days;
}

/** Until the email count of a day is final, the totals written by the gateways are newer and take precedence. */
function addReports(
  days: Days,
  reports: readonly UsageReport[],
  written: ReadonlyMap<string, EmailCount>,
): void {
  const emails = new Map(written);
  for (const report of reports) {
    const { name: day } = report.metadata;
    const usage = usageOfReport(report);
    const count = report.status?.emailsCounted ? undefined : emails.get(day);
    days.add(day, { ...usage, emails: count ?? usage.emails });
    emails.delete(day);
  }
  for (const [day, count] of emails) days.add(day, { ...NO_USAGE, emails: count });
}

async function* entriesOf(firstPages: readonly WorkPage[]): AsyncGenerator<WorkPage['entries'][number]> {
  for (const first of firstPages) {
    for (let page: WorkPage | undefined = first; page; page = await page.next()) yield* page.entries;
  }
}

function workOf<R extends KubernetesObject>(
  client: ResourceClient<R>,
  usageOf: (resource: R) => WorkUsage | undefined,
): Work {
  const limit = workPageSize(client.kind.kind);
  const pageOf = async (account: string, at?: string): Promise<WorkPage> => {
    const page = await pageAt(client, { namespace: account, fieldSelector: FINISHED_WORK, limit }, at);
    return {
      entries: page.items.flatMap((item) => {
        const work = usageOf(item);
        return work ? [{ uid: item.metadata.uid, ...work }] : [];
      }),
      next: () => (page.continue === undefined ? undefined : pageOf(account, page.continue)),
    };
  };
  return { first: (account) => pageOf(account) };
}

async function listAll(client: ResourceClient<UsageReport>, account: string): Promise<UsageReport[]> {
  const all: UsageReport[] = [];
  let at: string | undefined;
  do {
    const page = await pageAt(client, { namespace: account, limit: REPORTS_IN_PAGE }, at);
    all.push(...page.items);
    at = page.continue;
  } while (at !== undefined);
  return all;
}

async function pageAt<R extends KubernetesObject>(
  client: ResourceClient<R>,
  selection: { namespace: string; limit: number; fieldSelector?: string },
  at: string | undefined,
): Promise<ListResult<R>> {
  return client.list({ ...selection, ...(at !== undefined && { continue: at }) });
}

function versionOf({ metadata }: UsageReport): string {
  return `${metadata.uid} ${metadata.resourceVersion}`;
}
