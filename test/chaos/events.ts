import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { WebhookReceiver } from '../support/http/webhook-receiver.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly id: string };
}

/** A receiver of the accounts' events, with what the services need to trust it. */
export class Events {
  readonly environment: Readonly<Record<string, string>>;
  readonly #receiver: WebhookReceiver;
  readonly #directory: string;

  private constructor(receiver: WebhookReceiver, directory: string) {
    this.#receiver = receiver;
    this.#directory = directory;
    this.environment = {
      NODE_EXTRA_CA_CERTS: path.join(directory, 'authority.pem'),
      TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1/32',
    };
  }

  static async start(): Promise<Events> {
    const receiver = await WebhookReceiver.start();
    const directory = await temporaryDirectory();
    const events = new Events(receiver, directory);
    await writeFile(path.join(directory, 'authority.pem'), receiver.authority);
    return events;
  }

  /** Address of an account's endpoint. */
  url(account: string): string {
    return this.#receiver.url(`/${account}`, 'localhost');
  }

  /** IDs of the final events of each document or batch, by its ID; an event received twice counts once. */
  ends(): ReadonlyMap<string, ReadonlySet<string>> {
    const ends = new Map<string, Set<string>>();
    for (const { body } of this.#receiver.received) {
      const { id, type, data } = JSON.parse(body) as Event;
      if (!/^(document|batch)\.(completed|failed)$/.test(type)) continue;
      ends.set(data.id, (ends.get(data.id) ?? new Set()).add(id));
    }
    return ends;
  }

  async stop(): Promise<void> {
    await this.#receiver.stop();
    await removeDirectory(this.#directory);
  }
}
