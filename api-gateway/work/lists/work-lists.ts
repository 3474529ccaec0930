import {
  BATCH,
  DELETED_ANNOTATION,
  GENERATION_JOB,
  type Batch,
  type GenerationJob,
  type ObjectMeta,
} from '@trifold/crds';
import { acceptedBatch } from '@trifold/platform/records/documents/accepted-work.ts';
import type { BatchRow } from '@trifold/platform/records/documents/finished-batch.ts';
import {
  documentOf,
  isDeleted,
  stateOf,
  type ListedDocument,
  type WorkState,
} from '@trifold/platform/records/documents/finished-document.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import { pageFrom, type Page } from '../../server/pagination/page.ts';
import type { TemplateCache } from '../../templates/template-cache.ts';
import { WorkList, type ListedWork, type WorkListOptions } from './work-list.ts';
import { workFilter, type WorkQuery } from './work-query.ts';
import { picked } from '@trifold/platform/service/picked.ts';
import { listMetadata } from '../../server/fresh-list/fresh-list.ts';

/** A batch as a list has it. */
export type ListedBatch = Omit<BatchRow, 'status'> & { readonly status: WorkState };

export interface WorkListsOptions extends WorkListOptions {
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
        resource: { client: kubernetes.resource(GENERATION_JOB), transform: listedJob },
        ofResource: (job) => ({ ...documentOf(job), isDeleted: isDeleted(job) }),
      },
      options,
    );
    this.#batches = new WorkList<Batch, ListedBatch>(
      {
        list: 'batches',
        nouns: { one: 'list of batches', many: 'lists of batches' },
        resource: { client: kubernetes.resource(BATCH), transform: listedBatch },
        ofResource: listedBatchOf,
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
    return pageFrom(page, async () => {
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
  return { ...acceptedBatch(batch), status: stateOf(phase), completed, failed, ...(error && { error }) };
}

/** Reduces a job to what lists show and search: an account may have very many. */
export function listedJob({ apiVersion, kind, metadata, spec, status = {} }: GenerationJob): GenerationJob {
  return {
    apiVersion,
    kind,
    metadata: { ...listMetadata(metadata), ...deletionOf(metadata) },
    spec: picked(spec, ['templateRef', 'filename', 'clientMetadata', 'expiresAt']),
    status: picked(status, ['phase', 'size', 'renderTimeMs', 'warnings', 'error']),
  };
}

/** Reduces a batch to what lists show and search: neither what the items ask for nor their results. */
export function listedBatch({ apiVersion, kind, metadata, spec, status = {} }: Batch): Batch {
  const { items: _items, options: _options, ...kept } = spec;
  return {
    apiVersion,
    kind,
    metadata: listMetadata(metadata),
    spec: kept,
    status: picked(status, ['phase', 'completed', 'failed', 'error']),
  };
}

function deletionOf({ annotations = {} }: ObjectMeta): Pick<ObjectMeta, 'annotations'> {
  const deletedAt = annotations[DELETED_ANNOTATION];
  return deletedAt === undefined ? {} : { annotations: { [DELETED_ANNOTATION]: deletedAt } };
}
