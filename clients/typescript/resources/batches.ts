import { segment, type CallOptions, type CreateOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import { Download } from './download.ts';
import { poll, type WaitOptions } from './polling.ts';
import type { Schemas } from './schemas.ts';

const PATH = '/v1/generate/batch';

/** Up to 100 documents from one template (interface, "POST /v1/generate/batch"). */
export type BatchRequest = Schemas['BatchRequest'];

/** A batch as it is answered when it is accepted. */
export type Batch = Readonly<Schemas['Batch']>;

/** What came of one item. */
export type BatchItem = Readonly<Schemas['BatchItem']>;

/** A batch with its items. */
export type BatchWithItems = Readonly<Schemas['BatchInFull']>;

/** A batch at its end. */
export type FinishedBatch = BatchWithItems & { readonly status: 'completed' | 'failed' };

export interface BatchWaitOptions extends WaitOptions {
  /**
   * Called at first, and again whenever more items are done or the status is another, the last time with the end. The
   * wait goes on when what it returns has resolved; when it throws the wait rejects with that.
   */
  readonly onProgress?: ((batch: BatchWithItems) => void | Promise<void>) | undefined;
}

/** Batches of documents. */
export class Batches {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Hands a batch in. Throws ValidationError for the whole when one item is wrong, with paths such as `/items/17/data`. */
  async create(request: BatchRequest, options?: CreateOptions): Promise<Batch> {
    return this.#transport.json({ method: 'POST', path: PATH, body: request, idempotent: true, options });
  }

  /** The batch as it is now. */
  async get(id: string, options?: CallOptions): Promise<BatchWithItems> {
    return this.#transport.json({ method: 'GET', path: pathOf(id), options });
  }

  /** Waits until every item is done. */
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

  /** Downloads the file of one item; with the key that made the batch. */
  async downloadItem(id: string, index: number, options?: CallOptions): Promise<Download> {
    return this.#download(`${pathOf(id)}/items/${segment(String(index))}/download`, options);
  }

  /** Downloads the files of a finished batch as one zip; with the key that made the batch. */
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
