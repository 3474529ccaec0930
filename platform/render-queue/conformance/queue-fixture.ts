import { expect } from 'vitest';
import type { RenderQueue } from '../port.ts';
import { HeldTasks } from './held-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

/** A queue for one test, initially empty. */
export interface QueueUnderTest {
  readonly queue: RenderQueue;
  close(): Promise<void>;
}

/** The queue of the current test and its active tasks. */
export class QueueFixture {
  readonly #create: () => Promise<QueueUnderTest>;
  #current: { readonly made: QueueUnderTest; readonly held: HeldTasks } | undefined;

  constructor(create: () => Promise<QueueUnderTest>) {
    this.#create = create;
  }

  async begin(): Promise<void> {
    this.#current = { made: await this.#create(), held: new HeldTasks() };
  }

  async end(): Promise<void> {
    await this.#current?.made.close();
    this.#current = undefined;
  }

  get queue(): RenderQueue {
    return this.#now.made.queue;
  }

  get held(): HeldTasks {
    return this.#now.held;
  }

  async statusOf(id: string): Promise<string> {
    return (await this.queue.state(id)).status;
  }

  /** Waits until exactly these tasks are active in `held`. */
  async untilActive(...ids: string[]): Promise<void> {
    await eventually(() => expect(this.held.active.toSorted()).toEqual(ids.toSorted()));
  }

  async becomes(id: string, status: string): Promise<void> {
    await eventually(async () => expect(await this.statusOf(id)).toBe(status));
  }

  get #now() {
    if (!this.#current) throw new Error('no test runs');
    return this.#current;
  }
}
