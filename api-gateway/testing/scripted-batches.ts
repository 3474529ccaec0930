import type { LightMyRequestResponse } from 'fastify';
import {
  BATCH,
  batchItemKey,
  batchItemsPrefix,
  dataKey,
  documentKeyOfId,
  recordKey,
  type Batch,
  type BatchItemResult,
  type BatchStatus,
  type DocumentWarning,
} from '@trifold/crds';
import { acceptedItem } from '@trifold/platform/records/documents/accepted-work.ts';
import { batchRecordOf } from '@trifold/platform/records/documents/finished-batch.ts';
import { documentMetadata, resultMetadata } from '@trifold/platform/records/documents/finished-document.ts';
import type { GatewayFixture } from './gateway-fixture.ts';
import { renderedResult } from './scripted-controller.ts';

/** Outcome of an item: the bytes of its file, or the reason it has no file. */
export type ItemOutcome = Buffer | { readonly code: string; readonly message: string };

/** Returns a file that contains the index of its item. */
export function fileOf(index: number): Buffer {
  return Buffer.from(`%PDF-1.7\n% item ${index}\n%%EOF\n`);
}

export const FAILURE = { code: 'render_failed', message: 'The page could not be printed.' } as const;

export const ITEMS = [{ data: { name: 'Ada' } }, { data: { name: 'Grace' } }, { data: { name: 'Joan' } }];

type Call = Parameters<GatewayFixture['call']>[2];

/** Requests batches, and acts on them as the controller and the renderers would, at the test's command. */
export class ScriptedBatches {
  /** Warnings for items that finish from now on, by index. */
  readonly warnings = new Map<number, DocumentWarning[]>();
  readonly #fixture: GatewayFixture;
  /** Template of the batches that `send` requests. */
  readonly template_id: string;

  constructor(fixture: GatewayFixture, template_id = '') {
    this.#fixture = fixture;
    this.template_id = template_id;
  }

  /** Sends a batch request; `members` override fields of its body. */
  async send(members: object = {}, options: Call = {}): Promise<LightMyRequestResponse> {
    const body = { template_id: this.template_id, format: 'pdf', items: ITEMS, ...members };
    return this.#fixture.call('POST', '/v1/generate/batch', { ...options, body });
  }

  /** Returns the ID of an accepted batch. */
  async accepted(members: object = {}): Promise<string> {
    const response = await this.send(members);
    if (response.statusCode !== 202) throw new Error(response.body);
    return response.json<{ id: string }>().id;
  }

  async read(id: string, key = this.#fixture.key): Promise<LightMyRequestResponse> {
    return this.#fixture.call('GET', `/v1/generate/batch/${id}`, { key });
  }

  /** Downloads the file of an item. */
  async item(id: string, index: number | string, key = this.#fixture.key): Promise<LightMyRequestResponse> {
    return this.#fixture.call('GET', `/v1/generate/batch/${id}/items/${index}/download`, { key });
  }

  /** Downloads the files of the batch. */
  async zip(id: string, key = this.#fixture.key): Promise<LightMyRequestResponse> {
    return this.#fixture.call('GET', `/v1/generate/batch/${id}/download`, { key });
  }

  get #resources() {
    return this.#fixture.kubernetes.resource(BATCH);
  }

  async all(account = 'acme'): Promise<readonly Batch[]> {
    return (await this.#resources.list({ namespace: account })).items;
  }

  async get(id: string, account = 'acme'): Promise<Batch> {
    return this.#resources.get(account, id);
  }

  /** Returns the data of every item, as stored for the renderers. */
  async data(id: string, account = 'acme'): Promise<unknown[]> {
    const { spec } = await this.get(id, account);
    const keys = Array.from({ length: spec.total }, (_, index) => batchItemKey(spec.itemsRef.prefix, index));
    const bodies = await Promise.all(keys.map(async (key) => this.#fixture.store.read(dataKey(key))));
    return bodies.map((body) => JSON.parse(String(body)) as unknown);
  }

  /** Writes a status with these items and the batch in progress. */
  async progress(id: string, outcomes: ReadonlyMap<number, ItemOutcome>): Promise<void> {
    await this.#write(await this.get(id), outcomes, 'Processing');
  }

  /** Finishes the batch; every item not listed in the exceptions completes. */
  async finish(id: string, exceptions: ReadonlyMap<number, ItemOutcome> = new Map()): Promise<void> {
    const batch = await this.get(id);
    const outcomes = Array.from(
      { length: batch.spec.total },
      (_, index) => [index, exceptions.get(index) ?? fileOf(index)] as const,
    );
    const allFailed = outcomes.every(([, outcome]) => !Buffer.isBuffer(outcome));
    const finished = await this.#write(batch, new Map(outcomes), allFailed ? 'Failed' : 'Completed');
    await this.#keepRecord(finished);
  }

  /** Fails the batch before any item starts. */
  async reject(id: string): Promise<void> {
    const { namespace = '', name } = (await this.get(id)).metadata;
    const status: BatchStatus = { phase: 'Failed', completed: 0, error: FAILURE };
    await this.#resources.patchStatus({ namespace, name }, { status });
    await this.#keepRecord(await this.get(id));
  }

  /** Deletes the resource, as the controller does after its TTL. */
  async remove(id: string, account = 'acme'): Promise<void> {
    await this.#resources.delete(account, id);
  }

  async #write(
    batch: Batch,
    outcomes: ReadonlyMap<number, ItemOutcome>,
    phase: NonNullable<BatchStatus['phase']>,
  ): Promise<Batch> {
    const items: BatchItemResult[] = [];
    for (const [index, outcome] of outcomes) items.push(await this.#itemOf(batch, index, outcome));
    const completed = items.filter((item) => item.phase === 'Completed').length;
    const status: BatchStatus = { phase, completed, failed: items.length - completed, items };
    const { namespace = '', name } = batch.metadata;
    return this.#resources.patchStatus({ namespace, name }, { status });
  }

  async #itemOf(batch: Batch, index: number, outcome: ItemOutcome): Promise<BatchItemResult> {
    const known = this.warnings.get(index);
    const warnings = known && { warnings: known };
    if (!Buffer.isBuffer(outcome)) return { index, phase: 'Failed', error: outcome, ...warnings };
    const result = resultMetadata(renderedResult(outcome, this.#fixture.clock));
    const prefix = batchItemsPrefix(batch.metadata.namespace ?? '', batch.metadata.name) ?? '';
    await this.#fixture.store.put(batchItemKey(prefix, index), outcome, {
      contentType: 'application/pdf',
      metadata: { ...documentMetadata(acceptedItem(batch, index)), ...result },
      ifAbsent: true,
    });
    const made = { size: outcome.length, pages: 1, renderTimeMs: 12 };
    return { index, phase: 'Completed', ...made, ...warnings };
  }

  async #keepRecord(batch: Batch): Promise<void> {
    const record = batchRecordOf(batch);
    const { namespace = '', name } = batch.metadata;
    const key = recordKey(documentKeyOfId(namespace, name) ?? '');
    if (record) await this.#fixture.store.put(key, JSON.stringify(record));
  }
}
