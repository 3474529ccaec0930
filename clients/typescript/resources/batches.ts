import { segment, type CallOptions, type CreateOptions } from '../transport/call.ts';
import { Download } from './download.ts';
import type { OneTemplate } from './generation.ts';
import { poll, type WaitOptions } from './polling.ts';
import { ListedResource, type Query, type Schemas } from './resource.ts';

/** Up to 100 documents from one template (interface, "POST /v1/generate/batch"). */
export type BatchRequest = OneTemplate<Schemas['BatchRequest']>;

/** A batch, as returned when it is accepted. */
export type Batch = Readonly<Schemas['Batch']>;

/** State of one item. */
export type BatchItem = Readonly<Schemas['BatchItem']>;

/** A batch and its items. */
export type BatchWithItems = Readonly<Schemas['BatchInFull']>;

/** A finished batch. */
export type FinishedBatch = BatchWithItems & { readonly status: 'completed' | 'failed' };

/** Filters for a batch list. `metadata` matches batches that have all these entries. */
export type BatchQuery = Query<'listBatches'>;

export interface BatchWaitOptions extends WaitOptions {
  /**
   * Called first with the current batch, then whenever the status or the number of finished items changes, and last
   * with the finished batch. The wait continues when the returned promise resolves; an error rejects the wait.
   */
  readonly onProgress?: ((batch: BatchWithItems) => void | Promise<void>) | undefined;
}

/** Batches of documents. Lists show those from the last 24 hours, without their items. */
export class Batches extends ListedResource<Batch, BatchQuery> {
  protected readonly path = '/v1/generate/batch';

  /**
   * Creates a batch. Throws ValidationError for the whole batch if one item is invalid, with paths such as
   * `/items/17/data`.
   */
  async create(request: BatchRequest, options?: CreateOptions): Promise<Batch> {
    return this.transport.json({ method: 'POST', path: this.path, body: request, idempotent: true, options });
  }

  /** Returns the current batch. */
  async get(id: string, options?: CallOptions): Promise<BatchWithItems> {
    return this.transport.json({ method: 'GET', path: this.pathOf(id), options });
  }

  /** Waits until every item is finished. */
  async wait(id: string, options: BatchWaitOptions = {}): Promise<FinishedBatch> {
    const { signal, timeoutMs } = options;
    let previous = '';
    const look = async (): Promise<BatchWithItems> => {
      const batch = await this.get(id, { signal, timeoutMs });
      const current = [batch.status, batch.completed, batch.failed].join(' ');
      if (current !== previous) await options.onProgress?.(batch);
      previous = current;
      return batch;
    };
    return poll(look, isFinished, options);
  }

  /** Downloads the file of one item. Requires the key that created the batch. */
  async downloadItem(id: string, index: number, options?: CallOptions): Promise<Download> {
    return Download.open(
      this.transport,
      this.pathOf(id, `/items/${segment(String(index))}/download`),
      options,
    );
  }

  /** Downloads the files of a finished batch as one ZIP file. Requires the key that created the batch. */
  async downloadZip(id: string, options?: CallOptions): Promise<Download> {
    return Download.open(this.transport, this.pathOf(id, '/download'), options);
  }
}

function isFinished(batch: BatchWithItems): batch is FinishedBatch {
  return batch.status === 'completed' || batch.status === 'failed';
}
