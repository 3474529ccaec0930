import type { KubernetesObject, Template } from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { LRUCache } from 'lru-cache';

/** Memory limit of the cache, by the length of the specs in JSON. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/**
 * Reads the current version of templates from the server, at the cost of their metadata: a version, which uid and
 * generation name, never changes its spec, so a spec is read once.
 */
export class CurrentTemplates {
  readonly #client: Pick<ResourceClient<Template>, 'find'>;
  readonly #metadata: Pick<ResourceClient<KubernetesObject>, 'find'>;
  readonly #specs = new LRUCache<string, Template['spec']>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (spec) => JSON.stringify(spec).length,
  });

  constructor(
    client: Pick<ResourceClient<Template>, 'find'>,
    metadata: Pick<ResourceClient<KubernetesObject>, 'find'>,
  ) {
    this.#client = client;
    this.#metadata = metadata;
  }

  /** Returns a template without its status; undefined when it does not exist. */
  async find(account: string, name: string): Promise<Template | undefined> {
    const current = await this.#metadata.find(account, name);
    if (!current) return undefined;
    const spec = this.#specs.get(versionKey(current));
    return spec ? { ...current, spec } : this.#read(account, name);
  }

  async #read(account: string, name: string): Promise<Template | undefined> {
    const template = await this.#client.find(account, name);
    if (template) this.#specs.set(versionKey(template), template.spec);
    return template;
  }
}

function versionKey({ metadata: { uid, generation } }: Pick<Template, 'metadata'>): string {
  return `${uid}/${generation}`;
}
