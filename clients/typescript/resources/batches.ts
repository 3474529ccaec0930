import { segment, type CallOptions, type CreateOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import { Download } from './download.ts';
import type { DocumentFormat, GenerationOptions } from './generation-options.ts';
import { poll, type WaitOptions } from './polling.ts';

const PATH = '/v1/generate/batch';

/** Up to 100 documents from one template (interface, "POST /v1/generate/batch"). */
export interface BatchRequest {
  template_id: string;
  format: DocumentFormat;
  /** 1 to 100, each with the values of one document. */
  items: readonly { data: object }[];
  options?: GenerationOptions;
}

/** A batch as it is answered when it is accepted. */
export interface Batch {
  readonly id: string;
  /** `completed` when at least one item is, `failed` when every item failed. */
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  readonly template_id: string;
  readonly format: DocumentFormat;
  /** Items in all, and how many of them are done. */
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601; afterwards no file can be downloaded any more. */
  readonly expires_at: string;
  /** Where the status is, below the base URL. */
  readonly status_url: string;
  /** Why the batch as a whole failed, when it is not for its items. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** What came of one item. */
export interface BatchItem {
  /** Place in the request, from 0. */
  readonly index: number;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Where the file is, below the base URL; once completed. */
  readonly file_url?: string;
  /** Bytes. */
  readonly file_size?: number;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A batch with its items. */
export interface BatchWithItems extends Batch {
  readonly items: readonly BatchItem[];
}

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
