import { verifyWebhook } from '@trifold/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api, type GenerationAnswer, type TemplateAnswer } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { isKnown } from '../support/keys-command.ts';
import { Installation } from './installation.ts';
import { ManyDocuments } from './many-documents.ts';
import { RECEIVERS_IN_CLUSTER, ReceiverPod } from './receiver-pod.ts';

const MANY = 50;
const EVENTS = '/closed';
/** Attempts for seven minutes: longer than the upgrade, during which the receiver is down. */
const RETRY_SCHEDULE = ['0s', ...Array.from({ length: 15 }, () => '30s')].join(',');
const VALUES = { webhooks: { ...RECEIVERS_IN_CLUSTER, retrySchedule: RETRY_SCHEDULE } };
const EMAIL = { template: { engine: 'handlebars-html', subject: 'Hi', html: '<p>Hi</p>' }, data: {} };
const missing = !process.env['TRIFOLD_TEST_PREVIOUS_IMAGES'] && !process.env['CI'];

describe.skipIf(missing)('helm upgrade from the release before', () => {
  let installation: Installation;
  let receiver: ReceiverPod;
  /** Uses a key of the release before. */
  let api: Api;
  let secret: string;
  let template: TemplateAnswer;
  let documents: ManyDocuments;
  let first: GenerationAnswer;
  let accepted: readonly string[];
  let batch: string;
  let failures: readonly string[];
  /** Documents in answers of the synchronous requests during the upgrade. */
  let answered: number;
  let later: GenerationAnswer;

  beforeAll(async () => {
    installation = await Installation.connectToPrevious(VALUES);
    receiver = await ReceiverPod.start(installation.kubectl);
    const { live } = installation;
    const { key } = (await live.post('/v1/api-keys', { name: 'Before' })).json<{ key: string }>();
    api = new Api(live.url, key);
    await eventually(() => isKnown(api));
    const events = ['document.completed', 'batch.completed'];
    const settings = await api.post('/v1/webhooks/settings', { url: receiver.url(EVENTS), events });
    secret = settings.json<{ secret: string }>().secret;
    documents = await ManyDocuments.prepare(api);
    template = (await api.get(`/v1/templates/${documents.template}`)).json<TemplateAnswer>();
    first = await generateOnce();
    await api.post('/v1/emails/compile', EMAIL);
    await receiver.expect(EVENTS, 1);

    batch = await documents.acceptBatch(MANY);
    accepted = await documents.inFlight(MANY);
    const traffic = documents.traffic(2, 'large');
    const services = await Promise.all(
      (['gateway', 'controller', 'renderer'] as const).map((service) => installation.pods(service)),
    );
    await installation.upgrade(VALUES);
    await installation.gone(services.flat());
    await traffic.more(20);
    failures = await traffic.stop();
    ({ answered } = traffic);
    console.info(`${answered} requests were answered during the upgrade from the release before`);
    later = await api.generate(template.id, { number: 0 });
    await api.post('/v1/emails/compile', EMAIL);
    await receiver.open();
  }, 900_000);
  afterAll(async () => {
    await receiver?.stop();
    await installation?.upgrade({});
    await api?.delete('/v1/webhooks/settings');
    await installation?.close();
  });

  /** Sends the same request each time. */
  const generateOnce = async () => {
    const body = { template_id: documents.template, data: { number: 0 } };
    const answer = await api.post('/v1/generate', body, { 'idempotency-key': 'before' });
    expect(answer.status, answer.text).toBe(200);
    return answer.json<GenerationAnswer>();
  };

  it('answers every request and completes every accepted document', async () => {
    expect(failures).toEqual([]);
    await documents.expectAll(accepted);
    await documents.expectBatch(batch, MANY);
  });

  it('delivers every event under one id, signed with the secret from before', async () => {
    const look = async () => {
      const received = await receiver.received(EVENTS);
      const events = received.map((one) => {
        const { id, data } = verifyWebhook({ ...one, secret, toleranceMs: Infinity });
        return { id, about: (data as { id: string }).id, status: one.status };
      });
      const delivered = events.filter(({ status }) => status === 204).map(({ about }) => about);
      return { events, delivered: new Set(delivered) };
    };
    const { events, delivered } = await eventually(
      async () => {
        const seen = await look();
        expect(seen.delivered.size).toBe([first, ...accepted, batch, later].length + answered);
        return seen;
      },
      { timeoutMs: 150_000, intervalMs: 1_000 },
    );
    for (const id of [first.id, ...accepted, batch, later.id]) expect(delivered).toContain(id);
    expect(new Set(events.map(({ id }) => id)).size).toBe(delivered.size);
    expect(events.find(({ about }) => about === first.id)).toMatchObject({ status: 503 });
  });

  it('seals the secrets of webhooks, with permissions that go with the hook', async () => {
    const keyId = '--output=jsonpath={.spec.sealedSecret.keyId}';
    expect(await installation.accounts('get', 'whe/account', keyId)).toMatch(/^[0-9a-f]{16}$/);
    const roles = await installation.kubectl.ok(['get', 'clusterroles,clusterrolebindings', '--output=name']);
    expect(roles).not.toContain('webhook-migration');
  });

  it('keeps templates, files and answers to repeated requests', async () => {
    expect((await api.get(`/v1/templates/${template.id}`)).json()).toMatchObject(template);
    expect((await api.patch(`/v1/templates/${template.id}`, { name: 'After' })).json()).toMatchObject({
      version: template.version + 1,
    });
    expect((await generateOnce()).id).toBe(first.id);
    await documents.expectAll([first.id]);
  });

  it('counts every document and email once', async () => {
    const from = first.created_at.slice(0, 10);
    const pdf = [first, ...accepted, later].length + MANY + answered;
    const look = async () => {
      const { total } = (await api.get(`/v1/usage?from=${from}`)).json<{ total: object }>();
      expect(total).toMatchObject({ documents: { live: { pdf } }, failed: 0, batches: 1, emails: 2 });
      return true;
    };
    await eventually(look, { timeoutMs: 60_000, intervalMs: 500 });
  });
});
