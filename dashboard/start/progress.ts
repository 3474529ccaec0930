import type { TrifoldClient } from '@trifold/client';
import { useEffect } from 'preact/hooks';
import { useResource, type Resource } from '../loading/resource.ts';
import { useSession } from '../session/session.ts';

/** Setup steps that the account has completed. Also false if the session lacks the scope to check. */
export interface Progress {
  readonly key: boolean;
  readonly template: boolean;
  readonly document: boolean;
}

const YEAR_MS = 365 * 86_400_000;

/** Loads the progress now and whenever the user returns to the page. */
export function useProgress(): Resource<Progress> {
  const { client, allows } = useSession();
  const progress = useResource(async (signal): Promise<Progress> => {
    const [key, template, document] = await Promise.all([
      allows('api-keys:read') && isNotEmpty(client.apiKeys.page({ limit: 1 }, { signal })),
      allows('templates:read') && isNotEmpty(client.templates.page({ limit: 1 }, { signal })),
      allows('usage:read') && hasDocuments(client, signal),
    ]);
    return { key, template, document };
  });
  useEffect(() => {
    const reload = () => {
      if (!document.hidden) progress.reload();
    };
    addEventListener('focus', reload);
    return () => removeEventListener('focus', reload);
  }, [progress.reload]);
  return progress;
}

async function isNotEmpty(page: Promise<{ readonly data: readonly unknown[] }>): Promise<boolean> {
  return (await page).data.length > 0;
}

/** Returns whether the account has generated a document in the last year. */
async function hasDocuments(client: TrifoldClient, signal: AbortSignal): Promise<boolean> {
  const from = new Date(Date.now() - YEAR_MS).toISOString().slice(0, 10);
  const { total } = await client.usage.get({ from, granularity: 'month' }, { signal });
  return [total.documents.live, total.documents.test].some((counts) =>
    Object.values(counts).some((count) => count > 0),
  );
}
