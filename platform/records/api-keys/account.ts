import { ACCOUNT_LABEL, NAMESPACE, type KubernetesObject } from '@trifold/crds';
import { isApiError } from '../../kubernetes/client/api-error.ts';
import type { KubernetesClient } from '../../kubernetes/client/client.ts';

/** The standalone process's account. */
export const FIRST_ACCOUNT = 'default';

/** Result of `ensureAccount`. */
export type AccountOutcome = 'created' | 'labelled' | 'existed';

/** Whether the namespace exists and is an account. */
export async function isAccount(kubernetes: KubernetesClient, name: string): Promise<boolean> {
  const namespace = await kubernetes.builtin<KubernetesObject>(NAMESPACE).find(undefined, name);
  return namespace?.metadata.labels?.[ACCOUNT_LABEL] !== undefined;
}

/** Makes a namespace an account; creates it if it is missing. Rejects with KubernetesApiError. */
export async function ensureAccount(kubernetes: KubernetesClient, name: string): Promise<AccountOutcome> {
  const namespaces = kubernetes.builtin<KubernetesObject>(NAMESPACE);
  const labels = { [ACCOUNT_LABEL]: name };
  const found = await namespaces.find(undefined, name);
  if (found?.metadata.labels?.[ACCOUNT_LABEL] !== undefined) return 'existed';
  if (found) {
    await namespaces.patch({ name }, { metadata: { labels } });
    return 'labelled';
  }
  try {
    await namespaces.create({ metadata: { name, labels } });
    return 'created';
  } catch (error) {
    if (isApiError(error, 'AlreadyExists')) return ensureAccount(kubernetes, name);
    throw error;
  }
}
