import { loadWebhooksConfig, type WebhooksConfig } from '@trifold/controller/webhooks/config.ts';
import {
  ACCOUNT_ENDPOINT,
  NAMESPACE,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  type KubernetesObject,
  type SealedSecret,
  type SubscribableEvent,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@trifold/crds';
import type { Outbound } from '@trifold/controller/context.ts';
import { FOREVER } from '@trifold/controller/testing/crashing-process.ts';
import { AddressGuard } from '@trifold/platform/outbound/address-guard.ts';
import { parseAddressRange } from '@trifold/platform/settings/address-range.ts';
import { OutboundClient } from '@trifold/platform/outbound/outbound-client.ts';
import { WebhookKeys } from '@trifold/platform/records/webhooks/sealed-secret.ts';
import { signatureOf } from '@trifold/platform/records/webhooks/signature.ts';
import {
  ControllerFixture,
  type Service,
  type ServiceOptions,
} from '@trifold/controller/testing/controller-fixture.ts';
import { afterEach, beforeEach } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { WebhookReceiver, type Received } from '../support/http/webhook-receiver.ts';

export const SECRET_TEXT = 'whsec_first';
/** Secret of the controller's key. */
export const WEBHOOK_KEY = 'key-of-the-controller-of-the-tests';

/** A controller and its stores, and a receiver on this machine. */
export class WebhookFixture {
  controller!: ControllerFixture;
  receiver!: WebhookReceiver;

  /** Each test in the file starts with a new one. */
  static forEachTest(): WebhookFixture {
    const fixture = new WebhookFixture();
    beforeEach(() => fixture.#create());
    afterEach(() => fixture.#destroy());
    return fixture;
  }

  /** Starts again from an empty state. */
  async renew(): Promise<void> {
    await this.#destroy();
    await this.#create();
  }

  async #create(): Promise<void> {
    this.controller = await ControllerFixture.create();
    this.receiver = await WebhookReceiver.start();
  }

  async #destroy(): Promise<void> {
    await this.controller.destroy();
    await this.receiver.stop();
  }

  /** Makes the receiver respond with that status from now on. */
  answering(status: number, headers: Record<string, string> = {}): void {
    this.receiver.answer = (_request, response) =>
      void response.writeHead(status, headers).end(`status ${status}`);
  }

  get clock() {
    return this.controller.clock;
  }

  get deliveries() {
    return this.controller.kubernetes.resource(WEBHOOK_DELIVERY);
  }

  get endpoints() {
    return this.controller.kubernetes.resource(WEBHOOK_ENDPOINT);
  }

  /** Starts a controller that resolves the receiver's name. */
  async boot(options: ServiceOptions & { webhooks?: Partial<WebhooksConfig> } = {}): Promise<Service> {
    const { webhooks, config, ...rest } = options;
    const loaded = { ...loadWebhooksConfig({ TRIFOLD_WEBHOOK_KEY: WEBHOOK_KEY }), ...webhooks };
    const outbound = this.outbound();
    return this.controller.boot({ outbound, config: { ...config, webhooks: loaded }, ...rest });
  }

  outbound(): OutboundClient {
    return new OutboundClient({
      guard: new AddressGuard([parseAddressRange('127.0.0.1')]),
      resolver: { resolve: async () => ['127.0.0.1'] },
      clock: this.controller.clock,
      allowHttp: false,
      userAgent: 'Trifold-Webhooks/test',
      authorities: this.receiver.authority,
    });
  }

  /** The client of a process; its requests hang once the process is dead. */
  outboundOf(process: { readonly dead: boolean }): Outbound {
    const inner = this.outbound();
    const post: Outbound['post'] = (...args) => (process.dead ? FOREVER : inner.post(...args));
    return { post, close: () => undefined };
  }

  /** Creates an endpoint with its sealed secret, as the gateway does. */
  async endpoint(options: EndpointOptions = {}): Promise<WebhookEndpoint> {
    const { name = ACCOUNT_ENDPOINT, url = this.receiver.url(), events } = options;
    const sealedSecret = await this.sealed(SECRET_TEXT, name);
    return this.endpoints.create({
      metadata: { name, namespace: 'default' },
      spec: { url, sealedSecret, ...(events && { events: [...events] }) },
    });
  }

  /** Creates an endpoint, and waits until the running controller has seen it. */
  async activeEndpoint(options: EndpointOptions = {}): Promise<WebhookEndpoint> {
    await this.endpoint(options);
    return this.inForce(options.name);
  }

  async sealed(secret: string, endpoint = ACCOUNT_ENDPOINT, key = WEBHOOK_KEY): Promise<SealedSecret> {
    const namespaces = this.controller.kubernetes.builtin<KubernetesObject>(NAMESPACE);
    const { uid: accountUid } = (await namespaces.get(undefined, 'default')).metadata;
    const sealingKey = await new WebhookKeys([key]).sealingKey();
    return sealingKey!.seal(secret, { accountUid, endpoint });
  }

  /** Waits until the controller has seen the endpoint. */
  async inForce(name = ACCOUNT_ENDPOINT): Promise<WebhookEndpoint> {
    return eventually(
      async () => {
        const endpoint = await this.endpoints.get('default', name);
        return endpoint.status?.observedGeneration === endpoint.metadata.generation ? endpoint : false;
      },
      { intervalMs: 5 },
    );
  }

  async all(): Promise<readonly WebhookDelivery[]> {
    return (await this.deliveries.list({ namespace: 'default' })).items;
  }

  /** Waits until this many requests have arrived; the clock does not move. */
  async received(count: number): Promise<Received[]> {
    const { received } = this.receiver;
    await eventually(async () => received.length >= count, { intervalMs: 5 });
    return received;
  }

  /** Waits until the delivery meets the test's condition. */
  async delivery(holds: (delivery: WebhookDelivery) => boolean): Promise<WebhookDelivery> {
    return eventually(async () => (await this.all()).find(holds) ?? false, { intervalMs: 5 });
  }

  /** Waits until nothing is due: every attempt of every delivery is written. */
  async idle(): Promise<void> {
    await eventually(async () => (await this.#due()).every((due) => due > this.#now), { intervalMs: 5 });
  }

  /** Advances the clock to the next attempt and waits until it is written. */
  async nextDue(): Promise<void> {
    await this.idle();
    const next = Math.min(...(await this.#due()));
    if (!Number.isFinite(next)) throw new Error('no attempt is scheduled');
    this.controller.clock.advance(next - this.#now);
    await this.idle();
  }

  get #now(): number {
    return this.controller.clock.now().getTime();
  }

  async #due(): Promise<number[]> {
    const open = (await this.all()).filter(
      ({ status }) => !['Delivered', 'Failed'].includes(status?.phase ?? ''),
    );
    return open.map(({ status }) => Date.parse(status?.nextAttemptAt ?? '1970-01-01T00:00:00Z'));
  }

  /** Creates a document, and waits until its event has been sent once. */
  async attempted(): Promise<WebhookDelivery> {
    await this.controller.gatewayJob();
    return this.attempts(1);
  }

  /** Waits until this many attempts are written for a delivery. */
  attempts(count: number): Promise<WebhookDelivery> {
    return this.delivery(({ status }) => status?.attemptCount === count);
  }
}

interface EndpointOptions {
  readonly name?: string;
  readonly url?: string;
  readonly events?: readonly SubscribableEvent[];
}

/** Whether the request is signed with this secret. */
export function isSignedWith(
  secret: string,
  { headers, body }: Received,
  header = 'x-trifold-signature',
): boolean {
  return headers[header] === signatureOf(secret, Number(headers['x-trifold-timestamp']), body);
}
