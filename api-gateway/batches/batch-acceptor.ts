import {
  BATCH,
  BATCH_ITEMS_LABEL,
  batchItemsPrefix,
  DOCUMENT_LIFETIME_MS,
  newId,
  timeOfId,
  type Batch,
  type BatchSpec,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { RevisionStore, type Revision } from '@trifold/platform/templates/revision.ts';
import type { Caller } from '../authentication/caller.ts';
import type { LiveJobs } from '../generation/live-jobs.ts';
import { checkOptions } from '../generation/options-check.ts';
import { toRenderOptions } from '../generation/options.ts';
import { assertNotArchived, type PreparedTemplates } from '../generation/prepared-templates.ts';
import type { TemplateRepository } from '../templates/template-repository.ts';
import type { BatchBody } from './batch-body.ts';
import { filledItems, fingerprintOf, putItems, type DataLimits } from './batch-items.ts';

export interface BatchAcceptorOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly templates: TemplateRepository;
  readonly prepared: PreparedTemplates;
  readonly liveJobs: Pick<LiveJobs, 'assertRoom' | 'making'>;
  readonly dataLimits: DataLimits;
}

/** A batch that was checked: only writing is left. */
export interface AcceptedBatch {
  readonly id: string;
  /**
   * Puts what the batch refers to into the object store and then creates the resource. Rejects with ApiError
   * `too_many_jobs` when others took the room meanwhile, ObjectStoreError or KubernetesApiError; what was stored by then
   * is collected with the documents of its time.
   */
  create(): Promise<Batch>;
}

/** Turns requests for batches into Batch resources. Every refusal is an ApiError; nothing is left behind then. */
export class BatchAcceptor {
  readonly #options: BatchAcceptorOptions;
  readonly #batches: ResourceClient<Batch>;
  readonly #revisions: RevisionStore;

  constructor(options: BatchAcceptorOptions) {
    this.#options = options;
    this.#batches = options.kubernetes.resource<Batch>(BATCH);
    this.#revisions = new RevisionStore(options.store);
  }

  /** SHA-256 of a body, the same however its members are ordered. Throws ApiError `body_too_large`. */
  async fingerprintOf(body: BatchBody): Promise<string> {
    return fingerprintOf(body, this.#options.dataLimits);
  }

  /**
   * Checks a request whose shape is right: all of its items, before anything is written. With an id that was given to
   * the request before, the batch is that old already.
   */
  async accept(
    caller: Caller,
    body: BatchBody,
    id = newId('bat', this.#options.clock.now()),
  ): Promise<AcceptedBatch> {
    const { templates, prepared, liveJobs } = this.#options;
    const work = { kind: BATCH.kind, account: caller.account, name: id, documents: body.items.length };
    liveJobs.assertRoom(work);
    const template = await templates.get(caller.account, body.template_id);
    assertNotArchived(template);
    checkOptions(body.options, template.spec.defaultOptions);
    const ready = await prepared.prepare(caller.account, template);
    const items = await filledItems(ready, body.items, this.#options.dataLimits);
    const spec = {
      templateRef: { name: template.metadata.name },
      revision: ready.revision.sha256,
      version: template.metadata.generation,
      total: body.items.length,
      format: body.format,
      ...(body.options && { options: toRenderOptions(body.options, '/options') }),
      mode: caller.mode,
      keyId: caller.keyId,
    };
    const write = { account: caller.account, id, revision: ready.revision, items };
    return { id, create: async () => liveJobs.making(work, async () => this.#create(write, spec)) };
  }

  async #create(
    { account, id, revision, items }: { account: string; id: string; revision: Revision; items: Buffer[] },
    spec: Omit<BatchSpec, 'itemsRef' | 'expiresAt'>,
  ): Promise<Batch> {
    const { store, clock } = this.#options;
    const accepted = timeOfId(id) ?? clock.now();
    const prefix = batchItemsPrefix(account, id) ?? `${id}/`;
    await Promise.all([putItems(store, prefix, items), this.#revisions.ensure(account, revision, accepted)]);
    const size = items.reduce((bytes, json) => bytes + json.byteLength, 0);
    const expiresAt = new Date(accepted.getTime() + DOCUMENT_LIFETIME_MS).toISOString();
    return this.#batches.create({
      metadata: { name: id, namespace: account, labels: { [BATCH_ITEMS_LABEL]: String(items.length) } },
      spec: { ...spec, itemsRef: { prefix, size }, expiresAt },
    });
  }
}
