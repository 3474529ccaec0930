import { batchItemKey, type Batch } from '@trifold/crds';
import { ownItemsPrefix } from '@trifold/platform/records/documents/accepted-work.ts';
import { newDocument, newWork, TrackedIndex, type TrackedWork } from '../tracked-work.ts';

/** This process's state for an unfinished batch, with one document per item. */
export type TrackedBatch = TrackedWork;

/** Creates the index of this process's unfinished batches. */
export function createTrackedBatches(): TrackedIndex<Batch, TrackedBatch> {
  return new TrackedIndex({
    begin(batch, inherited) {
      const { metadata, spec, status } = batch;
      // A manually created batch may reuse an ID; the gateway generates a new ID for each batch.
      const lookUp = inherited || spec.keyId === undefined || status?.phase !== undefined;
      const prefix = ownItemsPrefix(batch);
      const documentAt = (index: number) => {
        const key = prefix === undefined ? undefined : batchItemKey(prefix, index);
        return newDocument({ index, id: `${metadata.uid}-${index}`, key }, lookUp);
      };
      return newWork(
        batch,
        'batch',
        Array.from({ length: spec.total }, (_, index) => documentAt(index)),
      );
    },
    recordsOf: ({ status }) => status?.items ?? [],
  });
}
