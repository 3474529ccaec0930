import type { Draft, KubernetesObject, WebhookDelivery } from '@trifold/crds';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { EndpointLookup } from '../endpoints/endpoint-lookup.ts';
import type { Spooling } from '../spool/spooling.ts';

export interface OutboxOptions {
  readonly deliveries: Pick<ResourceClient<WebhookDelivery>, 'create'>;
  readonly endpoints: Pick<EndpointLookup, 'endpointOf'>;
  /** Called with each created delivery, before a watch reports it. */
  readonly onCreated: (delivery: WebhookDelivery) => void;
  /** Keeps the deliveries of destinations that have too many. @default all are created */
  readonly spooling?: Pick<Spooling, 'isBacklogged' | 'keep'>;
}

interface Emptied {
  readonly uid: string;
  /** Names of the deliveries that exist or are spooled. */
  readonly made: Set<string>;
}

/**
 * Creates the deliveries that the last status of a job or batch asks for, except those to deleted endpoints. Their
 * names are always the same, so that creating them again after a crash has no effect; created deliveries are remembered
 * only to avoid another request.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #emptied = new Map<string, Emptied>();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Resolves when each of these deliveries of the object is created or spooled. */
  async make(subject: KubernetesObject, drafts: readonly Draft<WebhookDelivery>[]): Promise<void> {
    if (drafts.length === 0) return;
    const key = subjectKey(subject);
    const known = this.#emptied.get(key);
    const emptied =
      known?.uid === subject.metadata.uid ? known : { uid: subject.metadata.uid, made: new Set<string>() };
    this.#emptied.set(key, emptied);
    const missing = drafts.filter(({ metadata }) => !emptied.made.has(metadata.name));
    await Promise.all(missing.map((draft) => this.#once(draft, emptied)));
  }

  /** Forgets a deleted object. */
  forget(kind: string, { namespace, name }: ObjectKey): void {
    this.#emptied.delete(`${kind} ${formatKey(namespace, name)}`);
  }

  /** Concurrent calls for the same delivery share one request. */
  async #once(draft: Draft<WebhookDelivery>, { made }: Emptied): Promise<void> {
    const { namespace, name } = draft.metadata;
    const key = formatKey(namespace, name);
    const making = this.#underWay.get(key) ?? this.#create(draft).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, making);
    await making;
    made.add(name);
  }

  async #create(draft: Draft<WebhookDelivery>): Promise<void> {
    const { endpoints, spooling } = this.#options;
    if ((await endpoints.endpointOf(draft)) === 'deleted') return;
    if (spooling?.isBacklogged(draft)) return spooling.keep(draft);
    try {
      this.#options.onCreated(await this.#options.deliveries.create(draft));
    } catch (error) {
      if (!isApiError(error, 'AlreadyExists')) throw error;
    }
  }
}

function subjectKey({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${formatKey(metadata.namespace, metadata.name)}`;
}
