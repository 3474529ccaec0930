import { readFile } from 'node:fs/promises';
import { verifyWebhook } from '@trifold/client';
import { WEBHOOK_ENDPOINT } from '@trifold/crds';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { WebhookReceiver, type Received } from '../support/http/webhook-receiver.ts';
import { trifold } from '../support/keys-command.ts';
import { findKubectl, Kubectl } from '../support/kubernetes/kubectl.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';

const kubectlProgram = await findKubectl();
const missing = whyNoClusterProcesses() ?? (kubectlProgram ? undefined : 'there is no kubectl');
if (missing) console.warn(`skipped: ${missing}`);

describe.skipIf(missing)('Sealed webhook secrets with a real API server', () => {
  let cluster: ClusterProcesses;
  let receiver: WebhookReceiver;
  let kubectl: Kubectl;
  let template_id: string;

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({
      controllers: 1,
      environment: {
        TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1/32',
        TRIFOLD_WEBHOOK_ALLOW_HTTP: 'true',
        TRIFOLD_WEBHOOK_RETRY_SCHEDULE: '0s,1s,1s,1s,1s,1s,1s,1s',
      },
    });
    kubectl = await Kubectl.make(kubectlProgram ?? 'kubectl', await readFile(cluster.kubeconfig, 'utf8'));
    template_id = (await cluster.live.createTemplate({ html: '<p>Number {{number}}</p>' })).id;
  });
  afterAll(async () => {
    await kubectl?.remove();
    await cluster?.stop();
  });
  beforeEach(async () => {
    receiver = await WebhookReceiver.start({ plain: true });
    return () => receiver.stop();
  });

  const endpoints = () => cluster.kubernetes.resource(WEBHOOK_ENDPOINT);
  const urlOf = (path: string) => `http://127.0.0.1:${receiver.port}${path}`;
  const generate = async () =>
    cluster.live.post('/v1/generate', { template_id, data: { number: 1 }, async: true });
  const eventIn = ({ body, headers }: Received, secret: string) =>
    verifyWebhook({ payload: body, headers, secret });
  /** Waits for an event with this signature. For a moment, the controller may still use another secret. */
  const deliveredWith = async (secret: string) => {
    const isSigned = (event: Received) => {
      try {
        return eventIn(event, secret).type === 'document.completed';
      } catch {
        return false;
      }
    };
    await eventually(
      async () => {
        await generate();
        return receiver.received.some(isSigned);
      },
      { intervalMs: 500 },
    );
  };
  const seal = async (...words: string[]) => {
    const command = ['webhooks', 'seal', '--kubeconfig', cluster.kubeconfig, '--account', 'default'];
    const { code, stdout, stderr } = await trifold([...command, ...words]);
    expect(code, stderr).toBe(0);
    return { stdout, secret: /(whsec_\S+)/.exec(stderr)?.[1] ?? '' };
  };
  const readyOf = async (name: string) =>
    (await endpoints().get('default', name)).status?.conditions?.find(({ type }) => type === 'Ready');

  it('sign for endpoints created with kubectl', async () => {
    const { stdout, secret } = await seal('--endpoint', 'by-hand', '--url', urlOf('/by-hand'));
    expect(stdout).not.toContain(secret);
    await kubectl.ok(['apply', '-f', '-'], { stdin: stdout });
    await eventually(async () => (await readyOf('by-hand'))?.status === 'True');
    await generate();
    const [event] = await eventually(async () => receiver.received.length > 0 && receiver.received);
    expect(eventIn(event!, secret).type).toBe('document.completed');

    const file = await kubectl.file('secret', 'a secret of my own\n');
    const other = await seal('--endpoint', 'by-hand', '--secret-file', file);
    const patch = await kubectl.file('patch', other.stdout);
    await kubectl.ok(['patch', 'whe/by-hand', '-n', 'default', '--type=merge', '--patch-file', patch]);
    expect((await endpoints().get('default', 'by-hand')).spec.url).toBe(urlOf('/by-hand'));
    await deliveredWith('a secret of my own');
    await endpoints().delete('default', 'by-hand');
  });
});
