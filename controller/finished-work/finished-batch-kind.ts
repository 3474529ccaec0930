import {
  attachmentsKey,
  batchItemKey,
  documentKeyOfId,
  inputKeys,
  recordKey,
  type Batch,
} from '@trifold/crds';
import { ownItemsPrefix } from '@trifold/platform/records/documents/accepted-work.ts';
import { batchRecordOf, batchRowOf } from '@trifold/platform/records/documents/finished-batch.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { usageOfBatch } from '@trifold/platform/records/usage/work-usage.ts';
import { deliveriesOfBatch } from '../webhooks/events/batch-events.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import type { FinishedKind } from './finished-kind.ts';

const DELETES_AT_ONCE = 8;

/**
 * A finished batch's deliveries, data, files and record. `batches` is the API server, which has the complete batch; the
 * cache may have only what `reducedBatch` keeps.
 */
export function finishedBatches(
  store: ObjectStore,
  outbox: Pick<Outbox, 'deliver'>,
  batches: Pick<ResourceClient<Batch>, 'find'>,
): FinishedKind<Batch> {
  return {
    indexList: 'batches',
    rowOf: batchRowOf,
    usageOf: usageOfBatch,
    isDeleted: () => false,
    async settle(batch, signal) {
      await outbox.deliver(deliveriesOfBatch(batch));
      const prefix = ownItemsPrefix(batch);
      if (prefix === undefined) return true;
      const { namespace, name, uid } = batch.metadata;
      const key = recordKeyOf(batch);
      // The record is stored last: if it exists, everything is done, and the next leader needs only one request to the
      // store per batch.
      const recorded = await store.head(key);
      if (recorded?.metadata['uid'] === uid) return true;
      const whole = await batches.find(namespace, name, signal);
      const record = whole?.metadata.uid === uid ? batchRecordOf(whole) : undefined;
      if (!record) return false;
      await deleteInput(store, batch, prefix);
      // The ID belongs to the batch that used it first.
      const options = { contentType: 'application/json', ifAbsent: true, metadata: { uid } };
      await store.put(key, JSON.stringify(record), options);
      return true;
    },
  };
}

async function deleteInput(store: ObjectStore, { spec }: Batch, prefix: string): Promise<void> {
  const indexes = Array.from({ length: spec.total }, (_, index) => index);
  const keys = indexes.flatMap((index) => inputKeys(batchItemKey(prefix, index)));
  const { objects } = await store.list(prefix);
  const there = new Set(objects.map(({ key }) => key));
  const left = keys.filter((key) => there.has(key));
  if (spec.attachmentsRef) left.push(attachmentsKey(prefix.slice(0, -1)));
  await inParallel(left, DELETES_AT_ONCE, (key) => store.delete(key));
}

function recordKeyOf({ metadata }: Batch): string {
  const { namespace = 'default', name } = metadata;
  return recordKey(documentKeyOfId(namespace, name) ?? '');
}
