import { DELETED_ANNOTATION, type Batch, type GenerationJob, type ObjectMeta } from '@trifold/crds';
import { picked } from '@trifold/platform/service/picked.ts';
import { listMetadata } from '../../server/pagination/list-metadata.ts';

/** Reduces a job to what lists show and search: an account may have very many. */
export function listedJob({ apiVersion, kind, metadata, spec, status = {} }: GenerationJob): GenerationJob {
  return {
    apiVersion,
    kind,
    metadata: { ...listMetadata(metadata), ...deletionOf(metadata) },
    spec: picked(spec, ['templateRef', 'filename', 'clientMetadata', 'expiresAt']),
    status: picked(status, ['phase', 'size', 'renderTimeMs', 'warnings', 'error']),
  };
}

/** Reduces a batch to what lists show and search: neither what the items ask for nor their results. */
export function listedBatch({ apiVersion, kind, metadata, spec, status = {} }: Batch): Batch {
  const { items: _items, options: _options, ...kept } = spec;
  return {
    apiVersion,
    kind,
    metadata: listMetadata(metadata),
    spec: kept,
    status: picked(status, ['phase', 'completed', 'failed', 'error']),
  };
}

function deletionOf({ annotations = {} }: ObjectMeta): Pick<ObjectMeta, 'annotations'> {
  const deletedAt = annotations[DELETED_ANNOTATION];
  return deletedAt === undefined ? {} : { annotations: { [DELETED_ANNOTATION]: deletedAt } };
}
