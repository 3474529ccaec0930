import {
  deliveryOf,
  eventIdOf,
  isFinished,
  metadataMember,
  type CompletedDocumentData,
  type Draft,
  type EventType,
  type FailedDocumentData,
  type GenerationJob,
  type WebhookDelivery,
  type WebhookEvent,
} from '@trifold/crds';
import { documentFilePath, documentStatusPath } from '@trifold/platform/records/documents/api-paths.ts';
import { createdAtOf, expiresAtOf } from '@trifold/platform/records/documents/job-facts.ts';
import { UNKNOWN_ERROR } from '@trifold/platform/service/document-error.ts';

/**
 * Returns the deliveries for the end of a job: to the endpoints that were selected when it ended, and to its callback.
 * Always the same for the same job, so that a crash creates none of them twice.
 */
export function deliveriesOfJob(job: GenerationJob): Draft<WebhookDelivery>[] {
  if (!isFinished(job)) return [];
  const { namespace = 'default', name, uid } = job.metadata;
  const subject = { kind: job.kind, name, uid };
  const drafts: Draft<WebhookDelivery>[] = [];
  for (const endpointRef of job.status?.deliverTo ?? []) {
    drafts.push(deliveryOf(namespace, eventOf(job, 'document'), { endpointRef }, { subject }));
  }
  const { callbackURL: url } = job.spec;
  if (url !== undefined) {
    drafts.push(deliveryOf(namespace, eventOf(job, 'generation'), { url }, { subject }));
  }
  return drafts;
}

/** Returns the type of the event that notifies endpoints of the end of a job. */
export function eventTypeOfPhase(phase: string | undefined): 'document.completed' | 'document.failed' {
  return phase === 'Failed' ? 'document.failed' : 'document.completed';
}

function eventOf(job: GenerationJob, family: 'document' | 'generation'): WebhookEvent {
  const failed = job.status?.phase === 'Failed';
  const createdAt = finishedAt(job);
  const of = <T extends EventType>(type: T, data: WebhookEvent<T>['data']): WebhookEvent<T> => ({
    id: eventIdOf(type, { uid: job.metadata.uid, at: createdAt }),
    type,
    createdAt,
    data,
  });
  return failed ? of(`${family}.failed`, failedData(job)) : of(`${family}.completed`, completedData(job));
}

/** The status of a finished job never changes, so neither does this time. */
function finishedAt({ metadata, status }: GenerationJob): Date {
  const end = Date.parse(status?.finishedAt ?? '');
  return new Date(Number.isNaN(end) ? Date.parse(metadata.creationTimestamp) : Math.max(0, end));
}

function completedData(job: GenerationJob): CompletedDocumentData {
  const { name } = job.metadata;
  const { warnings = [] } = job.status ?? {};
  return {
    id: name,
    status: 'completed',
    template_id: job.spec.templateRef.name,
    file_url: documentFilePath(name),
    status_url: documentStatusPath(name),
    file_size: job.status?.size ?? 0,
    render_time_ms: job.status?.renderTimeMs ?? 0,
    expires_at: expiresAtOf(job).toISOString(),
    ...(warnings.length > 0 && { warnings }),
    ...metadataMember(job.spec),
  };
}

function failedData(job: GenerationJob): FailedDocumentData {
  const { name } = job.metadata;
  const { code, message } = job.status?.error ?? UNKNOWN_ERROR;
  return {
    id: name,
    status: 'failed',
    template_id: job.spec.templateRef.name,
    status_url: documentStatusPath(name),
    error: { code, message },
    created_at: createdAtOf(job).toISOString(),
    ...metadataMember(job.spec),
  };
}
