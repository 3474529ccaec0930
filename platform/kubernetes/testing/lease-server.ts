import { KubernetesApiError } from '../client/api-error.ts';
import type { LeaderElectionOptions } from '../election/leader-election.ts';
import type { Lease } from '../election/leader-lease.ts';

export function apiError(code: number, reason: string): KubernetesApiError {
  return new KubernetesApiError({ code, reason, message: reason });
}

/** A server for one Lease, with the optimistic locking of an API server and faults on demand. */
export class LeaseServer {
  lease: Lease | undefined;
  writes: Lease[] = [];
  /** Called before each request; may throw or hang. */
  fault: ((verb: 'find' | 'create' | 'replace') => Promise<void> | void) | undefined;
  /** Called after a write takes effect; the response is lost if this throws. */
  afterWrite: (() => Promise<void> | void) | undefined;
  #version = 1;

  readonly client: LeaderElectionOptions['leases'] = {
    find: async () => {
      await this.fault?.('find');
      return this.lease;
    },
    create: async (draft) => {
      await this.fault?.('create');
      if (this.lease) throw apiError(409, 'AlreadyExists');
      return this.#put(draft as Lease);
    },
    replace: async (object) => {
      await this.fault?.('replace');
      if (!this.lease) throw apiError(404, 'NotFound');
      if (object.metadata.resourceVersion !== this.lease.metadata.resourceVersion) {
        throw apiError(409, 'Conflict');
      }
      return this.#put(object);
    },
  };

  /** Writes a new version of the same lease, as `kubectl annotate` does. */
  touch(): void {
    if (this.lease) this.#store(this.lease);
  }

  edit(spec: Lease['spec']): void {
    if (this.lease) this.#store({ ...this.lease, spec: { ...this.lease.spec, ...spec } });
  }

  async #put(lease: Lease): Promise<Lease> {
    const stored = this.#store(lease);
    this.writes.push(stored);
    await this.afterWrite?.();
    return stored;
  }

  #store(lease: Lease): Lease {
    const metadata = { ...lease.metadata, resourceVersion: String(++this.#version) };
    this.lease = { ...lease, metadata };
    return this.lease;
  }
}
