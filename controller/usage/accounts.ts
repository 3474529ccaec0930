import { NAMESPACE, type KubernetesObject } from '@trifold/crds';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';

const PAGE_SIZE = 500;

/** Returns the names of all namespaces by their uid. */
export async function accountsByUid(kubernetes: KubernetesClient): Promise<Map<string, string>> {
  const client = kubernetes.builtin<KubernetesObject>(NAMESPACE).metadataOnly();
  const names = new Map<string, string>();
  let next: string | undefined;
  do {
    const page = await client.list({ limit: PAGE_SIZE, ...(next !== undefined && { continue: next }) });
    for (const { metadata } of page.items) names.set(metadata.uid, metadata.name);
    next = page.continue;
  } while (next !== undefined);
  return names;
}
