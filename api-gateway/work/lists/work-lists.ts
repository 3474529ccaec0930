import { BATCH, GENERATION_JOB, type Batch, type GenerationJob } from '@trifold/crds';
import { batchFactsOf } from '@trifold/platform/records/documents/batch-facts.ts';
import type { BatchRow } from '@trifold/platform/records/documents/batch-row.ts';
import type { DocumentRow, ListedDocumentFacts } from '@trifold/platform/records/documents/document-row.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { SharedCursorSealer } from '../../server/pagination/cursor-key.ts';
import { pageFrom, type Page } from '../../server/pagination/page.ts';
import type { TemplateCache } from '../../templates/template-cache.ts';
import { documentOf } from '../documents/documents.ts';
import { stateOf, type WorkState } from '../work-reader.ts';
import { slimBatch, slimJob } from './slim-work.ts';
import { WorkList, type ListedWork, type WorkListOptions } from './work-list.ts';
import { workFilter, type WorkQuery } from './work-query.ts';

/** A document as a list has it. */
export type ListedDocument =
  | DocumentRow
  | {
      readonly facts: ListedDocumentFacts;
      readonly status: 'pending' | 'processing';
      readonly result?: undefined;
      readonly error?: undefined;
    };

/** A batch as a list has it. */
export type ListedBatch = Omit<BatchRow, 'status'> & { readonly status: WorkState };

export interface WorkListsOptions extends WorkListOptions {
  readonly cursors: SharedCursorSealer;
  /** Names of the templates. */
  readonly templates: Pick<TemplateCache, 'list'>;
  /** The jobs of this gateway: a list shows what a request for its document has already answered. */
  readonly jobs: Informer<GenerationJob>;
}

/** Pages of the documents and batches of accounts. Every method rejects with ApiError for errors of the caller. */
export class WorkLists {
  readonly #options: WorkListsOptions;
  readonly #documents: WorkList<GenerationJob, ListedDocument>;
  readonly #batches: WorkList<Batch, ListedBatch>;

  constructor(options: WorkListsOptions) {
    const { kubernetes, jobs } = options;
    this.#options = options;
    this.#documents = new WorkList<GenerationJob, ListedDocument>(
      {
        list: 'documents',
        nouns: { one: 'list of documents', many: 'lists of documents' },
        resource: { client: kubernetes.resource(GENERATION_JOB), slim: slimJob },
        ofResource: documentOf,
        idOf: ({ facts }) => facts.job,
      },
      options,
    );
    this.#batches = new WorkList<Batch, ListedBatch>(
      {
        list: 'batches',
        nouns: { one: 'list of batches', many: 'lists of batches' },
        resource: { client: kubernetes.resource(BATCH), slim: slimBatch },
        ofResource: listedBatchOf,
        idOf: ({ facts }) => facts.batch,
      },
      options,
    );
    jobs.onChange(({ namespace, name }) => {
      const job = jobs.get(namespace, name);
      if (job) this.#documents.wrote(job);
    });
  }

  /** Throws ApiError `invalid_cursor`. */
  async documents(account: string, query: WorkQuery): Promise<Page<ListedDocument>> {
    return this.#page(this.#documents, `documents/${account}`, account, query);
  }

  /** Throws ApiError `invalid_cursor`. */
  async batches(account: string, query: WorkQuery): Promise<Page<ListedBatch>> {
    return this.#page(this.#batches, `batches/${account}`, account, query);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#documents.stop(), this.#batches.stop()]);
  }

  async #page<Work extends ListedWork>(
    list: Pick<WorkList<GenerationJob, Work>, 'list'>,
    name: string,
    account: string,
    { limit, cursor, ...filters }: WorkQuery,
  ): Promise<Page<Work>> {
    const page = { list: `${name}/${textOf(filters)}`, limit, ...(cursor !== undefined && { cursor }) };
    return pageFrom(this.#options.cursors, page, async () => {
      const names = filters.q === undefined ? [] : await this.#options.templates.list(account);
      const templateNames = new Map(names.map(({ entry }) => [entry.id, entry.name]));
      return list.list(account, workFilter(filters, templateNames));
    });
  }
}

/** The order of parameters in a request does not matter. */
function textOf({ metadata = {}, ...filters }: Omit<WorkQuery, 'limit' | 'cursor'>): string {
  const sorted = (object: object) => Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([sorted(filters), sorted(metadata)]);
}

function listedBatchOf(batch: Batch): ListedBatch {
  const { phase, completed = 0, failed = 0, error } = batch.status ?? {};
  return {
    facts: batchFactsOf(batch),
    status: stateOf(phase),
    completed,
    failed,
    ...(error && { error }),
  };
}
