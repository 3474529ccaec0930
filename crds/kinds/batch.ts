import { Type, type Static } from 'typebox';
import { celRule, immutableExcept } from '../schema/cel.ts';
import { CLIENT_METADATA_RULE, ClientMetadata, ITEMS_METADATA_RULE } from '../schema/client-metadata.ts';
import { ConditionList, ObservedGeneration } from '../conditions.ts';
import { DeliverTo } from './deliver-to.ts';
import { DOCUMENT_FORMATS } from '../schema/document-format.ts';
import { MAX_BATCH_ITEMS } from '../limits.ts';
import { defineKind } from '../schema/kind.ts';
import { RENDER_OPTIONS_RULES, RenderOptions } from '../schema/render-options.ts';
import type { Resource } from '../schema/resource.ts';
import { Filename, Sha256, StringEnum, Timestamp } from '../schema/schema.ts';
import {
  ATTACHMENTS_RULE,
  attachmentsRef,
  documentMembers,
  GENERATION_PHASES,
  JobError,
  workMembers,
} from './work.ts';
import { TEMPLATE_RULES, templateMembers } from './work-template.ts';

/**
 * Label of a batch: its number of items, for clients that watch only metadata. A batch without it counts as
 * MAX_BATCH_ITEMS items.
 */
export const BATCH_ITEMS_LABEL = 'trifold.dev/items';

/** File name, metadata and attachments of an item; its data is in the object store. */
export const BatchItemSpec = Type.Object(
  {
    index: Type.Integer({
      minimum: 0,
      maximum: MAX_BATCH_ITEMS - 1,
      description: 'Zero-based index of the item.',
    }),
    filename: Type.Optional(Filename()),
    clientMetadata: Type.Optional(
      ClientMetadata({
        'x-kubernetes-map-type': 'atomic',
        description:
          'Strings that the creator of the batch stored with the item. The service shows them as `metadata`, but does not interpret them.',
      }),
    ),
    attachmentsRef: attachmentsRef('the item, including its e-invoice'),
  },
  { description: 'File name, metadata and attachments of one item.' },
);
export type BatchItemSpec = Static<typeof BatchItemSpec>;

/** Schema of a batch's spec. The gateway validates and stores the data of every item before it creates the batch. */
export const BatchSpec = Type.Object(
  {
    ...templateMembers('every item'),
    itemsRef: Type.Object(
      {
        prefix: Type.String({
          minLength: 1,
          maxLength: 512,
          description: 'Key prefix of the items; the data of item 7 is at <prefix>7.data.',
        }),
        size: Type.Integer({ minimum: 0, description: 'Total size of the data for all items, in bytes.' }),
      },
      { description: 'Location of the data for the items in the object store.' },
    ),
    total: Type.Integer({ minimum: 1, maximum: MAX_BATCH_ITEMS, description: 'Number of items.' }),
    items: Type.Optional(
      Type.Array(BatchItemSpec, {
        maxItems: MAX_BATCH_ITEMS,
        description: 'Items that have a file name, metadata or attachments, one entry per item.',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['index'],
      }),
    ),
    attachmentsRef: attachmentsRef('every item'),
    format: Type.Optional(
      StringEnum(DOCUMENT_FORMATS, { default: 'pdf', description: 'File format of each item.' }),
    ),
    options: Type.Optional(RenderOptions),
    ...workMembers('batch'),
  },
  { description: 'Specification of the batch. Immutable except for ttlSecondsAfterFinished.' },
);
/** Documents to create: one template, up to MAX_BATCH_ITEMS documents. Immutable except for its TTL. */
export type BatchSpec = Static<typeof BatchSpec>;

/** Result of one item; items missing from the list are pending. */
export const BatchItemResult = Type.Object(
  {
    index: Type.Integer({
      minimum: 0,
      maximum: MAX_BATCH_ITEMS - 1,
      description: 'Zero-based index of the item.',
    }),
    phase: StringEnum(GENERATION_PHASES, {
      description: 'Progress of the item; Completed and Failed are final.',
    }),
    ...documentMembers,
  },
  { description: 'Result of one item.' },
);
export type BatchItemResult = Static<typeof BatchItemResult>;

