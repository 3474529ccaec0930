import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifyWebhook } from '@trifold/client';
import { createAuthority, type KeyPair } from '@trifold/embedded-apiserver/tls/certificates.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GenerationAnswer } from '../support/api.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { eventually } from '../support/eventually.ts';
import type { NodeProcess } from '../support/processes/node-process.ts';
import { WebhookReceiver, type Answer, type Received } from '../support/http/webhook-receiver.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

/** More than the concurrent deliveries of an endpoint. */
const MANY = 12;
const SETTINGS = '/v1/webhooks/settings';
/** The second attempt is due after another controller leads: a lease lasts ten seconds. */
const SCHEDULE = '0s,60s,5s';

interface DeliveryAnswer {
  readonly event_id: string;
  readonly status: string;
  readonly attempts: number;
}

const accept: Answer = (_request, response) => void response.end('ok');
const reject: Answer = (_request, response) => void response.writeHead(503).end();
const hang: Answer = () => undefined;

describe.skipIf(missing)('Webhooks of services in separate processes', () => {
  let cluster: ClusterProcesses;
  let directory: string;
  let receiver: WebhookReceiver;
  let template_id: string;
  let secret: string;
  let authority: KeyPair;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'trifold-receivers-'));
    authority = await createAuthority(new Date());
    const file = path.join(directory, 'authority.pem');
    await writeFile(file, authority.certificate);
    cluster = await ClusterProcesses.start({
      controllers: 2,
      environment: {
        NODE_EXTRA_CA_CERTS: file,
        TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1/32',
        TRIFOLD_WEBHOOK_RETRY_SCHEDULE: SCHEDULE,
      },
    });
    template_id = (await cluster.live.createTemplate({ html: '<p>Number {{number}}</p>' })).id;
  });
  afterAll(async () => {
    await cluster?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  beforeEach(async () => {
    receiver = await WebhookReceiver.start({ authority });
    const answer = await cluster.live.post(SETTINGS, {
      url: receiver.url('/events', 'localhost'),
      events: ['document.completed'],
    });
    expect(answer.status, answer.text).toBe(201);
    secret = answer.json<{ secret: string }>().secret;
  });
  afterEach(async (context) => {
    if (context.task.result?.state === 'fail') {
      console.error(cluster.processes.map(({ output }) => output).join('\n'));
    }
    await cluster.live.delete(SETTINGS);
    await receiver.stop();
    while (cluster.controllers.filter(({ running }) => running).length < 2) await cluster.addController();
    await cluster.leader();
  });

  /** Creates `count` documents and returns their sorted ids when they are complete. */
  async function documents(count: number): Promise<string[]> {
    const accepted = await Promise.all(
      Array.from({ length: count }, (_, number) =>
        cluster.live.post('/v1/generate', { template_id, data: { number }, async: true }),
      ),
    );
    for (const { status, text } of accepted) expect(status, text).toBe(202);
    const ids = accepted.map((answer) => answer.json<GenerationAnswer>().id);
    await Promise.all(ids.map((id) => cluster.live.finished(id)));
    return ids.toSorted();
  }

  /** Waits until the deliveries to the endpoint of this test are as expected, and returns them. */
  const logged = (are: (delivery: DeliveryAnswer) => boolean, ids: readonly string[]) =>
    eventually(
      async () => {
        const events = new Set(receiver.received.map((request) => eventOf(request).id));
        const answer = await cluster.live.get('/v1/webhooks/deliveries?limit=100');
        const { data } = answer.json<{ data: DeliveryAnswer[] }>();
        const told = data.filter(({ event_id }) => events.has(event_id));
        return told.length === ids.length && told.every(are) && told;
      },
      { timeoutMs: 120_000 },
    );

  const isDelivered = ({ status }: DeliveryAnswer) => status === 'delivered';

  /** Returns the event of a request. Throws unless it is signed with the secret of the endpoint. */
  const eventOf = ({ body, headers }: Received) => verifyWebhook({ payload: body, headers, secret });
  const documentOf = (request: Received) => (eventOf(request).data as { id: string }).id;

  /** Groups the requests by the document of their event. */
  const byDocument = () => Map.groupBy(receiver.received, documentOf);

  it('are delivered by the leading controller, and by no other', async () => {
    const [standby] = await cluster.standbys();
    const before = await attemptsOf(await cluster.leader());
    const ids = await documents(MANY);
    await logged(isDelivered, ids);
    expect(receiver.received.map(documentOf).toSorted()).toEqual(ids);
    expect((await attemptsOf(await cluster.leader())) - before).toBe(MANY);
    expect(await attemptsOf(standby!)).toBe(0);
  });

  it('are attempted once by another controller when theirs is killed before their next attempt', async () => {
    receiver.answer = reject;
    const ids = await documents(MANY);
    await logged(({ attempts }) => attempts === 1, ids);
    await (await cluster.leader()).kill();
    receiver.answer = accept;
    const deliveries = await logged(isDelivered, ids);
    expect(deliveries.map(({ attempts }) => attempts)).toEqual(ids.map(() => 2));
    const requests = byDocument();
    expect([...requests.keys()].toSorted()).toEqual(ids);
    for (const attempts of requests.values()) expectRepeated(attempts);
  });

  it('are sent again if they were being sent when the controller was killed, and no others are', async () => {
    receiver.answer = hang;
    const ids = await documents(MANY);
    const inFlight = await eventually(() => receiver.received.length >= 2 && receiver.received.slice(0, 2));
    await (await cluster.leader()).kill();
    receiver.answer = accept;
    const deliveries = await logged(isDelivered, ids);
    // Attempts without a response were not recorded.
    expect(deliveries.map(({ attempts }) => attempts)).toEqual(ids.map(() => 1));
    const requests = byDocument();
    expect([...requests.keys()].toSorted()).toEqual(ids);
    const cut = new Set(inFlight.map(documentOf));
    for (const [id, attempts] of requests) {
      if (cut.has(id)) expectRepeated(attempts);
      else expect(attempts).toHaveLength(1);
    }
  });

  /** Expects two attempts to deliver one event: the same body, different delivery ids. */
  function expectRepeated(attempts: readonly Received[]): void {
    expect(attempts).toHaveLength(2);
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
    expect(new Set(attempts.map(({ headers }) => headers['x-trifold-delivery-id'])).size).toBe(2);
  }
});

/** Returns the number of attempts of this controller. */
async function attemptsOf(controller: NodeProcess): Promise<number> {
  const answer = await fetch(`${await controller.operationsUrl()}/metrics`);
  expect(answer.status).toBe(200);
  const lines = (await answer.text()).matchAll(/^trifold_webhook_attempts_total\{.*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}
