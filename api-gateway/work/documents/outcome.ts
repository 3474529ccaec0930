import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { ObjectStoreError } from '@trifold/platform/object-store/port.ts';
import type { AcceptedJob } from './job-acceptor.ts';
import type { JobFollowers } from './job-followers.ts';
import type { JobWaiters, Wait } from './job-waiters.ts';
import { documentOf, type Documents, type StoredDocument } from './documents.ts';

export interface SynchronousServices {
  readonly waiters: JobWaiters;
  readonly followers: JobFollowers;
  readonly documents: Documents;
}

/** How a caller waits. */
export interface Patience {
  readonly account: string;
  readonly waitMs: number;
  /** Ends the wait when the client disconnects; the job continues. */
  readonly signal: AbortSignal;
}

/**
 * Creates a job and waits until it finishes. On timeout, returns the current document; its status is then never
 * `pending` but `processing`, because the caller has waited (docs/interface-choices.md).
 */
export async function generateAndWait(
  services: SynchronousServices,
  job: AcceptedJob,
  patience: Patience,
): Promise<StoredDocument> {
  const wait = services.waiters.begin(patience.account, job.id, patience.waitMs);
  return endOf(services.documents, wait, patience, async () => documentOf(await job.create()));
}

/** Waits in the same way for a document that an earlier request created. */
export async function waitForEnd(
  services: SynchronousServices,
  document: StoredDocument,
  patience: Patience,
): Promise<StoredDocument> {
  if (document.status === 'completed' || document.status === 'failed') return document;
  const wait = services.followers.begin(patience.account, document.facts.job, patience.waitMs);
  return endOf(services.documents, wait, patience, async () => document);
}

async function endOf(
  documents: Documents,
  wait: Wait,
  { account, signal }: Patience,
  start: () => Promise<StoredDocument>,
): Promise<StoredDocument> {
  const giveUp = () => wait.cancel();
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const created = await start();
    const finished = await wait.outcome;
    if (finished) return documentOf(finished);
    const latest = signal.aborted ? created : await look(documents, account, created);
    return latest.status === 'pending' ? { ...latest, status: 'processing' } : latest;
  } finally {
    wait.cancel();
    signal.removeEventListener('abort', giveUp);
  }
}

/** Reads the job once more, because the watch may lag. A read error does not fail an accepted request. */
async function look(documents: Documents, account: string, created: StoredDocument): Promise<StoredDocument> {
  try {
    return await documents.get(account, created.facts.job);
  } catch (error) {
    if (error instanceof KubernetesApiError || error instanceof ObjectStoreError) return created;
    throw error;
  }
}
