import { Type, type Static } from 'typebox';
import { exactlyOneOf, immutableExcept } from '../schema/cel.ts';
import { CLIENT_METADATA_RULE } from '../schema/client-metadata.ts';
import { ConditionList, ObservedGeneration } from '../conditions.ts';
import { DeliverTo } from './deliver-to.ts';
import { DOCUMENT_FORMATS } from '../schema/document-format.ts';
import { EndpointUrl } from '../schema/endpoint-url.ts';
import { defineKind } from '../schema/kind.ts';
import { RENDER_OPTIONS_RULES, RenderOptions } from '../schema/render-options.ts';
import type { Resource } from '../schema/resource.ts';
import { AnyJsonObject, Filename, ObjectRef, Sha256, StringEnum } from '../schema/schema.ts';
import {
  ATTACHMENTS_RULE,
  attachmentsRef,
  documentMembers,
  documentResultMembers,
  GENERATION_PHASES,
  workMembers,
  type GenerationPhase,
} from './work.ts';
import { TEMPLATE_RULES, templateMembers } from './work-template.ts';

/** Label: the gateway instance that waits for the job. */
export const GATEWAY_LABEL = 'trifold.dev/gateway';

/**
 * Annotation: deletes the document. The gateway sets it to the time of the request; kubectl can set it to any value. It
 * cancels an unfinished job.
 */
export const DELETED_ANNOTATION = 'trifold.dev/deleted-at';

/** Annotation: the request contained its own e-invoice. The gateway sets it to `true`. */
export const OWN_E_INVOICE_ANNOTATION = 'trifold.dev/own-e-invoice';

export const GenerationJobSpec = Type.Object(
  {
    ...templateMembers('the document'),
    data: Type.Optional(
      AnyJsonObject({
        'x-kubernetes-map-type': 'atomic',
        description: 'Values for the template bindings.',
      }),
    ),
    dataRef: Type.Optional(ObjectRef),
    attachmentsRef: attachmentsRef('the document, including its e-invoice'),
    format: Type.Optional(StringEnum(DOCUMENT_FORMATS, { default: 'pdf', description: 'File format.' })),
    options: Type.Optional(RenderOptions),
    filename: Type.Optional(Filename()),
    callbackURL: Type.Optional(
      EndpointUrl({
        description:
          'Additional URL that receives an unsigned notification when the document completes or fails.',
      }),
    ),
    ...workMembers('job'),
  },
  { description: 'Specification of the document. Immutable except for ttlSecondsAfterFinished.' },
);
export type GenerationJobSpec = Static<typeof GenerationJobSpec>;

export const GenerationJobStatus = Type.Object(
  {
    observedGeneration: Type.Optional(ObservedGeneration),
    phase: Type.Optional(
      StringEnum(GENERATION_PHASES, { description: 'Progress of the job; Completed and Failed are final.' }),
    ),
    conditions: Type.Optional(ConditionList()),
    revision: Type.Optional(Sha256({ description: 'SHA-256 of the rendered content.' })),
    version: Type.Optional(Type.Integer({ minimum: 1, description: 'Version of the template.' })),
    attachmentsRef: Type.Optional(
      Type.Object(ObjectRef.properties, {
        description:
          'E-invoice in the object store, if the job does not come from the gateway. The controller creates it.',
      }),
    ),
    objectKey: Type.Optional(
      Type.String({ maxLength: 512, description: 'Key of the file in the object store.' }),
    ),
    ...documentMembers,
    ...documentResultMembers,
    deliverTo: Type.Optional(DeliverTo()),
  },
  { description: 'Progress and result.' },
);
export type GenerationJobStatus = Static<typeof GenerationJobStatus>;

export type GenerationJob = Resource<GenerationJobSpec, GenerationJobStatus>;

export const GENERATION_JOB = defineKind<GenerationJobSpec, GenerationJobStatus>({
  kind: 'GenerationJob',
  plural: 'generationjobs',
  singular: 'generationjob',
  shortNames: ['gj'],
  description:
    'One document from a template and data. The spec is immutable, except for ttlSecondsAfterFinished; a job whose data is changed before it is dispatched fails. The trifold.dev/deleted-at annotation deletes the document, or cancels it if it is unfinished.',
  spec: GenerationJobSpec,
  status: GenerationJobStatus,
  columns: [
    { name: 'Template', type: 'string', jsonPath: '.spec.templateRef.name' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Pages', type: 'integer', jsonPath: '.status.pages' },
    { name: 'Size', type: 'integer', jsonPath: '.status.size', description: 'File size in bytes.' },
    { name: 'Render ms', type: 'integer', jsonPath: '.status.renderTimeMs' },
    { name: 'Error', type: 'string', jsonPath: '.status.error.code' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Format', type: 'string', jsonPath: '.spec.format', priority: 1 },
    { name: 'Version', type: 'integer', jsonPath: '.status.version', priority: 1 },
    { name: 'Attempt', type: 'integer', jsonPath: '.status.attempt', priority: 1 },
    { name: 'Message', type: 'string', jsonPath: '.status.error.message', priority: 1 },
  ],
  selectableFields: ['.spec.templateRef.name', '.status.phase'],
  rules: [
    ...RENDER_OPTIONS_RULES.map((rule) => ({ path: ['spec', 'options'], rule })),
    ...TEMPLATE_RULES,
    { path: ['spec', 'clientMetadata'], rule: CLIENT_METADATA_RULE },
    { path: ['spec'], rule: exactlyOneOf('data', 'dataRef') },
    { path: ['spec'], rule: ATTACHMENTS_RULE },
    // CEL cannot see `data`, whose fields are not declared; the controller detects its changes by the generation.
    { path: ['spec'], rule: immutableExcept(GenerationJobSpec, 'data', 'ttlSecondsAfterFinished') },
  ],
});

/** Whether the job or batch has reached a final phase. */
export function isFinished({ status }: { readonly status?: { readonly phase?: GenerationPhase } }): boolean {
  return status?.phase === 'Completed' || status?.phase === 'Failed';
}
