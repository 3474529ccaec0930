import type { ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';

/** Holds back the watch events of one resource until the test releases a number of them. */
export class SlowWatch {
  readonly #resource: string;
  /** Number of changes that may pass. */
  #left = Infinity;
  #more = Promise.withResolvers<void>();
  /** Number of changes that have passed. */
  told = 0;

  constructor(resource: string) {
    this.#resource = resource;
  }

  hold(): void {
    this.#left = 0;
  }

  tell(changes: number): void {
    this.#left += changes;
    this.#more.resolve();
    this.#more = Promise.withResolvers<void>();
  }

  readonly transport = (inner: ApiTransport): ApiTransport => ({
    send: async (request) => {
      const response = await inner.send(request);
      const isIts = request.query?.['watch'] === 'true' && request.path.endsWith(`/${this.#resource}`);
      return isIts ? { ...response, body: this.#slowed(response.body) } : response;
    },
  });

  async #turn(): Promise<void> {
    while (this.#left <= 0) await this.#more.promise;
    this.#left -= 1;
    this.told += 1;
  }

  async *#slowed(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const piece of body) {
      for (const line of Buffer.from(piece).toString().split('\n').filter(Boolean)) {
        if (!line.includes('"BOOKMARK"')) await this.#turn();
        yield Buffer.from(`${line}\n`);
      }
    }
  }
}
