import {
  DOCUMENT_LIFETIME_MS,
  newId,
  timeOfId,
  type BatchSpec,
  type DocumentFormat,
  type GenerationJobSpec,
  type RenderOptions,
} from '@trifold/crds';
import type { DataCheck, DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { Caller } from '../../server/auth/caller.ts';
import type { KeyCache } from '../../server/auth/key-cache.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import type { TemplateRepository } from '../../templates/template-repository.ts';
import { checkOptions } from '../../options/options-check.ts';
import type { ApiOptions } from '../../options/api-options.ts';
import type { PreparedTemplate, PreparedTemplates } from './prepared-templates.ts';
import { fillData, type FilledData } from './template-data.ts';
import type { WorkTemplate } from './work-template.ts';

/** Maximum number of concurrent uploads of one request to the object store. */
const PUTS_AT_ONCE = 8;

export interface AdmissionOptions {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly accounts: Pick<KeyCache, 'accountCreatedAt'>;
  readonly templates: TemplateRepository;
  readonly prepared: PreparedTemplates;
  readonly checker: TemplateChecker;
  readonly dataChecker: DataChecker;
}

/** A request for documents from one template, whose body is valid. */
export interface WorkRequest<Presentation extends { readonly format: DocumentFormat }> {
  readonly caller: Caller;
  readonly template: WorkTemplate;
  readonly options: ApiOptions | undefined;
  readonly data: DataCheck;
  /** How the work is shown: the members of its spec that follow from the body alone. */
  readonly presentation: Presentation;
  /** Time that the caller waits for the document, milliseconds; undefined if it does not wait. */
  readonly waitMs: number | undefined;
  /** Cancels the checks when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Work that may be created. */
export interface AdmittedWork {
  readonly id: string;
  readonly account: string;
  readonly template: PreparedTemplate;
  /** Time from which its lifetime counts. */
  readonly acceptedAt: Date;
  readonly data: FilledData;
  readonly spec: Pick<GenerationJobSpec & BatchSpec, CommonMember> & { readonly options?: RenderOptions };
}
type CommonMember = 'templateRef' | 'revision' | 'version' | 'mode' | 'keyId' | 'expiresAt';

/** What a request is made of, and the reference to it in the spec. */
interface SelectedTemplate extends Pick<GenerationJobSpec, 'templateRef'> {
  readonly template: PreparedTemplate;
}

/**
 * Another attempt of the request has stored data for a different template version. Data of this attempt would not fit
 * the resource of that one.
 */
export class DataConflictError extends ApiError {
  constructor() {
    const message = 'Another attempt of this request is in progress. Try again in a moment.';
    super('unavailable', message, { headers: { 'retry-after': '1' } });
  }
}

/**
 * Decides whether work may be created, and stores what its resource refers to.
 *
 * Data includes the defaults of one template version, and the resource names that version. When two attempts with the
 * same Idempotency-Key see different versions, the first one to store its data decides.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #revisions: RevisionStore;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#revisions = new RevisionStore(options.store);
  }

  /**
   * Returns an id for new work. Its time is not before that of the account, even if this clock is behind that of the API
   * server: older work belongs to a deleted account of the same name.
   */
  newId(prefix: 'gen' | 'bat', account: string): string {
    const { accounts, clock } = this.#options;
    const earliest = accounts.accountCreatedAt(account)?.getTime() ?? 0;
    return newId(prefix, new Date(Math.max(clock.now().getTime(), earliest)));
  }

  /**
   * Checks template, options and data, and writes nothing. Rejects with ApiError. The work counts as accepted at the time
   * of its id, and uses the template version of an earlier attempt that stored data at `earlierData`.
   */
  async admit(
    request: WorkRequest<{ readonly format: DocumentFormat }>,
    id: string,
    earlierData: string | undefined,
  ): Promise<AdmittedWork> {
    const { account, mode, keyId } = request.caller;
    const { clock, checker, dataChecker } = this.#options;
    const acceptedAt = timeOfId(id) ?? clock.now();
    const { template, ...reference } = await this.#select(request, earlierData, acceptedAt);
    const { content, sha256 } = template.revision;
    const { format } = request.presentation;
    const options = await checkOptions(request.options, content.defaultOptions, { checker, account, format });
    const data = await fillData(dataChecker, content, request.data, { account, signal: request.signal });
    const spec = {
      ...reference,
      revision: sha256,
      ...(template.version !== undefined && { version: template.version }),
      ...(options && { options }),
      mode,
      keyId,
      expiresAt: new Date(acceptedAt.getTime() + DOCUMENT_LIFETIME_MS).toISOString(),
    };
    return { id, account, template, acceptedAt, data, spec };
  }

  /**
   * Stores the template revision, then the data by object key; existing data stays. Data without a resource expires with
   * the documents of its time. Throws DataConflictError. Rejects with ObjectStoreError.
   */
  async store(
    { account, template, acceptedAt }: AdmittedWork,
    [first, ...others]: readonly (readonly [key: string, json: Uint8Array])[],
  ): Promise<void> {
    await this.#revisions.ensure(account, template.revision, acceptedAt);
    if (!first) return;
    await this.#putFirst(...first, template);
    await inParallel(others, PUTS_AT_ONCE, async ([key, json]) => {
      await this.#options.store.put(key, json, { contentType: 'application/json', ifAbsent: true });
    });
  }

  async #select(
    { caller: { account }, template: origin }: Pick<WorkRequest<never>, 'caller' | 'template'>,
    earlierData: string | undefined,
    acceptedAt: Date,
  ): Promise<SelectedTemplate> {
    const { templates, prepared } = this.#options;
    // Every sending of the request has the same content.
    if ('sent' in origin) return { template: await prepared.prepareInline(account, origin.sent) };
    const current = await templates.current(account, origin.saved);
    const selected = await prepared.select(account, current, origin.version);
    const earlier =
      earlierData === undefined ? undefined : await this.#templateOf(account, earlierData, acceptedAt);
    const template = earlier ?? selected;
    return { template, templateRef: { name: current.metadata.name } };
  }

  /** Returns the template version of data that an attempt stored; undefined if there is none. */
  async #templateOf(account: string, key: string, acceptedAt: Date): Promise<PreparedTemplate | undefined> {
    const info = await this.#options.store.head(key);
    const { revision: sha256, version } = info?.metadata ?? {};
    if (sha256 === undefined) return undefined;
    const revision = await this.#revisions.load(account, sha256, acceptedAt);
    return revision && { revision, version: Number(version) };
  }

  async #putFirst(key: string, json: Uint8Array, { revision, version }: PreparedTemplate): Promise<void> {
    const { store } = this.#options;
    const { created } = await store.put(key, json, {
      contentType: 'application/json',
      metadata: { revision: revision.sha256, ...(version !== undefined && { version: String(version) }) },
      ifAbsent: true,
    });
    if (created) return;
    const there = await store.head(key);
    // Data that is gone belonged to a document that has finished.
    if (there && there.metadata['revision'] !== revision.sha256) throw new DataConflictError();
  }
}
