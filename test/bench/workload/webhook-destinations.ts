import type { ServerResponse } from 'node:http';
import { createAuthority } from '@trifold/embedded-apiserver/tls/certificates.ts';
import { WebhookReceiver, type Received } from '../../support/http/webhook-receiver.ts';
import { eventually } from '../../support/eventually.ts';
import type { BenchClient } from './bench-client.ts';

/** Behavior of an endpoint. */
export type Manner = 'answers' | 'hangs' | 'rejects' | 'fails';

/** A received event, with its path. */
export interface Arrival {
  readonly path: string;
  /** Time from the document's completion, according to the event, to the end of the request, in milliseconds. */
  readonly latency: number;
  /** Time in milliseconds since 1970. */
  readonly at: number;
}

const HOST = 'localhost';
const ACCOUNT = '/v1/webhooks/settings';

/** One account's endpoints, all local and over TLS, each with a separate path. */
export class WebhookDestinations {
  readonly #receiver: WebhookReceiver;
  readonly #closed: WebhookReceiver;
  readonly #hanging = new Set<ServerResponse>();
  #arrivals: Arrival[] = [];
  #manners: readonly Manner[] = [];
  #hooks: string[] = [];

  private constructor(receiver: WebhookReceiver, closed: WebhookReceiver) {
    this.#receiver = receiver;
    this.#closed = closed;
    receiver.answer = (received, response) => this.#answer(received, response, Date.now());
  }

  static async start(): Promise<WebhookDestinations> {
    const authority = await createAuthority(new Date());
    const closed = await WebhookReceiver.start({ authority });
    await closed.stop();
    return new WebhookDestinations(await WebhookReceiver.start({ authority }), closed);
  }

  /** CA certificate that signed the receiver's certificate, as PEM. */
  get authority(): string {
    return this.#receiver.authority;
  }

  /** Events received so far by responding endpoints. */
  get arrivals(): readonly Arrival[] {
    return this.#arrivals;
  }

  /** Registers one endpoint per behavior: first the account's endpoint, then hooks. */
  async register(client: BenchClient, manners: readonly Manner[]): Promise<void> {
    this.#arrivals = [];
    this.#manners = manners;
    const events = ['document.completed'];
    for (const [place, manner] of manners.entries()) {
      const { port } = manner === 'rejects' ? this.#closed : this.#receiver;
      const url = `https://${HOST}:${port}/${place}`;
      if (place === 0) await client.call('POST', ACCOUNT, { url, events });
      else this.#hooks.push(await hookAt(client, { url, events }));
    }
  }

  /** Deletes all endpoints; resolves when no delivery to them is pending. */
  async remove(client: BenchClient): Promise<void> {
    await client.send('DELETE', ACCOUNT);
    for (const id of this.#hooks.splice(0)) await client.send('DELETE', `/v1/hooks/${id}`);
    const settled = async () => {
      for (const response of this.#hanging) response.destroy();
      this.#hanging.clear();
      return (await pendingOf(client)) === 0;
    };
    await eventually(settled, { timeoutMs: 600_000, intervalMs: 100 });
  }

  async stop(): Promise<void> {
    await this.#receiver.stop();
  }

  #answer({ path, body }: Received, response: ServerResponse, at: number): void {
    const manner = this.#manners[Number(path.slice(1))] ?? 'answers';
    if (manner === 'hangs') return void this.#hanging.add(response);
    response.statusCode = manner === 'fails' ? 500 : 200;
    response.end();
    // Does not keep the requests, because a run has tens of thousands of them.
    this.#receiver.received.length = 0;
    if (manner !== 'answers') return;
    const { created_at } = JSON.parse(body) as { created_at: string };
    this.#arrivals.push({ path, at, latency: at - Date.parse(created_at) });
  }
}

async function hookAt(client: BenchClient, body: object): Promise<string> {
  return (await client.call<{ id: string }>('POST', '/v1/hooks', { source: 'zapier', ...body })).id;
}

async function pendingOf(client: BenchClient): Promise<number> {
  const list = '/v1/webhooks/deliveries?status=pending&limit=1';
  const page = await client.call<{ data: unknown[] }>('GET', list);
  return page.data.length;
}
