import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Api, GenerationAnswer } from '../support/api.ts';
import { eventually } from '../support/conditions.ts';
import { textOf } from '../support/pdf.ts';

/** A fifth of a second and more each: while fifty of them are made, there is time to do something. */
const ROWS = Array.from({ length: 3_000 }, (_, row) => `<tr><td>Row ${row}</td><td>Row ${row}</td></tr>`);

/**
 * Much to lay out, little to see, so that the page is quickly read again. The rows are the template's: a request is
 * small and accepted in a small part of the time that its document takes.
 */
const HTML = `
  <p>Number {{number}}</p>
  {{#if large}}
    <div style="height: 1em; overflow: hidden"><table>${ROWS.join('')}</table></div>
  {{/if}}`;

/** Documents that take a while, asked for at once and looked for later. */
export class ManyDocuments {
  readonly #api: Api;
  readonly #template: string;

  private constructor(api: Api, template: string) {
    this.#api = api;
    this.#template = template;
  }

  static async prepare(api: Api): Promise<ManyDocuments> {
    return new ManyDocuments(api, (await api.createTemplate({ html: HTML })).id);
  }

  /** Has that many accepted, and answers their ids while some of them are waiting or in hand. */
  async inFlight(count: number): Promise<string[]> {
    const ids = await this.accept(count);
    const answers = await Promise.all(ids.map((id) => this.#api.get(`/v1/generate/${id}`)));
    const unfinished = answers.filter((answer) =>
      ['pending', 'processing'].includes(answer.json<GenerationAnswer>().status),
    );
    expect(unfinished.length).toBeGreaterThan(0);
    return ids;
  }

  /** Has that many accepted, and answers their ids. */
  async accept(count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, (_, number) => this.#accept(number)));
  }

  /** A busy service may ask for patience: what it answers 503 was not accepted. */
  async #accept(number: number): Promise<string> {
    const answer = await eventually('a document is accepted or refused', async () => {
      const sent = await this.#ask({ number, large: true }, { async: true });
      return sent.status !== 503 && sent;
    });
    expect(answer.status, answer.text).toBe(202);
    return answer.json<GenerationAnswer>().id;
  }

  /** Each is complete, and its file is there and the one that was asked for. */
  async expectAll(ids: readonly string[], deadlineMs = 150_000): Promise<void> {
    const finished = await Promise.all(ids.map((id) => this.#api.finished(id, deadlineMs)));
    expect(finished.map(({ status, error }) => error?.message ?? status)).toEqual(ids.map(() => 'completed'));
    const numbers: (string | undefined)[] = [];
    for (const id of ids) {
      const { bytes } = await this.#api.get(`/v1/generate/${id}/download`);
      numbers.push(/Number (\d+)/.exec(await textOf(bytes))?.[1]);
    }
    expect(numbers).toEqual(ids.map((_, number) => String(number)));
  }

  /** Starts callers that each wait for one document after the other: small ones, or ones that take their time to print. */
  traffic(callers: number, size: 'small' | 'large' = 'small'): Traffic {
    const large = size === 'large';
    return new Traffic(callers, async () => {
      const answer = await this.#ask({ number: 0, large }, {});
      const { id, status, error } = answer.json<GenerationAnswer>();
      // Behind many others it may take longer than a request waits.
      const end = answer.status === 202 ? (await this.#api.finished(id, 150_000)).status : status;
      if (![200, 202].includes(answer.status) || end !== 'completed') {
        throw new Error(`${answer.status} ${end}: ${error?.message ?? answer.text}`);
      }
    });
  }

  #ask(data: object, more: object): ReturnType<Api['post']> {
    return this.#api.post('/v1/generate', { template_id: this.#template, data, ...more });
  }
}

/** Requests without end, none of them repeated: what one of them meets is what a client meets. */
export class Traffic {
  readonly #failures: string[] = [];
  readonly #callers: Promise<void>[];
  #answered = 0;
  #stopped = false;

  constructor(callers: number, request: () => Promise<void>) {
    this.#callers = Array.from({ length: callers }, () => this.#run(request));
  }

  /** Requests answered well so far. */
  get answered(): number {
    return this.#answered;
  }

  /** Waits for so many more to be answered well. */
  async more(count: number): Promise<void> {
    const before = this.#answered;
    await eventually(`${count} more answers`, () => this.#answered >= before + count, {
      deadlineMs: 150_000,
    });
  }

  /** Ends it, and answers what went wrong. */
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
        // Whoever is refused at once is asked again a little later, not a thousand times a second.
        await pause(20);
      }
    }
  }
}
