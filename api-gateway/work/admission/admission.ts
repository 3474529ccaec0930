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
import type { SuppliedEInvoice } from '@trifold/platform/templating/checking/supplied-e-invoice.ts';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { Caller } from '../../server/auth/caller.ts';
import type { KeyCache } from '../../server/auth/key-cache.ts';
import type { ClaimedWork } from '../../server/idempotency/request-records.ts';
import type { PreparedTemplate, PreparedTemplates } from '../../templates/prepared-templates.ts';
import { checkOptions } from '../../options/options-check.ts';
import type { ApiOptions } from '../../options/api-options.ts';
import { checkData, type FilledData } from '../../templates/data-check.ts';
import { assertAttachable, type PackedRequestAttachments } from './request-attachments.ts';
import { documentEInvoices, withEInvoices } from './request-e-invoices.ts';
import type { WorkTemplate } from './work-template.ts';

/** Maximum concurrent uploads to the object store per request. */
const PUTS_AT_ONCE = 8;

export interface AdmissionOptions {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly accounts: Pick<KeyCache, 'accountCreatedAt'>;
  readonly prepared: PreparedTemplates;
  readonly checker: TemplateChecker;
  readonly dataChecker: DataChecker;
}

/** A request, with a valid body, for documents from one template. */
export interface WorkRequest<Presentation extends { readonly format: DocumentFormat }> {
  readonly caller: Caller;
  /** ID of the request, for its log entries and the work's record. */
  readonly requestId: string;
  readonly template: WorkTemplate;
  readonly options: ApiOptions | undefined;
  readonly data: DataCheck;
  readonly attachments: PackedRequestAttachments;
  /** The e-invoice in the request; only for a single document. */
  readonly eInvoice?: SuppliedEInvoice | undefined;
  /** Counts bytes that the request holds in addition to its body. Throws ApiError beyond the key's limit. */
  readonly hold: (bytes: number) => void;
  /** The fields of the work's spec that depend only on the body. */
  readonly presentation: Presentation;
  /** Time that the caller waits for the document, in milliseconds; undefined if it does not wait. */
  readonly waitMs: number | undefined;
  /** Cancels the checks when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Work that has been admitted. */
export interface AdmittedWork {
  readonly id: string;
  readonly account: string;
  readonly template: PreparedTemplate;
  /** Time at which the lifetime of the work starts. */
  readonly acceptedAt: Date;
  readonly data: FilledData;
  /** The request's attachments and the e-invoices. */
  readonly attachments: PackedRequestAttachments;
  readonly spec: Pick<GenerationJobSpec & BatchSpec, CommonMember> & { readonly options?: RenderOptions };
}
type CommonMember = 'templateRef' | 'revision' | 'version' | 'mode' | 'keyId' | 'requestId' | 'expiresAt';

/** An object to store. @default JSON */
export type InputObject = readonly [key: string, bytes: Uint8Array, contentType?: string];

/** Decides whether work may be created, and stores what its resource refers to. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #revisions: RevisionStore;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#revisions = new RevisionStore(options.store);
  }

  /**
   * Returns an ID for new work. The ID's time is never before the account's creation, even if this clock is behind the
   * API server's: older work belongs to a deleted account with the same name.
   */
  newId(prefix: 'gen' | 'bat', account: string): string {
    const { accounts, clock } = this.#options;
    const earliest = accounts.accountCreatedAt(account)?.getTime() ?? 0;
    return newId(prefix, new Date(Math.max(clock.now().getTime(), earliest)));
  }

  /**
   * Checks the template, options and data; writes nothing. Rejects with ApiError. The work counts as accepted at the
   * time of its ID, and uses the template version that an earlier attempt of the request claimed.
   */
  async admit(
    request: WorkRequest<{ readonly format: DocumentFormat }>,
    id: string,
    earlier: ClaimedWork | undefined,
  ): Promise<AdmittedWork> {
    const { account, mode, keyId } = request.caller;
    const { clock, checker, dataChecker } = this.#options;
    const acceptedAt = timeOfId(id) ?? clock.now();
    const template = await this.#select(request, earlier, acceptedAt);
    const { content, sha256 } = template.revision;
    const { format } = request.presentation;
    const options = await checkOptions(request.options, content.defaultOptions, { checker, account, format });
    assertAttachable(request.attachments, options?.conformance ?? content.defaultOptions?.conformance);
    const wanted = { format, options, test: mode === 'test' };
    const eInvoice = documentEInvoices(request.eInvoice, content, wanted);
    const rules = { schema: content.schema, eInvoice };
    const turn = { account, signal: request.signal };
    const { data, eInvoices } = await checkData(dataChecker, rules, request.data, turn);
    const attachments =
      eInvoice && eInvoices ? await withEInvoices(request, eInvoice, eInvoices) : request.attachments;
    const spec = {
      ...('saved' in request.template && { templateRef: { name: request.template.saved } }),
      revision: sha256,
      ...(template.version !== undefined && { version: template.version }),
      ...(options && { options }),
      mode,
      keyId,
      requestId: request.requestId,
      expiresAt: new Date(acceptedAt.getTime() + DOCUMENT_LIFETIME_MS).toISOString(),
    };
    return { id, account, template, acceptedAt, data, attachments, spec };
  }

  /** Stores the template revision. Rejects with ObjectStoreError. */
  async storeRevision({ account, template, acceptedAt }: AdmittedWork): Promise<void> {
    await this.#revisions.ensure(account, template.revision, acceptedAt);
  }

  /**
   * Stores objects; existing ones are kept. An object without a resource expires together with documents from the same
   * time. Rejects with ObjectStoreError.
   */
  async storeInput(objects: readonly InputObject[]): Promise<void> {
    await inParallel(objects, PUTS_AT_ONCE, async ([key, bytes, contentType = 'application/json']) => {
      await this.#options.store.put(key, bytes, { contentType, ifAbsent: true });
    });
  }

  async #select(
    { caller, template }: Pick<WorkRequest<never>, 'caller' | 'template'>,
    earlier: ClaimedWork | undefined,
    acceptedAt: Date,
  ): Promise<PreparedTemplate> {
    const { prepared } = this.#options;
    const { account } = caller;
    // Every attempt of the request contains the same template.
    if ('sent' in template) return prepared.prepareInline(account, template.sent);
    const { version } = earlier ?? {};
    const revision = earlier && (await this.#revisions.load(account, earlier.revision, acceptedAt));
    if (revision) return { revision, ...(version !== undefined && { version }) };
    return prepared.select(caller, template.saved, template.version);
  }
}
