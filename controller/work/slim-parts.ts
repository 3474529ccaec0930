import { DELETED_ANNOTATION, type Condition, type ObjectMeta } from '@trifold/crds';

/** Returns the metadata that the retention reads: no labels, and no copy of the object in an annotation of kubectl. */
export function slimMetadata({
  labels: _labels,
  annotations = {},
  ownerReferences: _owners,
  ...kept
}: ObjectMeta): ObjectMeta {
  const deletedAt = annotations[DELETED_ANNOTATION];
  return { ...kept, ...(deletedAt !== undefined && { annotations: { [DELETED_ANNOTATION]: deletedAt } }) };
}

/** Returns the conditions that say when work ended, without their messages. */
export function slimConditions(conditions: readonly Condition[] = []): Condition[] {
  const last = conditions.filter(({ type }) => type === 'Complete' || type === 'Failed');
  return last.map((condition) => ({ ...condition, message: '' }));
}
