import { DOCUMENT_LIFETIME, DOCUMENT_LIFETIME_MS } from '../retention.ts';
import { Type, type Static } from 'typebox';
import { KEY_MODES } from './api-key.ts';
import { ClientMetadata } from '../schema/client-metadata.ts';
import { MAX_WARNINGS } from '../limits.ts';
import { DocumentWarning, ProblemPlace } from '../schema/document-warning.ts';
import { Failure } from '../schema/failure.ts';
import { celRule } from '../schema/cel.ts';
import { Count, ObjectRef, Sha256, StringEnum, Timestamp } from '../schema/schema.ts';

/** Label of a job or batch with large options: number of documents it counts as, for metadata-only watches. */
export const WEIGHT_LABEL = 'trifold.dev/weight';

/** Progress of a document, item or batch. */
export const GENERATION_PHASES = ['Pending', 'Processing', 'Completed', 'Failed'] as const;
export type GenerationPhase = (typeof GENERATION_PHASES)[number];

const FAILURE = 'Reason for the failure.';

/** Reason why a document or batch failed: a stable code for programs, a sentence for users, and the place if known. */
export const JobError = Type.Object(
  { ...Failure(4096, FAILURE).properties, ...ProblemPlace.properties },
  { description: FAILURE },
);
export type JobError = Static<typeof JobError>;

const JobTimings = Type.Object({
  queuedMs: Type.Number({ minimum: 0, description: 'Time spent waiting for a renderer.' }),
  mergeMs: Type.Number({ minimum: 0, description: 'Time to merge the template with the data.' }),
  printMs: Type.Number({ minimum: 0, description: 'Time to print the document.' }),
  storeMs: Type.Number({ minimum: 0, description: 'Time to store the file.' }),
});

/** Result of a completed document, as reported by its renderer. */
export const DocumentResult = Type.Object({
  size: Count('File size in bytes.'),
  pages: Count('Number of pages; 0 if the format is not PDF.'),
  sha256: Sha256({ description: 'SHA-256 of the file.' }),
  renderTimeMs: Count('Time in the renderer, in milliseconds.'),
  timings: JobTimings,
  startedAt: Timestamp({ description: 'Time at which a renderer started on the job.' }),
  finishedAt: Timestamp({ description: 'Time at which the file was stored or the job failed.' }),
  warnings: Type.Optional(
    Type.Array(DocumentWarning, {
      maxItems: MAX_WARNINGS,
      description:
        'Possible problems, such as missing bindings, scripts without a font, and resources that were not loaded. If the document failed, those found in the last attempt. The list is shorter if many items in a batch have warnings.',
      'x-kubernetes-list-type': 'atomic',
    }),
  ),
});
export type DocumentResult = Static<typeof DocumentResult>;

const { timings: _timings, ...resultMembers } = Type.Partial(DocumentResult).properties;
const { size, pages, renderTimeMs, warnings } = resultMembers;

/** Status fields of every document, in a job or a batch item. */
export const documentMembers = {
  attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of the last dispatched attempt.' })),
  lostAttempts: Type.Optional(
    Count(
      'Number of earlier attempts that were lost because their renderer was killed or ran out of memory. After one lost attempt, the document is rendered alone.',
    ),
  ),
  size,
  pages,
  renderTimeMs,
  error: Type.Optional(JobError),
  warnings,
};
const DocumentMembers = Type.Object(documentMembers);
/** Progress and result of a document in the status of its job or batch item. */
export type DocumentStatus = Static<typeof DocumentMembers> & { phase?: GenerationPhase };

/** The whole result of a document, as fields of its job's status. */
export const documentResultMembers = {
  ...resultMembers,
  timings: Type.Optional(
    Type.Object(Type.Partial(JobTimings).properties, {
      description:
        'Durations of the steps, in milliseconds. If the job failed, those that the last attempt began; the last one is the step that failed.',
    }),
  ),
};

/** Returns the schema of a reference to files. `what`: the documents to which they are attached. */
export function attachmentsRef(what: string) {
  const description = `Files in the object store that are attached to ${what}. The gateway stores them.`;
  return Type.Optional(Type.Object(ObjectRef.properties, { description }));
}

/** Only PDF files have attachments; an XML file is itself stored as an attachment. */
export const ATTACHMENTS_RULE = celRule(
  "!has(self.attachmentsRef) || !has(self.format) || self.format in ['pdf', 'xml']",
  'attachmentsRef requires the format pdf or xml',
  ({ attachmentsRef: ref, format = 'pdf' }) => ref === undefined || format === 'pdf' || format === 'xml',
);

/**
 * Returns the spec fields of every kind that creates files: requester, metadata and retention. `what`: name of the kind
 * in descriptions.
 */
export function workMembers(what: string) {
  return {
    mode: Type.Optional(
      StringEnum(KEY_MODES, {
        default: 'live',
        description: 'Key mode; documents created with test keys have a watermark.',
      }),
    ),
    keyId: Type.Optional(Type.String({ maxLength: 253, description: `ApiKey that created the ${what}.` })),
    requestId: Type.Optional(
      Type.String({
        maxLength: 63,
        description: `ID of the request that created the ${what}, as in its X-Request-Id header.`,
      }),
    ),
    clientMetadata: Type.Optional(
      ClientMetadata({
        'x-kubernetes-map-type': 'atomic',
        description: `Strings that the creator of the ${what} stored with it. The service shows them as \`metadata\`, but does not interpret them.`,
      }),
    ),
    expiresAt: Type.Optional(
      Timestamp({
        description: `Time after which the files of the ${what} cannot be read: ${DOCUMENT_LIFETIME} after creation (the default), or earlier. The files are deleted after ${DOCUMENT_LIFETIME}.`,
      }),
    ),
    ttlSecondsAfterFinished: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: DOCUMENT_LIFETIME_MS / 1000,
        description:
          'Number of seconds for which the finished resource is kept; with a custom name, at least until its files expire. Default: the controller setting (600).',
      }),
    ),
  };
}
