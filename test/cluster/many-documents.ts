import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Api, GenerationResponse } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { textOf } from '../support/files/pdf.ts';

/** Each document takes at least 0.2 s, so that there is time to act while fifty of them render. */
const ROWS = Array.from({ length: 3_000 }, (_, row) => `<tr><td>Row ${row}</td><td>Row ${row}</td></tr>`);

/**
 * The page is slow to lay out but has little visible text, so that the test reads the page quickly. The rows are in the
 * template, so that a request is small and is accepted much faster than its document renders.
 */
const HTML = `
  <p>Number {{number}}</p>
  {{#if large}}
    <div style="height: 1em; overflow: hidden"><table>${ROWS.join('')}</table></div>
  {{/if}}`;

/** Slow documents, requested concurrently and checked later. */
export class ManyDocuments {
  readonly #api: Api;
  /** ID of their template. */
  readonly template: string;

  private constructor(api: Api, template: string) {
    this.#api = api;
    this.template = template;
  }

  static async prepare(api: Api): Promise<ManyDocuments> {
    return new ManyDocuments(api, (await api.createTemplate({ html: HTML })).id);
  }

  /** Creates `count` documents and returns their IDs while some of them are pending or processing. */
  async inFlight(count: number): Promise<string[]> {
    const ids = await this.accept(count);
    const responses = await Promise.all(ids.map((id) => this.#api.get(`/v1/generate/${id}`)));
    const unfinished = responses.filter((response) =>
      ['pending', 'processing'].includes(response.json<GenerationResponse>().status),
    );
    expect(unfinished.length).toBeGreaterThan(0);
    return ids;
  }

  /** Creates `count` documents and returns their IDs. */
  async accept(count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, (_, number) => this.#accept(number)));
  }

  /** Retries after 503: a busy service has not accepted the document. */
  async #accept(number: number): Promise<string> {
    const response = await eventually(async () => {
      const sent = await this.#ask({ number, large: true }, { async: true });
      return sent.status !== 503 && sent;
    });
    expect(response.status, response.text).toBe(202);
    return response.json<GenerationResponse>().id;
  }

  /** Expects every document to complete with the requested file. */
  async expectAll(ids: readonly string[], timeoutMs = 150_000): Promise<void> {
    const finished = await Promise.all(ids.map((id) => this.#api.finished(id, timeoutMs)));
    expect(finished.map(({ status, error }) => error?.message ?? status)).toEqual(ids.map(() => 'completed'));
    await this.#expectFiles(ids.map((id) => `/v1/generate/${id}/download`));
  }

  /** Expects the file at the n-th path to be document number n. */
  async #expectFiles(paths: readonly string[]): Promise<void> {
    const numbers: (string | undefined)[] = [];
    for (const path of paths) {
      // Like any client, the test retries a busy service.
      const response = await eventually(async () => {
        const sent = await this.#api.get(path);
        return sent.status !== 503 && sent;
      });
      expect(response.status, response.text.slice(0, 500)).toBe(200);
      numbers.push(/Number (\d+)/.exec(await textOf(response.bytes))?.[1]);
    }
    expect(numbers).toEqual(paths.map((_, number) => String(number)));
  }

  /** Starts callers that each request one document after another: small ones, or large ones that print slowly. */
  traffic(callers: number, size: 'small' | 'large' = 'small'): Traffic {
    const large = size === 'large';
    return new Traffic(callers, async () => {
      const response = await this.#ask({ number: 0, large }, {});
      const { id, status, error } = response.json<GenerationResponse>();
      // Behind many others, a document may take longer than a request waits.
      const end = response.status === 202 ? (await this.#api.finished(id, 150_000)).status : status;
      if (![200, 202].includes(response.status) || end !== 'completed') {
        throw new Error(`${response.status} ${end}: ${error?.message ?? response.text}`);
      }
    });
  }

  #ask(data: object, more: object): ReturnType<Api['post']> {
    return this.#api.post('/v1/generate', { template_id: this.template, data, ...more });
  }
}

/** Continuous requests without retries: each failure is one a client would see. */
export class Traffic {
  readonly #failures: string[] = [];
  readonly #callers: Promise<void>[];
  #answered = 0;
  #stopped = false;

  constructor(callers: number, request: () => Promise<void>) {
    this.#callers = Array.from({ length: callers }, () => this.#run(request));
  }

  /** Number of successful requests so far. */
  get answered(): number {
    return this.#answered;
  }

  /** Waits for `count` more successful requests. */
  async more(count: number): Promise<void> {
    const before = this.#answered;
    await eventually(() => this.#answered >= before + count, { timeoutMs: 150_000 });
  }

  /** Stops the requests and returns the failures. */
  async stop(): Promise<readonly string[]> {
    this.#stopped = true;
    await Promise.all(this.#callers);
    return this.#failures;
  }

  async #run(request: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      try {
        await request();
        this.#answered += 1;
      } catch (error) {
        const { message, cause } = error as Error;
        const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string };
        this.#failures.push([message, code, reason].filter(Boolean).join(' '));
        // After an immediate failure, wait a little instead of sending a thousand requests a second.
        await pause(20);
      }
    }
  }
}
