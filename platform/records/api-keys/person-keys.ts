import { createHash } from 'node:crypto';
import { API_KEY, type ApiKey, type KeyMode, type Scope } from '@trifold/crds';
import { isApiError } from '../../kubernetes/client/api-error.ts';
import type { KubernetesClient, ResourceClient } from '../../kubernetes/client/client.ts';
import { apiKeySpecOf, generateKey } from './key-material.ts';

/** A user who signed in with an identity provider, and their permissions. */
export interface Person {
  readonly issuer: string;
  /** The user's ID at the issuer. */
  readonly subject: string;
  readonly name: string;
  /** Namespace of the account. */
  readonly account: string;
  readonly scopes: readonly Scope[];
  readonly mode: KeyMode;
}

/** ApiKeys for user sessions. No client has the keys themselves. Methods reject with KubernetesApiError. */
export class PersonKeys {
  readonly #keys: ResourceClient<ApiKey>;

  constructor(kubernetes: KubernetesClient) {
    this.#keys = kubernetes.resource<ApiKey>(API_KEY);
  }

  /**
   * Returns the user's key in the account, and whether it is new. A key with different permissions is replaced by a new
   * one, which ends the sessions with the old permissions.
   */
  async ensure(person: Person): Promise<{ readonly key: ApiKey; readonly isNew: boolean }> {
    const name = personKeyName(person);
    for (;;) {
      const found = await this.#keys.find(person.account, name);
      if (found && hasRightsOf(found, person)) return { key: found, isNew: false };
      if (found) await this.#keys.deleteExactly(found);
      try {
        const metadata = { name, namespace: person.account };
        return { key: await this.#keys.create({ metadata, spec: specOf(person) }), isNew: true };
      } catch (error) {
        // Another gateway was faster.
        if (!isApiError(error, 'AlreadyExists')) throw error;
      }
    }
  }
}

/** Returns the name of a user's key. It is a hash, because a subject can be personal data. */
export function personKeyName({
  issuer,
  subject,
  account,
}: Pick<Person, 'issuer' | 'subject' | 'account'>): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([issuer, subject, account]))
    .digest('hex');
  return `person-${hash.slice(0, 32)}`;
}

function hasRightsOf({ spec }: ApiKey, { scopes, mode }: Person): boolean {
  return spec.mode === mode && spec.scopes.toSorted().join() === scopes.toSorted().join();
}

function specOf({ issuer, name, scopes, mode }: Person): ApiKey['spec'] {
  return apiKeySpecOf(generateKey(mode), {
    name: name.slice(0, 200).toWellFormed(),
    description: `Sessions of a user who signed in with ${issuer}. The key itself is not stored.`,
    scopes,
  });
}
