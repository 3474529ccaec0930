import { Type, type Static } from 'typebox';
import { immutableMembers } from '../schema/cel.ts';
import { ConditionList, ObservedGeneration } from '../conditions.ts';
import { DeliverTo } from './deliver-to.ts';
import { DOCUMENT_FORMATS } from '../schema/document-format.ts';
import { GENERATION_PHASES, JobError } from './generation-job.ts';
import { defineKind } from '../schema/kind.ts';
import { RENDER_OPTIONS_RULES, RenderOptions } from '../schema/render-options.ts';
import type { Resource } from '../schema/resource.ts';
import { Sha256, StringEnum, Timestamp } from '../schema/schema.ts';
import { LostAttempts, workMembers } from './work.ts';

/** Maximum number of items of a batch (interface, "Limits"). */
export const MOST_BATCH_ITEMS = 100;

/**
 * Label of a batch: its number of items, for clients that watch only metadata. A batch without it counts as one of
 * MOST_BATCH_ITEMS.
 */
export const BATCH_ITEMS_LABEL = 'trifold.dev/items';

/** Schema of a batch's spec. The gateway validates and stores the data of every item before it creates the batch. */
export const BatchSpec = Type.Object(
  {
    templateRef: Type.Object(
      { name: Type.String({ minLength: 1, maxLength: 253, description: 'Template in the same namespace.' }) },
      { description: 'What every item is rendered from.' },
    ),
    revision: Sha256({ description: 'Content address of what is rendered.' }),
    version: Type.Integer({
      minimum: 1,
      description: 'Version of the template that the revision was taken from.',
    }),
    itemsRef: Type.Object(
      {
        prefix: Type.String({
          minLength: 1,
          maxLength: 512,
          description: 'What the keys of the items begin with; the data of item 7 is at <prefix>7.data.',
        }),
        size: Type.Integer({ minimum: 0, description: 'Bytes of the data of all items together.' }),
      },
      { description: 'Where in the object store the data of the items is.' },
    ),
    total: Type.Integer({ minimum: 1, maximum: MOST_BATCH_ITEMS, description: 'Number of items.' }),
    format: Type.Optional(
      StringEnum(DOCUMENT_FORMATS, { default: 'pdf', description: 'Kind of file to make of each item.' }),
    ),
    options: Type.Optional(RenderOptions),
    ...workMembers('batch'),
  },
  { description: 'What is to be made. It cannot be changed.' },
);
/** Documents to create: one template, up to MOST_BATCH_ITEMS documents. Immutable except for its time to live. */
export type BatchSpec = Static<typeof BatchSpec>;

/** Result of one item; an item that is not in the list is pending. */
export const BatchItemResult = Type.Object(
  {
    index: Type.Integer({
      minimum: 0,
      maximum: MOST_BATCH_ITEMS - 1,
      description: 'Place among the items, from 0.',
    }),
    phase: StringEnum(GENERATION_PHASES, {
      description: 'How far the item is; Completed and Failed are final.',
    }),
    attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'Attempt that was dispatched last.' })),
    lostAttempts: Type.Optional(LostAttempts),
    size: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes of the file.' })),
    pages: Type.Optional(Type.Integer({ minimum: 0, description: 'Pages of the document.' })),
    renderTimeMs: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Milliseconds that a renderer had it in hand.' }),
    ),
    error: Type.Optional(JobError),
  },
  { description: 'What came of one item.' },
);
export type BatchItemResult = Static<typeof BatchItemResult>;

/** The last batch.progress event. */
export const BatchProgress = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'Counts from 1.' }),
    at: Timestamp({ description: 'When it was so.' }),
    completed: Type.Integer({ minimum: 0, description: 'Items whose file was there.' }),
    failed: Type.Integer({ minimum: 0, description: 'Items that had failed.' }),
    deliverTo: DeliverTo(),
  },
  { description: 'What endpoints were told last of its progress.' },
);
export type BatchProgress = Static<typeof BatchProgress>;

/** Schema of a batch's status. */
export const BatchStatus = Type.Object(
  {
    observedGeneration: Type.Optional(ObservedGeneration),
    phase: Type.Optional(
      StringEnum(GENERATION_PHASES, {
        description: 'How far the batch is. Failed: every item failed. Completed and Failed are final.',
      }),
    ),
    conditions: Type.Optional(ConditionList()),
    completed: Type.Optional(Type.Integer({ minimum: 0, description: 'Completed items.' })),
    failed: Type.Optional(Type.Integer({ minimum: 0, description: 'Failed items.' })),
    items: Type.Optional(
      Type.Array(BatchItemResult, {
        maxItems: MOST_BATCH_ITEMS,
        description: 'What came of the items so far, an entry an item.',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['index'],
      }),
    ),
    startedAt: Type.Optional(Timestamp({ description: 'When a renderer took the first item.' })),
    finishedAt: Type.Optional(Timestamp({ description: 'When the last item was done.' })),
    error: Type.Optional(JobError),
    progress: Type.Optional(BatchProgress),
    deliverTo: Type.Optional(DeliverTo()),
  },
  { description: 'How far it is and what came of it; exact once the phase is final.' },
);
/** Progress of a batch; written at most once a second, exact once the phase is final. */
export type BatchStatus = Static<typeof BatchStatus>;

/** Documents of one request, in one resource. */
export type Batch = Resource<BatchSpec, BatchStatus>;

/** The kind Batch, short name `bat`. */
export const BATCH = defineKind<BatchSpec, BatchStatus>({
  kind: 'Batch',
  plural: 'batches',
  singular: 'batch',
  shortNames: ['bat'],
  description:
    'Up to 100 documents from one template, each with data of its own. The spec cannot be changed.',
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
    {
      path: ['spec'],
      rule: immutableMembers(
        'templateRef',
        'revision',
        'version',
        'itemsRef',
        'total',
        'format',
        'options',
        'mode',
        'keyId',
        'expiresAt',
      ),
    },
  ],
});
