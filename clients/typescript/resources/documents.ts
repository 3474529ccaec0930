import type { Writable } from 'node:stream';
import { GenerationFailedError } from '../errors/errors.ts';
import { segment, type CallOptions, type CreateOptions } from '../transport/call.ts';
import { readJson, type Transport } from '../transport/transport.ts';
import { Download } from './download.ts';
import type {
  FailedGeneration,
  FinishedGeneration,
  GenerateRequest,
  Generation,
  UnfinishedGeneration,
} from './generation.ts';
import { poll, type WaitOptions } from './polling.ts';

const PATH = '/v1/generate';

/** What a PDF is made from; with a webhook_url the service does not stream the file. */
export type PdfRequest = Omit<GenerateRequest, 'webhook_url' | 'format'>;

/** Documents (interface, "Generation"). */
export class Documents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Makes a document and waits for it. Look at `status`: `failed` says why in `error`; `processing` means that the
   * service's own wait (30 s) ran out before the end, which `wait` goes on with.
   */
  async generate(request: GenerateRequest, options?: CreateOptions): Promise<Generation> {
    return this.#transport.json({ method: 'POST', path: PATH, body: request, idempotent: true, options });
  }

  /** Has a document made and answers at once. */
  async generateAsync(request: GenerateRequest, options?: CreateOptions): Promise<UnfinishedGeneration> {
    const body = { ...request, async: true };
    return this.#transport.json({ method: 'POST', path: PATH, body, idempotent: true, options });
  }

  /**
   * Makes a PDF and gives the file itself. When the service's wait runs out, waits on and downloads it. Throws
   * GenerationFailedError when it cannot be made. `timeoutMs` holds for each request, `signal` for all of it.
   */
  async pdf(request: PdfRequest, options?: CreateOptions): Promise<Download> {
    const call = {
      method: 'POST',
      path: PATH,
      body: request,
      accept: 'application/pdf',
      idempotent: true,
      options,
    } as const;
    const answer = await this.#transport.send(call, async (response) =>
      response.status === 202 ? readJson<UnfinishedGeneration>(response, call) : new Download(response, call),
    );
    if (answer instanceof Download) return answer;
    const { id } = answer;
    const { signal, timeoutMs } = options ?? {};
    const end = await this.wait(id, { signal, timeoutMs });
    if (end.status === 'failed') throw failure(end);
    return this.download(id, options);
  }

  /** The document as it is now. */
  async get(id: string, options?: CallOptions): Promise<Generation> {
    return this.#transport.json({ method: 'GET', path: pathOf(id), options });
  }

  /** Waits until the document is completed or failed. */
  async wait(id: string, options: WaitOptions = {}): Promise<FinishedGeneration> {
    const { signal, timeoutMs } = options;
    return poll(() => this.get(id, { signal, timeoutMs }), isFinished, options);
  }

  /** Downloads the file; with the key that made the document. The signal counts to the end of the stream. */
  async download(id: string, options?: CallOptions): Promise<Download> {
    const path = `${pathOf(id)}/download`;
    const call = { method: 'GET', path, accept: '*/*', options } as const;
    return this.#transport.send(call, async (response) => new Download(response, call));
  }

  /** Downloads the file into a stream of Node or of the web, ends that, and tells what the file is. */
  async downloadTo(
    id: string,
    target: Writable | WritableStream<Uint8Array>,
    options?: CallOptions,
  ): Promise<Omit<Download, 'stream' | 'bytes' | 'pipeTo'>> {
    const download = await this.download(id, options);
    await download.pipeTo(target);
    return download;
  }
}

function pathOf(id: string): string {
  return `${PATH}/${segment(id)}`;
}

function isFinished(generation: Generation): generation is FinishedGeneration {
  return generation.status === 'completed' || generation.status === 'failed';
}

function failure(generation: FailedGeneration): GenerationFailedError {
  return new GenerationFailedError(generation.error.message, { code: 'generation_failed' }, generation);
}
