import {
  BATCH,
  BATCH_ITEMS_LABEL,
  batchItemKey,
  batchItemsPrefix,
  dataKey,
  type Batch,
  type BatchSpec,
} from '@trifold/crds';
import type { DataLimits } from '@trifold/platform/templating/checking/apply-schema.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { Caller } from '../../server/auth/caller.ts';
import type { Admission, AdmittedWork } from '../admission/admission.ts';
import { validateBatchBody, type BatchBody, type BatchPresentation } from './batch-body.ts';

/** Maximum number of concurrent uploads to the object store. */
const PUTS_AT_ONCE = 8;

/** Dependencies and limits of `BatchCreator`. */
export interface BatchCreatorOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly admission: Admission;
  /** Limits of the items' data; one item may be as large as the body of a single document. */
  readonly dataLimits: DataLimits;
}

/** A batch request whose body has the right shape. */
export interface BatchRequest {
  readonly caller: Caller;
  readonly body: BatchBody;
  /** Cancels the checks when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A batch that may be created. */
export interface AdmittedBatch {
  readonly id: string;
  readonly work: AdmittedWork;
  /** Key prefix of its items. */
  readonly prefix: string;
  readonly presentation: BatchPresentation;
}

/** Creates Batch resources from requests. A rejected request leaves nothing behind. */
export class BatchCreator {
  readonly #options: BatchCreatorOptions;
  readonly #batches: ResourceClient<Batch>;

  constructor(options: BatchCreatorOptions) {
    this.#options = options;
    this.#batches = options.kubernetes.resource<Batch>(BATCH);
  }

  /**
   * Checks a request with all of its items, as `Admission.admit` does. `earlierId` is the id that an earlier attempt of
   * the request got.
   */
  async admit({ caller, body, signal }: BatchRequest, earlierId?: string): Promise<AdmittedBatch> {
    const { admission, dataLimits: limits } = this.#options;
    const { template_id: templateId, version, options, format } = body;
    const presentation = validateBatchBody(body);
    const id = earlierId ?? admission.newId('bat', caller.account);
    const prefix = batchItemsPrefix(caller.account, id) ?? `${id}/`;
    const items = body.items.map(({ data }, index) => ({ data, pointer: `/items/${index}/data` }));
    const work = await admission.admit(
      { caller, templateId, version, options, format, data: { items, limits }, signal },
      { kind: BATCH.kind, id, earlierData: earlierId && firstKey(prefix) },
    );
    return { id, work, prefix, presentation };
  }

  /**
   * Stores the data of the items and creates the batch, as `Admission.create` does. The data of the first item fixes the
   * template version for the whole batch. Rejects with KubernetesApiError, too.
   */
  async create({ id, work, prefix, presentation }: AdmittedBatch): Promise<Batch> {
    const { admission, store } = this.#options;
    const [, ...others] = work.data;
    const total = work.data.length;
    const size = work.data.reduce((bytes, json) => bytes + json.byteLength, 0);
    const spec: BatchSpec = { ...work.spec, ...presentation, itemsRef: { prefix, size }, total };
    const namespace = work.planned.account;
    const labels = { [BATCH_ITEMS_LABEL]: String(total) };
    return admission.create(work, firstKey(prefix), async () => {
      await putOtherItems(store, prefix, others);
      return this.#batches.create({ metadata: { name: id, namespace, labels }, spec });
    });
  }
}

function firstKey(prefix: string): string {
  return dataKey(batchItemKey(prefix, 0));
}

/**
 * Stores the data of all items after the first where the batch refers to it; existing data stays. Rejects with
 * ObjectStoreError.
 */
async function putOtherItems(
  store: ObjectStore,
  itemsPrefix: string,
  others: readonly Uint8Array[],
): Promise<void> {
  await inParallel(others.entries(), PUTS_AT_ONCE, async ([place, json]) => {
    const key = dataKey(batchItemKey(itemsPrefix, place + 1));
    await store.put(key, json, { contentType: 'application/json', ifAbsent: true });
  });
}
