import { buffer } from 'node:stream/consumers';
import type { ListedObject, ObjectStore } from '../port.ts';

/** A store for one test, initially empty. */
export interface StoreUnderTest {
  readonly store: ObjectStore;
  close(): Promise<void>;
}

/** The store of the current test. */
export class StoreFixture {
  readonly #create: () => Promise<StoreUnderTest>;
  #current: StoreUnderTest | undefined;

  constructor(create: () => Promise<StoreUnderTest>) {
    this.#create = create;
  }

  async begin(): Promise<void> {
    this.#current = await this.#create();
  }

  async end(): Promise<void> {
    await this.#current?.close();
    this.#current = undefined;
  }

  get store(): ObjectStore {
    if (!this.#current) throw new Error('no test runs');
    return this.#current.store;
  }

  async contentOf(key: string): Promise<Buffer | undefined> {
    const object = await this.store.get(key);
    return object && (await buffer(object.body));
  }

  async keysOf(prefix: string): Promise<string[]> {
    return (await this.store.list(prefix)).objects.map(({ key }) => key);
  }

  async pagesOf(prefix: string): Promise<(readonly ListedObject[])[]> {
    const pages: (readonly ListedObject[])[] = [];
    for await (const page of this.store.pages(prefix)) pages.push(page);
    return pages;
  }

  /** Puts objects whose content equals their key. */
  async fill(...keys: string[]): Promise<void> {
    await Promise.all(keys.map((key) => this.store.put(key, key)));
  }
}
