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
import type { Clock } from '@trifold/platform/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { sha256Hex } from '@trifold/platform/templates/canonical-json.ts';
import { RevisionStore } from '@trifold/platform/templates/revision.ts';
import type { Caller } from '../authentication/caller.ts';
import { ApiError } from '../errors/api-error.ts';
import type { TemplateRepository } from '../templates/template-repository.ts';
import type { EndpointUrls } from '../webhooks/endpoint-urls.ts';
import { safeFilename } from './filename.ts';
import { jsonOfFilled } from './filled-data.ts';
import { filenameProblem, type GenerateBody } from './generate-body.ts';
import type { LiveJobs } from './live-jobs.ts';
import { checkOptions } from './options-check.ts';
import { toRenderOptions } from './options.ts';
import { applySchema, assertNotArchived, type PreparedTemplates } from './prepared-templates.ts';

export interface JobAcceptorOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly templates: TemplateRepository;
  readonly prepared: PreparedTemplates;
  readonly liveJobs: Pick<LiveJobs, 'assertRoom' | 'making'>;
  /** Bytes that the data may have, with the defaults of its schema. */
  readonly maxDataBytes: number;
  /** Judges callbacks. */
  readonly urls: Pick<EndpointUrls, 'check'>;
  /** Label value of the gateway that waits for the jobs. */
  readonly gateway: string;
}

/** A request that was checked: only writing is left. */
export interface AcceptedJob {
  readonly id: string;
  /**
   * Creates the resource. Rejects with ApiError `too_many_jobs` when others took the room meanwhile, or
   * KubernetesApiError.
   */
  create(): Promise<GenerationJob>;
}

/** Turns generation requests into GenerationJobs. Every refusal is an ApiError; nothing is left behind then. */
export class JobAcceptor {
  readonly #options: JobAcceptorOptions;
  readonly #jobs: ResourceClient<GenerationJob>;
  readonly #revisions: RevisionStore;

  constructor(options: JobAcceptorOptions) {
    this.#options = options;
    this.#jobs = options.kubernetes.resource<GenerationJob>(GENERATION_JOB);
    this.#revisions = new RevisionStore(options.store);
  }

  /**
   * Checks a request whose shape is right, and puts what the job refers to into the object store. With an id that was
   * given to the request before, the document is that old already.
   */
  async accept(
    caller: Caller,
    body: GenerateBody,
    id = newId('gen', this.#options.clock.now()),
  ): Promise<AcceptedJob> {
    checkRequest(body);
    const callback = this.#callbackOf(body);
    const work = { kind: GENERATION_JOB.kind, account: caller.account, name: id, documents: 1 };
    this.#options.liveJobs.assertRoom(work);
    const template = await this.#options.templates.get(caller.account, body.template_id);
    assertNotArchived(template);
    checkOptions(body.options, template.spec.defaultOptions);
    const prepared = await this.#options.prepared.prepare(caller.account, template);
    applySchema(prepared, body.data);
    await this.#revisions.ensure(caller.account, prepared.revision, acceptedAt(id, this.#options.clock));
    const spec: GenerationJobSpec = {
      templateRef: { name: template.metadata.name },
      revision: prepared.revision.sha256,
      version: template.metadata.generation,
      ...(await this.#keepData(caller.account, id, body.data)),
      format: body.format ?? 'pdf',
      ...requestedPresentation(body),
      ...callback,
      mode: caller.mode,
      keyId: caller.keyId,
      expiresAt: expiryOf(id, this.#options.clock).toISOString(),
    };
    const metadata = {
      name: id,
      namespace: caller.account,
      labels: { [GATEWAY_LABEL]: this.#options.gateway },
    };
    return {
      id,
      create: async () =>
        this.#options.liveJobs.making(work, async () => this.#jobs.create({ metadata, spec })),
    };
  }

  #callbackOf({ webhook_url: url }: GenerateBody): Pick<GenerationJobSpec, 'callbackURL'> {
    return url === undefined ? {} : { callbackURL: this.#options.urls.check(url, '/webhook_url') };
  }

  /** Small data travels in the resource; the rest is put beside where the file will be. */
  async #keepData(
    account: string,
    id: string,
    data: Record<string, unknown>,
  ): Promise<Pick<GenerationJobSpec, 'data' | 'dataRef'>> {
    const json = jsonOfFilled(data, this.#options.maxDataBytes);
    if (json.byteLength <= INLINE_DATA_LIMIT) return { data };
    const key = dataKey(documentKeyOfId(account, id) ?? id);
    await this.#options.store.put(key, json, { contentType: 'application/json' });
    return { dataRef: { key, sha256: sha256Hex(json), size: json.byteLength } };
  }
}

function acceptedAt(id: string, clock: Clock): Date {
  return timeOfId(id) ?? clock.now();
}

function expiryOf(id: string, clock: Clock): Date {
  return new Date(acceptedAt(id, clock).getTime() + DOCUMENT_LIFETIME_MS);
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
