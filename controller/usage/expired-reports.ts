import type { KubernetesObject } from '@trifold/crds';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';

/** Whole months, in addition to the current one, for which reports are kept. */
export const REPORTS_KEPT_MONTHS = 25;

/** Returns the first day whose reports are kept: `2024-10-01` in November 2026. */
export function firstKeptDay(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - REPORTS_KEPT_MONTHS, 1))
    .toISOString()
    .slice(0, 10);
}

/** Deletes the reports of older days, of all accounts; returns their number. The client may read metadata only. */
export async function deleteExpiredReports(
  client: Pick<ResourceClient<KubernetesObject>, 'listAll' | 'delete'>,
  now: Date,
): Promise<number> {
  const first = firstKeptDay(now);
  let deleted = 0;
  for await (const { metadata } of client.listAll()) {
    const { namespace, name, uid } = metadata;
    if (name >= first) continue;
    await client.delete(namespace, name, { uid }).catch(unlessGone);
    deleted += 1;
  }
  return deleted;
}

function unlessGone(error: unknown): void {
  if (!(error instanceof KubernetesApiError && (error.code === 404 || error.code === 409))) throw error;
}
