import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Api, GenerationAnswer } from '../support/api.ts';
import { eventually } from '../support/conditions.ts';
import { textOf } from '../support/pdf.ts';

const HTML =
  '<p>Number {{number}}</p><table style="font-size:2pt">{{#each rows}}<tr><td>{{this}}</td></tr>{{/each}}</table>';
/** A tenth of a second and more each, so that there are always some waiting, some in hand and some done. */
const ROWS = Array.from({ length: 1_500 }, (_, row) => `Row ${row}`);

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

  /** Accepts that many and answers their ids. */
  async accept(count: number): Promise<string[]> {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, number) => this.#ask({ number, rows: ROWS }, { async: true })),
    );
    for (const { status, text } of answers) expect(status, text).toBe(202);
    return answers.map((answer) => answer.json<GenerationAnswer>().id);
  }

  /** Waits until some of them are finished; not all of them may be. */
  async midway(ids: readonly string[]): Promise<void> {
    const finished = async (id: string) => {
      const answer = await this.#api.get(`/v1/generate/${id}`);
      return ['completed', 'failed'].includes(answer.json<GenerationAnswer>().status);
    };
    // They are finished in about the order in which they were accepted.
    await eventually('some are finished', async () =>
      (await Promise.all(ids.slice(0, 3).map(finished))).some(Boolean),
    );
    expect(await finished(ids.at(-1)!), 'all were finished before anybody looked').toBe(false);
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
    const rows = size === 'large' ? ROWS : [];
    return new Traffic(callers, async () => {
      const answer = await this.#ask({ number: 0, rows }, {});
      const { status, error } = answer.json<GenerationAnswer>();
      if (answer.status !== 200 || status !== 'completed') {
        throw new Error(`${answer.status} ${status}: ${error?.message ?? answer.text}`);
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
    await eventually(`${count} more answers`, () => this.#answered >= before + count, { deadlineMs: 60_000 });
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
