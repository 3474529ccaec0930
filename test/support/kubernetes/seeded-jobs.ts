import { randomUUID } from 'node:crypto';
import { newId, type GenerationJob, type GenerationJobStatus } from '@trifold/crds';

/** Length of a time up to its seconds. */
const SECONDS_LENGTH = 19;

/** Returns a job as the API server stores it: of the gateway, created at this time, and completed then or pending. */
export function seededJob(account: string, createdAt: Date, phase: 'Completed' | 'Pending'): GenerationJob {
  const time = createdAt.toISOString();
  const lastTransitionTime = `${time.slice(0, SECONDS_LENGTH)}Z`;
  const condition = { type: 'Complete', status: 'True' as const, reason: 'Rendered', message: '' };
  const status: GenerationJobStatus = {
    phase: 'Completed',
    attempt: 1,
    finishedAt: time,
    pages: 1,
    size: 1000,
    conditions: [{ ...condition, lastTransitionTime }],
  };
  return {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: 'GenerationJob',
    metadata: {
      name: newId('gen', createdAt),
      namespace: account,
      uid: randomUUID(),
      resourceVersion: '',
      generation: 1,
      creationTimestamp: lastTransitionTime,
    },
    spec: {
      templateRef: { name: 'invoice' },
      revision: 'a'.repeat(64),
      version: 1,
      keyId: 'key-1',
      data: { text: 'x'.repeat(1000) },
    },
    ...(phase === 'Completed' && { status }),
  };
}
