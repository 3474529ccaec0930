import {
  DOCUMENT_LIFETIME_MS,
  newId,
  timeOfId,
  type BatchSpec,
  type DocumentFormat,
  type GenerationJobSpec,
  type KubernetesObject,
  type RenderOptions,
} from '@trifold/crds';
import type { DataCheck, DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { Caller } from '../../server/auth/caller.ts';
import type { KeyCache } from '../../server/auth/key-cache.ts';
import type { StorageQuota } from '../../server/quota/storage-quota.ts';
import { selectVersion } from '../../templates/published-version.ts';
import type { TemplateRepository } from '../../templates/template-repository.ts';
import { FirstData } from './first-data.ts';
import type { JobQuota, PlannedWork } from './job-quota.ts';
import { checkOptions } from './options-check.ts';
import type { ApiOptions } from './options.ts';
import { assertNotArchived, type PreparedTemplate, type PreparedTemplates } from './prepared-templates.ts';
import { fillData, type FilledData } from './template-data.ts';

export interface AdmissionOptions {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly accounts: Pick<KeyCache, 'accountCreatedAt'>;
  readonly jobQuota: Pick<JobQuota, 'assertQuota' | 'withQuota'>;
  readonly storageQuota: Pick<StorageQuota, 'assertRoom'>;
  readonly templates: TemplateRepository;
  readonly prepared: PreparedTemplates;
  readonly checker: TemplateChecker;
  readonly dataChecker: DataChecker;
}

/** A request for documents from one template. */
export interface WorkRequest {
  readonly caller: Caller;
  readonly templateId: string;
  /** @default the published version, or else the current one */
  readonly version: number | undefined;
  readonly options: ApiOptions | undefined;
  readonly format: DocumentFormat;
  readonly data: DataCheck;
  /** Cancels the checks when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The resource that a request creates. */
export interface NewWork {
  readonly kind: string;
  readonly id: string;
  /** Object key under which an earlier attempt of the same request may have stored its first data. */
  readonly earlierData: string | undefined;
}

/** Work that may be created. */
export interface AdmittedWork {
  readonly planned: PlannedWork;
  readonly template: PreparedTemplate;
  /** Time from which its lifetime counts. */
  readonly acceptedAt: Date;
  readonly data: FilledData;
  readonly spec: Pick<GenerationJobSpec & BatchSpec, CommonMember> & { readonly options?: RenderOptions };
}
type CommonMember = 'templateRef' | 'revision' | 'version' | 'mode' | 'keyId' | 'expiresAt';

/** Decides whether work may be created, and stores what its resource refers to. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #revisions: RevisionStore;
  readonly #firstData: FirstData;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#revisions = new RevisionStore(options.store);
    this.#firstData = new FirstData(options.store);
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
   * Checks quotas, template, options and data, and writes nothing. Rejects with ApiError. The work counts as accepted at
   * the time of its id, and uses the template version of an earlier attempt that stored data.
   */
  async admit(request: WorkRequest, { kind, id, earlierData }: NewWork): Promise<AdmittedWork> {
    const { account, mode, keyId } = request.caller;
    const { clock, jobQuota, storageQuota, templates, prepared, checker, dataChecker } = this.#options;
    const planned = { kind, account, name: id, documents: request.data.items.length };
    storageQuota.assertRoom(account);
    jobQuota.assertQuota(planned);
    const current = await templates.current(account, request.templateId);
    assertNotArchived(current);
    const former = await selectVersion(this.#options, account, current, request.version);
    const defaults = (former?.revision.content ?? current.spec).defaultOptions;
    const options = await checkOptions(request.options, defaults, {
      checker,
      account,
      format: request.format,
    });
    const acceptedAt = timeOfId(id) ?? clock.now();
    const earlier =
      earlierData === undefined
        ? undefined
        : await this.#firstData.templateOf(account, earlierData, acceptedAt);
    const template = earlier ?? former ?? (await prepared.prepare(account, current));
    const { content, sha256 } = template.revision;
    const data = await fillData(dataChecker, content, request.data, { account, signal: request.signal });
    const spec = {
      templateRef: { name: current.metadata.name },
      revision: sha256,
      version: template.version,
      ...(options && { options }),
      mode,
      keyId,
      expiresAt: new Date(acceptedAt.getTime() + DOCUMENT_LIFETIME_MS).toISOString(),
    };
    return { planned, template, acceptedAt, data, spec };
  }

  /**
   * Reserves quota, stores the template revision and the first data (at `firstKey`, unless the resource holds it), then
   * creates the resource. Rejects with ApiError `too_many_jobs` when concurrent requests used up the quota, DataTaken,
   * ObjectStoreError, or the error of `create`. Stored data without a resource expires with the documents of its time.
   */
  async create<T extends KubernetesObject>(
    { planned, template, acceptedAt, data: [first] }: AdmittedWork,
    firstKey: string | undefined,
    create: () => Promise<T>,
  ): Promise<T> {
    return this.#options.jobQuota.withQuota(planned, async () => {
      await this.#revisions.ensure(planned.account, template.revision, acceptedAt);
      if (firstKey !== undefined) await this.#firstData.put(firstKey, first, template);
      return create();
    });
  }
}
