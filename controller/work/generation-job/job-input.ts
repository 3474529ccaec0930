import { setTimeout as wait } from 'node:timers/promises';
import { dataKey, documentKeyOf, documentKeyOfId, revisionTimeOf, type GenerationJob } from '@trifold/crds';
import type { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { yieldForLarge } from '@trifold/platform/request-body/yield-for-large.ts';
import { RawJson, LARGE_JSON, type RequestData } from '@trifold/platform/request-body/raw-json.ts';
import { parseObject } from '@trifold/platform/templating/checking/check-data.ts';
import { nestsTooDeep } from '@trifold/platform/request-body/json-size.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { inlineJson } from '@trifold/platform/records/documents/inline-data.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import type { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import { WorkError } from '../work-error.ts';
import { checkedData, dataTooDeep } from './checked-data.ts';
import { jobEInvoice, storableEInvoice, storeEInvoice } from './job-e-invoice.ts';

type Data = Record<string, unknown>;
type DataRef = NonNullable<GenerationJob['spec']['dataRef']>;

export interface JobInputDependencies {
  readonly store: ObjectStore;
  readonly revisions: RevisionStore;
  readonly dataChecker: DataChecker;
  readonly jobs: Pick<ResourceClient<GenerationJob>, 'getText'>;
}

/**
 * Keeps job data where renderers look for it: always at the key derived from the job's own name and account. A key in a
 * resource is compared but never followed: otherwise one account could read another's data.
 */
export class JobInput {
  readonly #d: JobInputDependencies;

  constructor(dependencies: JobInputDependencies) {
    this.#d = dependencies;
  }

  /**
   * Stores the data where the renderer looks for it. Throws WorkError if there is none. Idempotent; required only
   * before the first dispatch.
   */
  async storeData(job: GenerationJob, signal?: AbortSignal): Promise<void> {
    if (isCheckedHere(job)) return this.#storeWithDefaults(job, signal);
    // Other jobs that name a revision come from the gateway, which has applied the revision's schema.
    const { data, dataRef } = job.spec;
    if (data !== undefined) return this.#put(job, data);
    if (dataRef && dataRef.key === lateKey(job)) return this.#move(job, dataRef);
    const info = await this.#d.store.head(inputKey(job));
    if (!info) throw missing('the object store does not have the data for this job');
    if (info.size !== dataRef?.size) throw missing('the stored data does not match dataRef');
  }

  /** Returns the data as provided by the job's creator. Throws WorkError. */
  async read(job: GenerationJob): Promise<RequestData> {
    const { data, dataRef } = job.spec;
    if (data !== undefined) return this.#copyOf(job);
    const key = inputKey(job);
    if (dataRef?.key !== key) throw missing(`dataRef.key for this job must be ${key}`);
    const body = await this.#readPlaced(job);
    if (sha256Hex(body) !== dataRef.sha256) throw missing('the stored data does not match dataRef');
    return dataOf(body);
  }

  /**
   * Stores the data and the e-invoice of a job whose revision the controller pinned. The checksum in dataRef was
   * compared before pinning and is not compared again: if a process crashed between this step and the dispatch, the
   * stored data may already include the defaults.
   */
  async #storeWithDefaults(job: GenerationJob, signal: AbortSignal | undefined): Promise<void> {
    const { namespace = 'default' } = job.metadata;
    const revision = job.status?.revision ?? '';
    const loaded = await this.#d.revisions.load(namespace, revision, revisionTimeOf(job));
    if (!loaded) throw new WorkError('revision_missing', `the object store has no revision ${revision}`);
    const { schema } = loaded.content;
    const eInvoice = jobEInvoice(job, loaded.content);
    const { data: inline } = job.spec;
    const data = inline === undefined ? dataOf(await this.#readPlaced(job)) : await this.#copyOf(job);
    const checked = await checkedData(this.#d.dataChecker, job, { schema, eInvoice, data }, signal);
    await this.#d.store.put(inputKey(job), checked.json, { contentType: 'application/json' });
    const storable = storableEInvoice(job, eInvoice, checked);
    if (storable) await storeEInvoice(this.#d.store, storable);
  }

  /** Copies the data of a job that was created late to its own key; the collector deletes the original. */
  async #move(job: GenerationJob, dataRef: DataRef): Promise<void> {
    const body = await this.#d.store.read(dataRef.key);
    if (!body || sha256Hex(body) !== dataRef.sha256) throw missing('the stored data does not match dataRef');
    await this.#d.store.put(inputKey(job), body, { contentType: 'application/json' });
  }

  /** Reads the data next to the document. Throws WorkError. */
  async #readPlaced(job: GenerationJob): Promise<Buffer> {
    const key = inputKey(job);
    const body = await this.#d.store.read(key);
    if (!body) throw missing(`the object store has no object ${key}`);
    return body;
  }

  /** Returns a modifiable copy of a resource's data. */
  async #copyOf(job: GenerationJob): Promise<RequestData> {
    // Large data was just traversed, so other work goes first.
    await wait(1);
    const json = await inlineJson(this.#d.jobs, job);
    if (json === undefined) throw missing('another job has the same name');
    const body = Buffer.from(json);
    await yieldForLarge(body);
    return dataOf(body);
  }

  async #put(job: GenerationJob, data: Data): Promise<void> {
    await this.#d.store.put(inputKey(job), JSON.stringify(data), { contentType: 'application/json' });
  }
}

/**
 * Returns a job's data as JSON if a task can carry it: small, inline in the resource, and final, because the gateway
 * applied the schema of the named revision. Undefined for any other job, whose data goes through the store.
 */
export function carriedData(job: GenerationJob, maxBytes: number): string | undefined {
  const { data } = job.spec;
  if (maxBytes === 0 || data === undefined || isCheckedHere(job)) return undefined;
  const json = JSON.stringify(data);
  return Buffer.byteLength(json) <= maxBytes ? json : undefined;
}

/** Whether the controller, not the gateway, applies the schema to the data and creates the e-invoice. */
function isCheckedHere({ spec, status }: GenerationJob): boolean {
  return spec.revision === undefined || status?.attachmentsRef !== undefined;
}

/**
 * Throws WorkError if data in the resource is nested so deeply that copying or comparing it could exhaust the stack.
 */
export function rejectDeepData({ spec }: GenerationJob): void {
  if (nestsTooDeep(spec.data)) throw dataTooDeep();
}

export function inputKey(job: GenerationJob): string {
  return dataKey(documentKeyOf(job));
}

/**
 * Returns the key at which the gateway stored the data of a job whose ID it generated long before creating the job (a
 * request with an Idempotency-Key, repeated after a crash). Derived from the job's own name and account; undefined for
 * a job created in time.
 */
function lateKey(job: GenerationJob): string | undefined {
  const { namespace = 'default', name } = job.metadata;
  const document = documentKeyOfId(namespace, name);
  return document === undefined || document === documentKeyOf(job) ? undefined : dataKey(document);
}

function missing(message: string): WorkError {
  return new WorkError('data_missing', message);
}

/** Throws an error with a separate message, because the parser's message would quote the data. */
function dataOf(body: Buffer): RequestData {
  if (body.byteLength > LARGE_JSON) return new RawJson(body);
  const object = parseObject(body);
  if (!object) throw new WorkError('data_invalid', 'the data is not a JSON object');
  if (nestsTooDeep(object.data)) throw dataTooDeep();
  return object.longIntegers.length > 0 ? new RawJson(body) : object.data;
}
