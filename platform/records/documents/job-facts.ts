import {
  DOCUMENT_LIFETIME_MS,
  hasTimedId,
  metadataMember,
  timeOfId,
  type GenerationJob,
  type KeyMode,
} from '@trifold/crds';
import type { DocumentFacts } from './document-facts.ts';

/**
 * Returns when the document was accepted: the time of its id, or of the resource when the name is not an id of ours.
 */
export function createdAtOf(job: GenerationJob): Date {
  const time = hasTimedId(job) ? timeOfId(job.metadata.name) : undefined;
  return time ?? new Date(job.metadata.creationTimestamp);
}

/** Returns when its file expires: fixed at acceptance, 24 hours later unless the spec says earlier. */
export function expiresAtOf(job: GenerationJob): Date {
  return expiryOf(createdAtOf(job), job.spec.expiresAt);
}

/** Returns when the files of a job or batch expire; `expiresAt` is what its spec asks for. */
export function expiryOf(created: Date, expiresAt: string | undefined): Date {
  const latest = created.getTime() + DOCUMENT_LIFETIME_MS;
  const asked = Date.parse(expiresAt ?? '');
  // API servers accept offsets such as +99:99 in times; an invalid time is ignored.
  return new Date(Number.isNaN(asked) ? latest : Math.min(latest, asked));
}

/** Returns the mode of the key that created it: live unless the spec says test. */
export function modeOf(job: GenerationJob): KeyMode {
  return job.spec.mode ?? 'live';
}

/** Returns the facts that the resource contains about its document. */
export function factsOf(job: GenerationJob): DocumentFacts {
  const { spec, status } = job;
  const version = spec.version ?? status?.version;
  return {
    job: job.metadata.name,
    uid: job.metadata.uid,
    template: spec.templateRef.name,
    format: spec.format ?? 'pdf',
    mode: modeOf(job),
    createdAt: createdAtOf(job).toISOString(),
    expiresAt: expiresAtOf(job).toISOString(),
    ...(version !== undefined && { version }),
    ...(spec.keyId !== undefined && { keyId: spec.keyId }),
    ...(spec.filename !== undefined && { filename: spec.filename }),
    ...metadataMember(spec),
  };
}
