import {
  BATCH,
  BATCH_ITEMS_LABEL,
  batchItemKey,
  batchItemsPrefix,
  dataKey,
  DOCUMENT_LIFETIME_MS,
  newId,
  timeOfId,
  type Batch,
  type BatchSpec,
} from '@trifold/crds';
import type { DataLimits } from '@trifold/platform/templating/checking/apply-schema.ts';
import type { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import type { Caller } from '../../server/auth/caller.ts';
import { FirstData, type UsedVersion } from '../admission/first-data.ts';
import type { JobQuota } from '../admission/job-quota.ts';
import { checkOptions } from '../admission/options-check.ts';
import { toRenderOptions } from '../admission/options.ts';
import { assertNotArchived, type PreparedTemplates } from '../admission/prepared-templates.ts';
import { fillData } from '../admission/template-data.ts';
import type { TemplateRepository } from '../../templates/template-repository.ts';
import type { BatchBody } from './batch-body.ts';
import { itemPointer, putOtherItems } from './batch-items.ts';

/** Dependencies and limits of `BatchAcceptor`. */
export interface BatchAcceptorOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly templates: TemplateRepository;
  readonly prepared: PreparedTemplates;
  readonly dataChecker: DataChecker;
  readonly checker: TemplateChecker;
  readonly jobQuota: Pick<JobQuota, 'assertRoom' | 'making'>;
  /** Limits of the items' data; one item may be as large as the body of a single document. */
  readonly dataLimits: DataLimits;
}

/** A batch request whose body has passed schema validation. */
export interface BatchRequest {
  readonly caller: Caller;
  readonly body: BatchBody;
  /** Cancels the checks when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A validated batch that is not yet created. */
export interface AcceptedBatch {
  readonly id: string;
  /**
   * Stores the data that the batch refers to and then creates the resource. Rejects with ApiError `too_many_jobs` when
   * concurrent requests used up the quota, DataTaken, ObjectStoreError or KubernetesApiError. Data that was already
   * stored is collected with the documents of its time.
   */
  create(): Promise<Batch>;
}

/** Creates Batch resources from requests. A rejected request gets an ApiError and leaves nothing behind. */
export class BatchAcceptor {
  readonly #options: BatchAcceptorOptions;
  readonly #batches: ResourceClient<Batch>;
  readonly #revisions: RevisionStore;
  readonly #data: FirstData;

  constructor(options: BatchAcceptorOptions) {
    this.#options = options;
    this.#batches = options.kubernetes.resource<Batch>(BATCH);
    this.#revisions = new RevisionStore(options.store);
    this.#data = new FirstData(options.store, options.prepared);
  }

  /**
   * Checks a request with all of its items before anything is written. `earlierId` is the id that an earlier attempt of
   * the request got. The batch then counts as created at that time, and uses the template version of the earlier
   * attempt if that attempt stored data.
   */
  async accept({ caller, body, signal }: BatchRequest, earlierId?: string): Promise<AcceptedBatch> {
    const { account, mode, keyId } = caller;
    const { templates, jobQuota, clock, checker, dataChecker, dataLimits: limits } = this.#options;
    const id = earlierId ?? newId('bat', clock.now());
    const work = { kind: BATCH.kind, account, name: id, documents: body.items.length };
    jobQuota.assertRoom(work);
    const template = await templates.get(account, body.template_id);
    assertNotArchived(template);
    await checkOptions(body.options, template.spec.defaultOptions, { checker, account });
    const accepted = timeOfId(id) ?? clock.now();
    const prefix = batchItemsPrefix(account, id) ?? `${id}/`;
    const earlier = earlierId === undefined ? undefined : { key: firstKey(prefix), accepted };
    const used = await this.#data.versionFor(account, template, earlier);
    const check = {
      items: body.items.map(({ data }, index) => ({ data, pointer: itemPointer(index) })),
      limits,
    };
    const items = await fillData(dataChecker, used.revision.content, check, { account, signal });
    const spec: BatchSpec = {
      templateRef: { name: template.metadata.name },
      revision: used.revision.sha256,
      version: used.version,
      itemsRef: { prefix, size: items.reduce((bytes, json) => bytes + json.byteLength, 0) },
      total: items.length,
      format: body.format,
      ...(body.options && { options: toRenderOptions(body.options, '/options') }),
      mode,
      keyId,
      expiresAt: new Date(accepted.getTime() + DOCUMENT_LIFETIME_MS).toISOString(),
    };
    const create = async () => {
      await this.#revisions.ensure(account, used.revision, accepted);
      await this.#putItems(prefix, items, used);
      const labels = { [BATCH_ITEMS_LABEL]: String(items.length) };
      return this.#batches.create({ metadata: { name: id, namespace: account, labels }, spec });
    };
    return { id, create: async () => jobQuota.making(work, create) };
  }

  /** The data of the first item fixes the template version for the whole batch. */
  async #putItems(
    prefix: string,
    [first, ...others]: readonly Uint8Array[],
    used: UsedVersion,
  ): Promise<void> {
    if (first) await this.#data.put(firstKey(prefix), first, used);
    await putOtherItems(this.#options.store, prefix, others);
  }
}

function firstKey(prefix: string): string {
  return dataKey(batchItemKey(prefix, 0));
}
