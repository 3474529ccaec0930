import { randomUUID } from 'node:crypto';
import type { Condition, KindName, Resource } from '@trifold/crds';
import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import {
  inventKeys,
  removeDirectory,
  ServiceProcess,
  temporaryDirectory,
  withConstants,
} from '../support/service.ts';
import { StallProbe } from './stall-probe.ts';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Kind of the API key. @default 'live' */
  readonly key?: 'live' | 'test';
  /** Error status that the string may cause, although it usually means that the string was never read. */
  readonly expected?: number;
}

/** An object applied with kubectl. */
interface AppliedObject {
  readonly kind: KindName;
  readonly spec: object;
}

export type HostileRequest = HttpRequest | AppliedObject;

/** Number of times that the template `repeated` contains the string. */
export const REPETITIONS = 32;

/** The string from one request is too short for the longest header. */
const COUNTING = { enabled: true, content: `{{page}}${'{{{text}}}'.repeat(4)}` };

/** The service's templates; each uses the data's `text` property in a different position. */
const TEMPLATES = {
  body: { html: '<!doctype html><html><head><title>T</title></head><body><p>{{text}}</p></body></html>' },
  head: { html: '<html><head><meta name="subject" content="{{text}}"></head><body><p>T</p></body></html>' },
  attribute: { html: '<p title="{{text}}">T</p>' },
  unescaped: { html: '{{{text}}}' },
  repeated: {
    html: `<!doctype html><p>T</p><script type="text/plain">${'{{{text}}}'.repeat(REPETITIONS)}</script>`,
  },
  repeatedAttribute: { html: `<p title='${'{{{text}}}'.repeat(REPETITIONS)}'>T</p>` },
  beforeDoctype: { html: '{{{text}}}<!doctype html><html><head></head><body><p>T</p></body></html>' },
  header: {
    html: '<p>T</p>',
    default_options: { header: { enabled: true, content: '{{{text}}}' }, margins: '1in' },
  },
  counting: {
    html: '<p>T</p>',
    default_options: { header: COUNTING, footer: COUNTING, margins: '1in' },
  },
  patched: { html: '<p>T</p>' },
  pattern: withField({ name: 'text', type: 'string', pattern: '([a-z]{1,30}){30}[0-9]' }),
  email: withField({ name: 'text', type: 'string', format: 'email' }),
  url: withField({ name: 'text', type: 'string', format: 'url' }),
  defaults: withField({
    name: 'a',
    type: 'array',
    items: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 50 }, (_, number) => [`m${number}`, { type: 'string', default: '' }]),
      ),
    },
  }),
};

function withField(field: Record<string, unknown>) {
  return { html: '<p>T</p>', schema: { fields: [field] } };
}

/** IDs of these templates. */
export type Templates = Readonly<Record<keyof typeof TEMPLATES, string>>;

/** Short limits, because work in a browser or in a child process is not measured. */
const ENVIRONMENT = {
  TRIFOLD_RENDER_DEADLINE: '8s',
  TRIFOLD_RENDER_ATTEMPTS: '1',
  TRIFOLD_LOG_LEVEL: 'silent',
};

/** Time after which a request has failed and the service is killed, in milliseconds. */
const MAX_REQUEST_MS = 20_000;

/** Statuses that mean the string was not read: a size limit, a missing route or a missing template. */
const NOT_LOOKED_AT: readonly number[] = [404, 405, 411, 413, 415, 429, 431, 500, 502, 503];

/** A separate standalone service whose main thread is measured. */
export class ServiceUnderProbe {
  readonly #service: ServiceProcess;
  readonly #probe: StallProbe;
  readonly #templates: Templates;

  private constructor(service: ServiceProcess, templates: Templates) {
    this.#service = service;
    this.#probe = new StallProbe(service);
    this.#templates = templates;
  }

  static async start(): Promise<ServiceUnderProbe> {
    const service = new ServiceProcess({
      data: await temporaryDirectory(),
      keys: inventKeys(),
      environment: ENVIRONMENT,
      command: withConstants(
        { mergeTimeoutMs: 2_000, usageIntervalMs: 500 },
        'test/hostile-stalls/probed-service.ts',
      ),
    });
    await service.ready();
    const created = Object.entries(TEMPLATES).map(
      async ([name, template]) => [name, (await service.live.createTemplate(template)).id] as const,
    );
    const templates = Object.fromEntries(await Promise.all(created)) as unknown as Templates;
    return new ServiceUnderProbe(service, templates);
  }

  get templates(): Templates {
    return this.#templates;
  }

  /** Returns the time that JSON.parse of the string takes on the service's main thread, in milliseconds. */
  async parseTime(text: string): Promise<number> {
    return this.#probe.parseTime(text);
  }

  /**
   * Returns the longest stall, in milliseconds, from the request to the end of all work that it starts; without a
   * request, the longest stall of an idle service. Rejects if there is no response within 20 s, or if the response
   * shows that the string was not read.
   */
  async longestStall(request?: HostileRequest): Promise<number> {
    await this.#probe.begin();
    if (request && 'kind' in request) await this.#apply(request);
    else if (request) await this.#send(request, AbortSignal.timeout(MAX_REQUEST_MS));
    return this.#probe.longestStall();
  }

  async kill(): Promise<void> {
    await this.#service.kill();
    await removeDirectory(this.#service.data);
  }

  async #send(
    { method, path, key = 'live', expected, ...options }: HttpRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const api = this.#service[key];
    const response = await api.send(method, path, { ...options, signal });
    if (NOT_LOOKED_AT.includes(response.status) && response.status !== expected) {
      throw new Error(`${method} ${path.slice(0, 100)}: ${response.status} ${response.text.slice(0, 500)}`);
    }
    if (response.status === 202) await finished(api, response.json<Accepted>(), signal);
  }

  async #apply({ kind, spec }: AppliedObject): Promise<void> {
    const objects = this.#service.kubernetes.builtin<Applied>(kind);
    const metadata = { namespace: 'default', name: `hostile-${randomUUID()}` };
    await objects.create({ metadata, spec });
    const look = async () => isFinal(await objects.get(metadata.namespace, metadata.name));
    await eventually(look, { timeoutMs: MAX_REQUEST_MS });
  }
}

interface Accepted {
  readonly status_url: string;
}

/** Waits until a document or a batch finishes. */
async function finished(api: Api, { status_url }: Accepted, signal: AbortSignal): Promise<void> {
  const look = async () => {
    const { status } = (await api.send('GET', status_url, { signal })).json<{ status: string }>();
    return status === 'completed' || status === 'failed';
  };
  await eventually(look, { timeoutMs: MAX_REQUEST_MS });
}

type Applied = Resource<object, { conditions?: Condition[] }>;

/** Whether the controller has processed the object. */
function isFinal({ status }: Applied): boolean {
  const conditions = status?.conditions ?? [];
  return conditions.some(
    (one) => one.type === 'Ready' || (['Complete', 'Failed'].includes(one.type) && one.status === 'True'),
  );
}
