import { segment, type CallOptions, type CreateOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import { Download } from './download.ts';
import { everyEntry, type Page } from './pages.ts';
import { poll, type WaitOptions } from './polling.ts';
import type { Query, Schemas } from './schemas.ts';

const PATH = '/v1/generate/batch';

/** Up to 100 documents from one template (interface, "POST /v1/generate/batch"). */
export type BatchRequest = Schemas['BatchRequest'];

/** A batch, as returned when it is accepted. */
export type Batch = Readonly<Schemas['Batch']>;

/** State of one item. */
export type BatchItem = Readonly<Schemas['BatchItem']>;

/** A batch with its items. */
export type BatchWithItems = Readonly<Schemas['BatchInFull']>;

/** A finished batch. */
export type FinishedBatch = BatchWithItems & { readonly status: 'completed' | 'failed' };

/** Filters of a list of batches. `metadata` matches batches that have all these members. */
export type BatchQuery = Query<'listBatches'>;

export interface BatchWaitOptions extends WaitOptions {
  /**
   * Called first with the current batch, then whenever the status or the number of finished items changes, and last
   * with the finished batch. The wait continues when the returned promise resolves; an error rejects the wait.
   */
  readonly onProgress?: ((batch: BatchWithItems) => void | Promise<void>) | undefined;
}

/** Batches of documents. */
export class Batches {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a batch. Throws ValidationError for the whole batch if one item is invalid, with paths such as
   * `/items/17/data`.
   */
  async create(request: BatchRequest, options?: CreateOptions): Promise<Batch> {
    return this.#transport.json({ method: 'POST', path: PATH, body: request, idempotent: true, options });
  }

  /** Returns the current batch. */
  async get(id: string, options?: CallOptions): Promise<BatchWithItems> {
    return this.#transport.json({ method: 'GET', path: pathOf(id), options });
  }

  /** Returns one page of the batches of the last 24 hours, newest first, without their items. */
  async page(query: BatchQuery = {}, options?: CallOptions): Promise<Page<Batch>> {
    return this.#transport.json({ method: 'GET', path: PATH, query: { ...query }, options });
  }

  /** Iterates over the batches of the last 24 hours, newest first, and loads pages on demand. */
  list(query: BatchQuery = {}, options?: CallOptions): AsyncGenerator<Batch, void, undefined> {
    return everyEntry((cursor) => this.page({ ...query, cursor }, options), query.cursor);
  }

  /** Waits until every item is finished. */
  async wait(id: string, options: BatchWaitOptions = {}): Promise<FinishedBatch> {
    const { signal, timeoutMs } = options;
    let told = '';
    const look = async (): Promise<BatchWithItems> => {
      const batch = await this.get(id, { signal, timeoutMs });
      const news = [batch.status, batch.completed, batch.failed].join(' ');
      if (news !== told) await options.onProgress?.(batch);
      told = news;
      return batch;
    };
    return poll(look, isFinished, options);
  }

  /** Downloads the file of one item. Requires the key that created the batch. */
  async downloadItem(id: string, index: number, options?: CallOptions): Promise<Download> {
    return this.#download(`${pathOf(id)}/items/${segment(String(index))}/download`, options);
  }

  /** Downloads the files of a finished batch as one zip. Requires the key that created the batch. */
  async downloadZip(id: string, options?: CallOptions): Promise<Download> {
    return this.#download(`${pathOf(id)}/download`, options);
  }

  async #download(path: string, options: CallOptions | undefined): Promise<Download> {
    const call = { method: 'GET', path, accept: '*/*', options } as const;
    return this.#transport.send(call, async (response) => new Download(response, call));
  }
}

function pathOf(id: string): string {
  return `${PATH}/${segment(id)}`;
}

function isFinished(batch: BatchWithItems): batch is FinishedBatch {
  return batch.status === 'completed' || batch.status === 'failed';
}
