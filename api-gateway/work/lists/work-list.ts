import type { Batch, GenerationJob } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { IndexList, WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { AccountCaches, type CachedAccount } from '../../server/fresh-list/account-caches.ts';
import { FreshList, type FreshListOptions } from '../../server/fresh-list/fresh-list.ts';
import { newestFirst, pageFrom, type Page, type Placed } from '../../server/pagination/page.ts';
import type { TemplateCache } from '../../templates/template-cache.ts';
import { firstMomentOf, type Accounts } from '../work-repository.ts';
import { ArchivedRows, type ArchivedWork } from './archived-rows.ts';
import { workFilter, type ListedWork, type WorkQuery } from './work-query.ts';

/** Documents or batches: how lists show their resources and their rows in the index. */
export interface ListedKind<R extends GenerationJob | Batch, Work extends ListedWork> {
  readonly list: IndexList;
  readonly nouns: { readonly one: string; readonly many: string };
  readonly resource: Pick<FreshListOptions<R, Work>, 'client' | 'transform'>;
  readonly ofResource: (resource: R) => Work;
}

export interface WorkListOptions {
  readonly kubernetes: KubernetesClient;
  readonly index: WorkIndex;
  readonly accounts: Accounts;
  /** Names of the templates. */
  readonly templates: Pick<TemplateCache, 'list'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Work in memory: resources, and rows of deleted resources. */
interface AccountWork<R, Work> extends CachedAccount {
  wrote(resource: R): void;
  list(): Promise<ArchivedWork<Work> & { readonly live: readonly Placed<Work>[] }>;
}

/**
 * Accounts' documents or batches from the last 24 hours: those with a resource, and those in the index, which the
 * controller writes before it deletes a resource.
 */
export class WorkList<R extends GenerationJob | Batch, Work extends ListedWork> {
  readonly #options: WorkListOptions;
  readonly #kind: ListedKind<R, Work>;
  readonly #caches: AccountCaches<AccountWork<R, Work>>;

  constructor(kind: ListedKind<R, Work>, options: WorkListOptions) {
    const { nouns } = kind;
    this.#kind = kind;
    this.#options = options;
    this.#caches = new AccountCaches({
      nouns,
      clock: options.clock,
      open: (account, onGrowth) => this.#open(account, onGrowth),
    });
  }

  /** Rejects with ApiError `invalid_cursor` or `unavailable`, or with server errors. */
  async page(account: string, { limit, cursor, ...filters }: WorkQuery): Promise<Page<Work>> {
    const list = `${this.#kind.list}/${account}/${textOf(filters)}`;
    return pageFrom({ list, limit, ...(cursor !== undefined && { cursor }) }, async () => {
      const names = filters.q === undefined ? [] : await this.#options.templates.list(account);
      const templateNames = new Map(names.map(({ entry }) => [entry.id, entry.name]));
      return this.#list(account, workFilter(filters, templateNames));
    });
  }

  /** Returns the work of an account, newest first. */
  async #list(account: string, isWanted: (work: Work) => boolean): Promise<Placed<Work>[]> {
    const { clock, accounts } = this.#options;
    const { live, rows, ids, deleted } = await this.#caches.get(account).list();
    const now = clock.now().toISOString();
    const since = firstMomentOf(accounts, account);
    const isShown = ({ entry, position }: Placed<Work>) =>
      entry.expiresAt > now &&
      position.createdAt >= since &&
      isWanted(entry) &&
      !entry.isDeleted &&
      !deleted.has(position.id);
    const both = new Set(live.flatMap(({ position: { id } }) => (ids.has(id) ? [id] : [])));
    const archived = rows.filter((row) => isShown(row) && !both.has(row.position.id));
    return merged(live.filter(isShown), archived);
  }

  /** Records a resource this gateway has seen, so that later lists are at least as recent. */
  wrote(resource: R): void {
    this.#caches.find(resource.metadata.namespace ?? '')?.wrote(resource);
  }

  async stop(): Promise<void> {
    await this.#caches.stop();
  }

  #open(account: string, onGrowth: () => void): AccountWork<R, Work> {
    const { index, clock, logger } = this.#options;
    const { list, nouns, resource, ofResource } = this.#kind;
    const placed = (entry: Work): Placed<Work> => ({
      entry,
      position: { createdAt: Date.parse(entry.createdAt), id: entry.id },
    });
    const fresh = new FreshList<R, Work>({
      ...resource,
      noun: nouns.one,
      placed: (each) => placed(ofResource(each)),
      entryBytes: BOUNDS.listedUnfinished.limit.value,
      account,
      clock,
      logger,
      onGrowth,
    });
    fresh.start();
    const archive = new ArchivedRows<Work>({ account, list, index, placed, clock, onGrowth });
    return {
      get bytes() {
        return fresh.bytes + archive.bytes;
      },
      wrote: (resource) => fresh.wrote(resource),
      async list() {
        // Copies the resources first and then reads the index, so that work deleted in between is in at least one of
        // them.
        const live = [...(await fresh.list(account))];
        return { live, ...(await archive.list()) };
      },
      stop: async (why) => fresh.stop(why),
    };
  }
}

/** The order of parameters in a request does not matter. */
function textOf({ metadata = {}, ...filters }: Omit<WorkQuery, 'limit' | 'cursor'>): string {
  const sorted = (object: object) => Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([sorted(filters), sorted(metadata)]);
}

/** Merges two lists that are newest first. */
function merged<Entry>(left: readonly Placed<Entry>[], right: readonly Placed<Entry>[]): Placed<Entry>[] {
  const all: Placed<Entry>[] = [];
  let at = 0;
  for (const entry of right) {
    for (let next = left[at]; next && newestFirst(next.position, entry.position) < 0; next = left[at]) {
      all.push(next);
      at += 1;
    }
    all.push(entry);
  }
  return all.concat(left.slice(at));
}
