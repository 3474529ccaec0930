import {
  deliveryOf,
  eventIdOf,
  metadataMember,
  type CompletedDocumentData,
  type Draft,
  type EventType,
  type FailedDocumentData,
  type GenerationJob,
  type ObjectMeta,
  type WebhookDelivery,
  type WebhookEvent,
} from '@trifold/crds';
import { documentFilePath, documentStatusPath } from '@trifold/platform/records/documents/api-paths.ts';
import { createdAtOf, expiresAtOf } from '@trifold/platform/records/documents/accepted-work.ts';
import { UNKNOWN_ERROR } from '@trifold/platform/errors/document-error.ts';

/**
 * Returns the deliveries for the end of a job: to the endpoints selected when it ended, and to its callback. They are
 * always the same for the same job, so that a crash never creates one twice.
 */
export function deliveriesOfJob(job: GenerationJob): Draft<WebhookDelivery>[] {
  const { namespace = 'default', name, uid } = job.metadata;
  const subject = { kind: job.kind, name, uid };
  const { callbackURL: url } = job.spec;
  const endpoints = (job.status?.deliverTo ?? []).map((endpointRef) =>
    deliveryOf(namespace, eventOf(job, 'document'), { endpointRef }, { subject }),
  );
  if (url === undefined) return endpoints;
  return [...endpoints, deliveryOf(namespace, eventOf(job, 'generation'), { url }, { subject })];
}

/** Returns the type of the event that notifies endpoints about the end of a job. */
export function eventTypeOfPhase(phase: string | undefined): 'document.completed' | 'document.failed' {
  return phase === 'Failed' ? 'document.failed' : 'document.completed';
}

function eventOf(job: GenerationJob, family: 'document' | 'generation'): WebhookEvent {
  const failed = job.status?.phase === 'Failed';
  const createdAt = eventTime(job.status?.finishedAt, job.metadata);
  const of = <T extends EventType>(type: T, data: WebhookEvent<T>['data']): WebhookEvent<T> => ({
    id: eventIdOf(type, { uid: job.metadata.uid, at: createdAt }),
    type,
    createdAt,
    data,
  });
  return failed ? of(`${family}.failed`, failedData(job)) : of(`${family}.completed`, completedData(job));
}

/**
 * Returns the time in a status, which never changes once written, or the object's creation time if the former is
 * invalid.
 */
export function eventTime(text: string | undefined, { creationTimestamp }: ObjectMeta): Date {
  const time = Date.parse(text ?? '');
  return new Date(Number.isNaN(time) ? Date.parse(creationTimestamp) : Math.max(0, time));
}

function completedData(job: GenerationJob): CompletedDocumentData {
  const { name } = job.metadata;
  const { warnings = [] } = job.status ?? {};
  return {
    id: name,
    status: 'completed',
    template_id: job.spec.templateRef?.name ?? null,
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
    template_id: job.spec.templateRef?.name ?? null,
    status_url: documentStatusPath(name),
    error: { code, message },
    created_at: createdAtOf(job).toISOString(),
    ...metadataMember(job.spec),
  };
}
