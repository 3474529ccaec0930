import {
  dataKey,
  documentKeyOfId,
  DOCUMENT_LIFETIME_MS,
  GATEWAY_LABEL,
  GENERATION_JOB,
  INLINE_DATA_LIMIT,
  newId,
  timeOfId,
  type GenerationJob,
  type GenerationJobSpec,
} from '@trifold/crds';
import type { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import type { Caller } from '../../server/auth/caller.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import type { TemplateRepository } from '../../templates/template-repository.ts';
import type { EndpointUrls } from '../../webhooks/endpoint-urls.ts';
import { safeFilename } from './filename.ts';
import { filenameProblem, type GenerateBody } from './generate-body.ts';
import { FirstData } from '../admission/first-data.ts';
import type { JobQuota } from '../admission/job-quota.ts';
import { checkOptions } from '../admission/options-check.ts';
import { toRenderOptions } from '../admission/options.ts';
import { assertNotArchived, type PreparedTemplates } from '../admission/prepared-templates.ts';
import { fillDocumentData } from '../admission/template-data.ts';

export interface JobAcceptorOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly templates: TemplateRepository;
  readonly prepared: PreparedTemplates;
  readonly dataChecker: DataChecker;
  readonly checker: TemplateChecker;
  readonly jobQuota: Pick<JobQuota, 'assertRoom' | 'making'>;
  /** Maximum size of the data in bytes, with the defaults of its schema. */
  readonly maxDataBytes: number;
  /** Validates callback URLs. */
  readonly urls: Pick<EndpointUrls, 'check'>;
  /** Label value of the gateway that waits for the jobs. */
  readonly gateway: string;
}

/** A document request whose body has passed schema validation. */
export interface DocumentRequest {
  readonly caller: Caller;
  readonly body: GenerateBody;
  /** Cancels the checks when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A validated request whose job is not yet created. */
export interface AcceptedJob {
  readonly id: string;
  /**
   * Stores the data that the job refers to and then creates the resource. Rejects with ApiError `too_many_jobs` when
   * concurrent requests used up the quota, DataTaken, ObjectStoreError or KubernetesApiError. Data that was already
   * stored is collected with the documents of its time.
   */
  create(): Promise<GenerationJob>;
}

/** Creates GenerationJobs from requests. A rejected request gets an ApiError and leaves nothing behind. */
export class JobAcceptor {
  readonly #options: JobAcceptorOptions;
  readonly #jobs: ResourceClient<GenerationJob>;
  readonly #revisions: RevisionStore;
  readonly #data: FirstData;

  constructor(options: JobAcceptorOptions) {
    this.#options = options;
    this.#jobs = options.kubernetes.resource<GenerationJob>(GENERATION_JOB);
    this.#revisions = new RevisionStore(options.store);
    this.#data = new FirstData(options.store, options.prepared);
  }

  /**
   * Checks a request. `earlierId` is the id that an earlier attempt of the request got. The document then counts as
   * created at that time, and uses the template version of the earlier attempt if that attempt stored data.
   */
  async accept({ caller, body, signal }: DocumentRequest, earlierId?: string): Promise<AcceptedJob> {
    checkRequest(body);
    const callback = this.#callbackOf(body);
    const { account, mode, keyId } = caller;
    const { clock, jobQuota, templates, checker, dataChecker, maxDataBytes } = this.#options;
    const id = earlierId ?? newId('gen', clock.now());
    const work = { kind: GENERATION_JOB.kind, account, name: id, documents: 1 };
    jobQuota.assertRoom(work);
    const template = await templates.get(account, body.template_id);
    assertNotArchived(template);
    await checkOptions(body.options, template.spec.defaultOptions, { checker, account });
    const accepted = acceptedAt(id, clock);
    const key = dataKey(documentKeyOfId(account, id) ?? id);
    const used = await this.#data.versionFor(account, template, earlierId ? { key, accepted } : undefined);
    const wanted = { data: body.data, mostBytes: maxDataBytes };
    const turn = { account, signal };
    const json = await fillDocumentData(dataChecker, used.revision.content, wanted, turn);
    const { kept, large } = dataOf(json, key);
    const spec: GenerationJobSpec = {
      templateRef: { name: template.metadata.name },
      revision: used.revision.sha256,
      version: used.version,
      ...kept,
      format: body.format ?? 'pdf',
      ...requestedPresentation(body),
      ...callback,
      mode,
      keyId,
      expiresAt: new Date(accepted.getTime() + DOCUMENT_LIFETIME_MS).toISOString(),
    };
    const create = async () => {
      await this.#revisions.ensure(account, used.revision, accepted);
      if (large) await this.#data.put(key, large, used);
      const labels = { [GATEWAY_LABEL]: this.#options.gateway };
      return this.#jobs.create({ metadata: { name: id, namespace: account, labels }, spec });
    };
    return { id, create: async () => jobQuota.making(work, create) };
  }

  #callbackOf({ webhook_url: url }: GenerateBody): Pick<GenerationJobSpec, 'callbackURL'> {
    return url === undefined ? {} : { callbackURL: this.#options.urls.check(url, '/webhook_url') };
  }
}

/** Small data is inlined in the resource; larger data is stored next to the future file. */
function dataOf(
  json: Uint8Array,
  key: string,
): { kept: Pick<GenerationJobSpec, 'data' | 'dataRef'>; large?: Uint8Array } {
  if (json.byteLength <= INLINE_DATA_LIMIT) {
    return { kept: { data: JSON.parse(Buffer.from(json).toString()) as Record<string, unknown> } };
  }
  return { kept: { dataRef: { key, sha256: sha256Hex(json), size: json.byteLength } }, large: json };
}

function acceptedAt(id: string, clock: Clock): Date {
  return timeOfId(id) ?? clock.now();
}

function checkRequest(body: GenerateBody): void {
  const problem = filenameProblem(body);
  if (problem) {
    const message = `${problem.path} ${problem.message}`;
    throw new ApiError('invalid_request', message, { details: [problem] });
  }
}

function requestedPresentation(body: GenerateBody): Pick<GenerationJobSpec, 'options' | 'filename'> {
  const filename = body.filename === undefined ? undefined : safeFilename(body.filename, body.format);
  return {
    ...(body.options && { options: toRenderOptions(body.options, '/options') }),
    ...(filename !== undefined && { filename }),
  };
}