/** The last batch.progress event. */
export const BatchProgress = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'Number of the event, counted from 1.' }),
    at: Timestamp({ description: 'Time of the counts.' }),
    completed: Type.Integer({ minimum: 0, description: 'Number of completed items.' }),
    failed: Type.Integer({ minimum: 0, description: 'Number of failed items.' }),
    deliverTo: DeliverTo(),
  },
  { description: 'Last progress event.' },
);
export type BatchProgress = Static<typeof BatchProgress>;

/** Schema of a batch's status. */
export const BatchStatus = Type.Object(
  {
    observedGeneration: Type.Optional(ObservedGeneration),
    phase: Type.Optional(
      StringEnum(GENERATION_PHASES, {
        description: 'Progress of the batch. Failed: every item failed. Completed and Failed are final.',
      }),
    ),
    conditions: Type.Optional(ConditionList()),
    revision: Type.Optional(Sha256({ description: 'SHA-256 of the content of an inline template.' })),
    completed: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of completed items.' })),
    failed: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of failed items.' })),
    items: Type.Optional(
      Type.Array(BatchItemResult, {
        maxItems: MAX_BATCH_ITEMS,
        description: 'Results of the items so far, one entry per item.',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['index'],
      }),
    ),
    startedAt: Type.Optional(
      Timestamp({ description: 'Time at which a renderer started on the first item.' }),
    ),
    finishedAt: Type.Optional(Timestamp({ description: 'Time at which the last item finished.' })),
    error: Type.Optional(JobError),
    progress: Type.Optional(BatchProgress),
    deliverTo: Type.Optional(DeliverTo()),
  },
  { description: 'Progress and results; complete when the phase is final.' },
);
/** Progress of a batch; written at most once a second, exact once the phase is final. */
export type BatchStatus = Static<typeof BatchStatus>;

/** The documents of one request, in one resource. */
export type Batch = Resource<BatchSpec, BatchStatus>;

const REFERENCE_IS_PINNED = celRule(
  '!has(self.templateRef) || (has(self.revision) && has(self.version))',
  'revision and version must be set with templateRef',
  ({ templateRef, revision, version }) =>
    templateRef === undefined || (revision !== undefined && version !== undefined),
);

/** The kind Batch, short name `bat`. */
export const BATCH = defineKind<BatchSpec, BatchStatus>({
  kind: 'Batch',
  plural: 'batches',
  singular: 'batch',
  shortNames: ['bat'],
  description:
    'Up to 100 documents from one template, each with its own data. The spec is immutable, except for ttlSecondsAfterFinished.',
  spec: BatchSpec,
  status: BatchStatus,
  columns: [
    { name: 'Template', type: 'string', jsonPath: '.spec.templateRef.name' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Total', type: 'integer', jsonPath: '.spec.total' },
    { name: 'Completed', type: 'integer', jsonPath: '.status.completed' },
    { name: 'Failed', type: 'integer', jsonPath: '.status.failed' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Format', type: 'string', jsonPath: '.spec.format', priority: 1 },
    { name: 'Version', type: 'integer', jsonPath: '.spec.version', priority: 1 },
    { name: 'Message', type: 'string', jsonPath: '.status.error.message', priority: 1 },
  ],
  selectableFields: ['.spec.templateRef.name', '.status.phase'],
  rules: [
    ...RENDER_OPTIONS_RULES.map((rule) => ({ path: ['spec', 'options'], rule })),
    ...TEMPLATE_RULES,
    { path: ['spec'], rule: REFERENCE_IS_PINNED },
    { path: ['spec', 'clientMetadata'], rule: CLIENT_METADATA_RULE },
    { path: ['spec'], rule: ITEMS_METADATA_RULE },
    { path: ['spec'], rule: ATTACHMENTS_RULE },
    { path: ['spec'], rule: immutableExcept(BatchSpec, 'ttlSecondsAfterFinished') },
  ],
});
