import { DELETED_ANNOTATION, type Batch, type GenerationJob, type ObjectMeta } from '@trifold/crds';
import { slimMetadata } from '../../server/pagination/slim-metadata.ts';

/** Reduces a job to what lists show and search: an account may have very many. */
export function slimJob({ apiVersion, kind, metadata, spec, status = {} }: GenerationJob): GenerationJob {
  return {
    apiVersion,
    kind,
    metadata: { ...slimMetadata(metadata), ...deletionOf(metadata) },
    spec: picked(spec, ['templateRef', 'filename', 'clientMetadata', 'expiresAt']),
    status: picked(status, ['phase', 'size', 'renderTimeMs', 'warnings', 'error']),
  };
}

/** Reduces a batch to what lists show and search: neither what the items ask for nor their results. */
export function slimBatch({ apiVersion, kind, metadata, spec, status = {} }: Batch): Batch {
  const { items: _items, options: _options, ...kept } = spec;
  return {
    apiVersion,
    kind,
    metadata: slimMetadata(metadata),
    spec: kept,
    status: picked(status, ['phase', 'completed', 'failed', 'error']),
  };
}

function deletionOf({ annotations = {} }: ObjectMeta): Pick<ObjectMeta, 'annotations'> {
  const deletedAt = annotations[DELETED_ANNOTATION];
  return deletedAt === undefined ? {} : { annotations: { [DELETED_ANNOTATION]: deletedAt } };
}

/** Returns the members that are there. */
function picked<T extends object, Name extends keyof T>(object: T, names: readonly Name[]): Pick<T, Name> {
  const members = names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]]));
  return Object.fromEntries(members) as Pick<T, Name>;
}
