import { eventually } from '../support/eventually.ts';
import { absolutePath } from './run-case.ts';
import type { ConformanceTarget } from './target.ts';

/** A line of a watch stream. */
export interface WatchEvent {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly metadata: {
      readonly name: string;
      readonly resourceVersion: string;
      readonly [member: string]: unknown;
    };
    readonly [member: string]: unknown;
  };
}

export interface WatchOptions {
  /** Path in the form used in cases, for example `templates`. */
  readonly path?: string;
  readonly namespace: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
}

/** A watch that collects its events. */
export class WatchStream {
  readonly events: WatchEvent[] = [];
  readonly status: number;
  /** Whether the server has ended the stream. */
  ended = false;
  readonly #abort: AbortController;

  private constructor(status: number, abort: AbortController) {
    this.status = status;
    this.#abort = abort;
  }

  static async open(target: ConformanceTarget, options: WatchOptions): Promise<WatchStream> {
    const abort = new AbortController();
    const query = new URLSearchParams({ ...options.query, watch: 'true' });
    const path = `${absolutePath(options.path ?? 'templates', options.namespace)}?${query.toString()}`;
    const response = await target.client.open({
      method: 'GET',
      path,
      signal: abort.signal,
      ...(options.accept !== undefined && { headers: { accept: options.accept } }),
    });
    const stream = new WatchStream(response.status, abort);
    void stream.#read(response.body);
    return stream;
  }

  /** Waits for `count` events other than bookmarks, and returns all of them as `TYPE name`. */
  async seen(count: number): Promise<string[]> {
    const changes = () => this.events.filter(({ type }) => type !== 'BOOKMARK');
    await eventually(() => changes().length >= count);
    return changes().map(({ type, object }) => `${type} ${object.metadata.name}`);
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(body: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const piece of body) {
        const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        this.events.push(...lines.filter(Boolean).map((line) => JSON.parse(line) as WatchEvent));
      }
      this.ended = true;
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error;
    }
  }
}
