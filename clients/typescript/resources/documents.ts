import type { Writable } from 'node:stream';
import { GenerationFailedError } from '../errors/errors.ts';
import type { CallOptions, CreateOptions } from '../transport/call.ts';
import { readJson } from '../transport/transport.ts';
import { Download } from './download.ts';
import type {
  FinishedGeneration,
  GenerateRequest,
  Generation,
  PdfRequest,
  UnfinishedGeneration,
} from './generation.ts';
import { poll, type WaitOptions } from './polling.ts';
import { ListedResource, type Query, type Schemas } from './resource.ts';

/** Filters for a document list. `metadata` matches documents that have all these entries. */
export type DocumentQuery = Query<'listDocuments'>;

/** Documents (interface, "Generation"). Lists show those from the last 24 hours. */
export class Documents extends ListedResource<Generation, DocumentQuery> {
  protected readonly path = '/v1/generate';

  /**
   * Generates a document and waits for it. Check `status`: with `failed`, `error` contains the reason; with
   * `processing`, the service stopped waiting after 30 s: continue with `wait`.
   */
  async generate(request: GenerateRequest, options?: CreateOptions): Promise<Generation> {
    return this.transport.json({ method: 'POST', path: this.path, body: request, idempotent: true, options });
  }

  /** Starts generating a document and returns immediately. After a retry, the document may be finished. */
  async generateAsync(request: GenerateRequest, options?: CreateOptions): Promise<Generation> {
    const body = { ...request, async: true };
    return this.transport.json({ method: 'POST', path: this.path, body, idempotent: true, options });
  }

  /**
   * Generates a PDF and returns the file itself. If the service stops waiting first, polls until completion and
   * downloads the file. Throws GenerationFailedError if the generation fails. `timeoutMs` applies to each request,
   * `signal` to the whole call.
   */
  async pdf(request: PdfRequest, options?: CreateOptions): Promise<Download> {
    const call = {
      method: 'POST',
      path: this.path,
      body: request,
      accept: 'application/pdf',
      idempotent: true,
      options,
    } as const;
    const answer = await this.transport.send(call, async (response) =>
      response.status === 202 ? readJson<UnfinishedGeneration>(response, call) : new Download(response, call),
    );
    if (answer instanceof Download) return answer;
    const { id } = answer;
    const { signal, timeoutMs } = options ?? {};
    const end = await this.wait(id, { signal, timeoutMs });
    if (end.status === 'failed') {
      throw new GenerationFailedError(end.error.message, { code: 'generation_failed' }, end);
    }
    return this.download(id, options);
  }

  /** Returns the current document. */
  async get(id: string, options?: CallOptions): Promise<Generation> {
    return this.transport.json({ method: 'GET', path: this.pathOf(id), options });
  }

  /** Waits until the document is completed or failed. */
  async wait(id: string, options: WaitOptions = {}): Promise<FinishedGeneration> {
    const { signal, timeoutMs } = options;
    return poll(() => this.get(id, { signal, timeoutMs }), isFinished, options);
  }

  /**
   * Returns the data of an unfinished or failed document. Requires the key that created the document. Throws
   * `data_deleted` if it is not stored.
   */
  async data(id: string, options?: CallOptions): Promise<Record<string, unknown>> {
    return this.transport.json({ method: 'GET', path: this.pathOf(id, '/data'), options });
  }

  /** Downloads the file. Requires the key that created the document. The signal applies until the end of the stream. */
  async download(id: string, options?: CallOptions): Promise<Download> {
    return Download.open(this.transport, this.pathOf(id, '/download'), options);
  }

  /** Downloads the file into a Node or web stream, ends the stream and returns the file's properties. */
  async downloadTo(
    id: string,
    target: Writable | WritableStream<Uint8Array>,
    options?: CallOptions,
  ): Promise<Omit<Download, 'stream' | 'bytes' | 'pipeTo'>> {
    const download = await this.download(id, options);
    await download.pipeTo(target);
    return download;
  }

  /**
   * Deletes a document. An unfinished one ends as failed, with the code `cancelled`. Requires the key that created the
   * document.
   */
  async delete(id: string, options?: CallOptions): Promise<Readonly<Schemas['Deleted']>> {
    return this.transport.json({ method: 'DELETE', path: this.pathOf(id), options });
  }
}

function isFinished(generation: Generation): generation is FinishedGeneration {
  return generation.status === 'completed' || generation.status === 'failed';
}
