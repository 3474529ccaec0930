import { REPLACES_ANNOTATION, WEBHOOK_SECRET_KEY, WEBHOOK_SECRET_TYPE, type Secret } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';

const MOST_REMEMBERED = 5_000;
/** Our Secrets are immutable, but one that was written by hand may be created again. */
const REMEMBERED_MS = 60_000;

interface Known {
  readonly secret: string;
  /** Name of the Secret that it replaced. */
  readonly replaces: string | undefined;
  readonly until: number;
}

/** The secrets of endpoints. Reads and deletes only Secrets of type trifold.dev/webhook-secret. */
export class EndpointSecrets {
  readonly #client: Pick<ResourceClient<Secret>, 'find' | 'delete'>;
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #known = new Map<string, Known>();

  constructor(client: Pick<ResourceClient<Secret>, 'find' | 'delete'>, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Returns the secret, or undefined when there is no usable Secret of that name. */
  async read(account: string, name: string): Promise<string | undefined> {
    return (await this.#look(account, name))?.secret;
  }

  /**
   * Deletes the Secrets that these have replaced, however many rotations ago. The oldest is deleted first: after a
   * crash, the others still lead to what is left.
   */
  async deleteReplaced(account: string, named: readonly string[]): Promise<void> {
    const seen = new Set(named);
    const replaced: string[] = [];
    for (const name of named) {
      let before = (await this.#look(account, name))?.replaces;
      while (before !== undefined && !seen.has(before)) {
        seen.add(before);
        replaced.push(before);
        before = (await this.#look(account, before))?.replaces;
      }
    }
    for (const name of replaced.toReversed()) await this.delete(account, name);
  }

  async #look(account: string, name: string): Promise<Known | undefined> {
    const key = `${account}/${name}`;
    const known = this.#known.get(key);
    const now = this.#clock.monotonicMs();
    if (known && now < known.until) return known;
    const looked = knownOf(await this.#client.find(account, name), now + REMEMBERED_MS);
    if (!looked) return undefined;
    this.#known.delete(key);
    this.#known.set(key, looked);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    return looked;
  }

  /** Deletes the Secret if it belongs to an endpoint; it may be gone already. */
  async delete(account: string, name: string): Promise<void> {
    this.#known.delete(`${account}/${name}`);
    const found = await this.#client.find(account, name);
    if (found?.type !== WEBHOOK_SECRET_TYPE) return;
    try {
      await this.#client.delete(account, name, { uid: found.metadata.uid });
    } catch (error) {
      if (!(error instanceof KubernetesApiError) || (error.code !== 404 && error.code !== 409)) throw error;
    }
  }
}

/** Returns undefined when there is no such Secret, or it is not usable. */
function knownOf(found: Secret | undefined, until: number): Known | undefined {
  const encoded = found?.type === WEBHOOK_SECRET_TYPE ? found.data?.[WEBHOOK_SECRET_KEY] : undefined;
  if (encoded === undefined || encoded === '') return undefined;
  const replaces = found?.metadata.annotations?.[REPLACES_ANNOTATION];
  return { secret: Buffer.from(encoded, 'base64').toString(), replaces, until };
}
