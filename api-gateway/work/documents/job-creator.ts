import {
  dataKey,
  documentKeyOfId,
  GATEWAY_LABEL,
  GENERATION_JOB,
  INLINE_DATA_LIMIT,
  type GenerationJob,
  type GenerationJobSpec,
} from '@trifold/crds';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import type { Caller } from '../../server/auth/caller.ts';
import type { Admission, AdmittedWork } from '../admission/admission.ts';
import { documentCheck } from '../admission/template-data.ts';
import type { GenerateBody, Presentation } from './generate-body.ts';

export interface JobCreatorOptions {
  readonly kubernetes: KubernetesClient;
  readonly admission: Admission;
  /** Maximum size of the data in bytes, with the defaults of its schema. */
  readonly maxDataBytes: number;
  /** Label value of the gateway that waits for the jobs. */
  readonly gateway: string;
}

/** A document request whose body is valid. */
export interface DocumentRequest {
  readonly caller: Caller;
  readonly body: GenerateBody;
  readonly presentation: Presentation;
  /** Time that the caller waits for the document, milliseconds; undefined if it does not wait (`async`). */
  readonly waitMs: number | undefined;
  /** Cancels the checks when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A job that may be created. */
export interface AdmittedJob {
  readonly id: string;
  readonly work: AdmittedWork;
  /** Where its data is stored if it is large. */
  readonly dataKey: string;
  readonly presentation: Presentation;
  /** Whether this gateway waits for the job, which is then interactive. */
  readonly isAwaited: boolean;
}

/** Creates GenerationJobs from requests. A rejected request leaves nothing behind. */
export class JobCreator {
  readonly #options: JobCreatorOptions;
  readonly #jobs: ResourceClient<GenerationJob>;

  constructor(options: JobCreatorOptions) {
    this.#options = options;
    this.#jobs = options.kubernetes.resource<GenerationJob>(GENERATION_JOB);
  }

  /** Checks a request as `Admission.admit` does. `earlierId` is the id that an earlier attempt of the request got. */
  async admit(request: DocumentRequest, earlierId?: string): Promise<AdmittedJob> {
    const { caller, body, presentation, waitMs, signal } = request;
    const { admission, maxDataBytes } = this.#options;
    const id = earlierId ?? admission.newId('gen', caller.account);
    const key = dataKey(documentKeyOfId(caller.account, id) ?? id);
    const { template_id: templateId, version, options, format = 'pdf' } = body;
    const data = documentCheck(body.data, maxDataBytes);
    const work = await admission.admit(
      { caller, templateId, version, options, format, data, signal },
      { kind: GENERATION_JOB.kind, id, earlierData: earlierId && key },
    );
    return { id, work, dataKey: key, presentation, isAwaited: waitMs !== undefined };
  }

  /** Creates the job as `Admission.create` does. Rejects with KubernetesApiError, too. */
  async create({ id, work, dataKey: key, presentation, isAwaited }: AdmittedJob): Promise<GenerationJob> {
    const [json] = work.data;
    const isInline = json.byteLength <= INLINE_DATA_LIMIT;
    const spec: GenerationJobSpec = {
      ...work.spec,
      ...presentation,
      ...(isInline
        ? { data: JSON.parse(Buffer.from(json).toString()) as Record<string, unknown> }
        : { dataRef: { key, sha256: sha256Hex(json), size: json.byteLength } }),
    };
    const namespace = work.planned.account;
    const labels = isAwaited ? { labels: { [GATEWAY_LABEL]: this.#options.gateway } } : {};
    return this.#options.admission.create(work, isInline ? undefined : key, async () =>
      this.#jobs.createAsSent({ metadata: { name: id, namespace, ...labels }, spec }),
    );
  }
}
