import { NAMESPACE, type KubernetesObject } from '@trifold/crds';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';

/** Returns the names of all namespaces by their uid. */
export async function accountsByUid(kubernetes: KubernetesClient): Promise<Map<string, string>> {
  const client = kubernetes.builtin<KubernetesObject>(NAMESPACE).metadataOnly();
  const names = new Map<string, string>();
  for await (const { metadata } of client.listAll()) names.set(metadata.uid, metadata.name);
  return names;
}
