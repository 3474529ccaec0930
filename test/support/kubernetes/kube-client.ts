import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { HttpsClient } from '../http/https-client.ts';

interface Kubeconfig {
  'current-context': string;
  contexts: { name: string; context: { cluster: string; user: string; namespace?: string } }[];
  clusters: { name: string; cluster: { server: string; 'certificate-authority-data': string } }[];
  users: { name: string; user: { token: string } }[];
}

export interface KubeObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string; readonly generation?: number };
  readonly spec: Record<string, unknown>;
  readonly status?: {
    readonly phase?: string;
    readonly error?: { code: string; message: string };
    readonly conditions?: readonly { type: string; status: string; reason: string; message: string }[];
  };
}

/** Does what kubectl does with a kubeconfig, for this service's kinds in one namespace. */
export class KubeClient {
  readonly #client: HttpsClient;
  readonly #namespace: string;

  private constructor(client: HttpsClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  static async fromFile(file: string): Promise<KubeClient> {
    const config = parse(await readFile(file, 'utf8')) as Kubeconfig;
    const context = config.contexts.find(({ name }) => name === config['current-context'])?.context;
    const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster;
    const user = config.users.find(({ name }) => name === context?.user)?.user;
    if (!context || !cluster || !user) throw new Error(`${file} has no usable context`);
    const caCertificate = Buffer.from(cluster['certificate-authority-data'], 'base64').toString();
    const client = new HttpsClient({ url: cluster.server, token: user.token, caCertificate });
    return new KubeClient(client, context.namespace ?? 'default');
  }

  async create(plural: string, object: Record<string, unknown>): Promise<KubeObject> {
    const body = JSON.stringify({ apiVersion: 'trifold.dev/v1alpha1', ...object });
    return this.#json('POST', plural, body);
  }

  async get(plural: string, name: string): Promise<KubeObject> {
    return this.#json('GET', `${plural}/${name}`);
  }

  /** Applies a merge patch; `path` is a name, or a name and `/status`. */
  async patch(plural: string, path: string, change: object): Promise<KubeObject> {
    const type = 'application/merge-patch+json';
    return this.#json('PATCH', `${plural}/${path}`, JSON.stringify(change), type);
  }

  async list(plural: string): Promise<KubeObject[]> {
    const list = (await this.#json('GET', plural)) as unknown as { items: KubeObject[] };
    return list.items;
  }

  async delete(plural: string, name: string): Promise<void> {
    await this.#json('DELETE', `${plural}/${name}`);
  }

  close(): void {
    this.#client.close();
  }

  async #json(method: string, path: string, body?: string, type = 'application/json'): Promise<KubeObject> {
    const answer = await this.#client.json({
      method,
      path: `/apis/trifold.dev/v1alpha1/namespaces/${this.#namespace}/${path}`,
      headers: { 'content-type': type, accept: 'application/json' },
      body,
    });
    return answer as KubeObject;
  }
}

/** Whether the condition of that type is True. */
export function hasCondition(object: KubeObject, type: string): boolean {
  return object.status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
}
