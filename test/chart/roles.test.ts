import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadGatewayConfig } from '@trifold/api-gateway/config.ts';
import { createGateway, type Gateway } from '@trifold/api-gateway/gateway.ts';
import { loadControllerConfig } from '@trifold/controller/config.ts';
import { createControllers, type Controllers } from '@trifold/controller/controllers.ts';
import { renderInto } from '@trifold/controller/testing/scripted-renderer.ts';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { signatureOf } from '@trifold/platform/records/webhooks/signature.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import { eventually } from '../support/eventually.ts';
import {
  kubeApiServerPrograms,
  startKubeApiServer,
  type KubeApiServer,
} from '../support/kubernetes/kube-apiserver.ts';
import { WebhookReceiver } from '../support/http/webhook-receiver.ts';
import { findKubectl, Kubectl } from '../support/kubernetes/kubectl.ts';
import { find, findHelm, Helm, type Manifest } from './helm.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

const NAMESPACE = 'documents-system';
const helmProgram = await findHelm();
const kubectlProgram = await findKubectl();
const missing = !helmProgram || !kubectlProgram || !kubeApiServerPrograms();

/** Webhook receivers run on this machine. */
const THIS_MACHINE = {
  TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1',
  TRIFOLD_WEBHOOK_ALLOW_HTTP: 'true',
  TRIFOLD_WEBHOOK_KEY: 'key-of-the-controller-of-the-tests',
  TRIFOLD_WEBHOOK_KEY_CONFIG_MAP: `${NAMESPACE}/trifold-webhook-key`,
};

const clock = systemClock;
const logger = createLogger({ level: process.env['TRIFOLD_TEST_LOG'] ?? 'silent', name: 'test' });

/** Runs the services with the chart's service accounts against an API server that enforces RBAC. */
describe.skipIf(missing && !process.env['CI'])('Chart roles', () => {
  let server: KubeApiServer;
  let kubectl: Kubectl;
  let helm: Helm;
  let manifests: Manifest[];
  let folder: string;
  let gateway: Gateway;
  let controllers: Controllers;
  let key: string;
  const transports: HttpTransport[] = [];
  const queue = new InProcessQueue({ clock });
  const checkPool = new CheckPool();

  /** Returns the path of a kubeconfig for this service account. */
  const kubeconfigOf = async (account: string): Promise<string> => {
    const token = (await kubectl.ok(['create', 'token', account, '-n', NAMESPACE])).trim();
    const config = parse(await readFile(server.kubeconfig, 'utf8')) as { users: { user: object }[] };
    config.users[0]!.user = { token };
    return kubectl.file(`${account}.kubeconfig`, JSON.stringify(config));
  };
  const clientOf = async (account: string): Promise<KubernetesClient> => {
    const transport = new HttpTransport(loadKubeConfig({ kubeconfig: await kubeconfigOf(account) }));
    transports.push(transport);
    return new KubernetesClient(transport);
  };
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) =>
    gateway.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key}` },
      ...(body && { payload: body }),
    });

  beforeAll(async () => {
    folder = await temporaryDirectory();
    server = await startKubeApiServer({ authorization: 'RBAC' });
    kubectl = await Kubectl.make(kubectlProgram ?? 'kubectl', await readFile(server.kubeconfig, 'utf8'));
    helm = new Helm(helmProgram ?? 'helm');
    manifests = await helm.render({ bootstrap: { enabled: true } }, { namespace: NAMESPACE });
    await kubectl.ok(['create', 'namespace', NAMESPACE]);
    const wanted =
      /^(Namespace|ServiceAccount|(Cluster)?Role(Binding)?|ValidatingAdmissionPolicy(Binding)?)$/;
    const items = manifests.filter(
      ({ kind, metadata: { name } }) =>
        wanted.test(kind) || `${kind}/${name}` === 'ConfigMap/trifold-webhook-key',
    );
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    await kubectl.ok(['apply', '-f', '-'], { stdin: list });
  });
  afterAll(async () => {
    await gateway?.close();
    await controllers?.stop(0);
    await checkPool.stop();
    await queue.close();
    for (const transport of transports) transport.close();
    await kubectl?.remove();
    helm?.remove();
    await server?.stop();
    await removeDirectory(folder);
  });

  it('let the bootstrap Job store a first key in its Secret once', async () => {
    const { spec } = find(manifests, 'Job', 'trifold-bootstrap');
    const [{ command, args }] = spec.template.spec.containers;
    const kubeconfig = await kubeconfigOf('trifold-bootstrap');
    const words = [...command.slice(1), ...args, `--kubeconfig=${kubeconfig}`] as string[];
    const cwd = new URL('../../', import.meta.url);
    for (const _ of ['first', 'again']) await promisify(execFile)(process.execPath, words, { cwd });
    const wanted = ['get', 'secret', 'trifold-first-key', '-n', NAMESPACE, '-o', 'jsonpath={.data.key}'];
    key = Buffer.from(await kubectl.ok(wanted), 'base64').toString();
    expect(key).toMatch(/^tf_live_/);
  });

  it('let the bootstrap Job label an existing account', async () => {
    await kubectl.ok(['label', 'namespace', 'documents', 'trifold.dev/account-']);
    const args = ['keys', 'create', '--account=documents', '--kubeconfig'];
    const words = ['cli/bin/trifold.ts', ...args, await kubeconfigOf('trifold-bootstrap')];
    const cwd = new URL('../../', import.meta.url);
    const { stderr } = await promisify(execFile)(process.execPath, words, { cwd });
    expect(stderr).toContain('account documents labelled');
  });

  it('let the bootstrap Job create only its own Secret', async () => {
    const as = `--as=system:serviceaccount:${NAMESPACE}:trifold-bootstrap`;
    const create = async (secret: object) =>
      kubectl.run(['create', '--dry-run=server', '-f', '-', as], { stdin: JSON.stringify(secret) });
    const keySecret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'trifold-other-key', namespace: NAMESPACE },
      type: 'Opaque',
    };
    // The API server receives policies through a watch, so they take effect with a delay.
    const named = await eventually(async () => {
      const rejected = await create(keySecret);
      return rejected.code !== 0 && rejected;
    });
    expect(named.stderr).toContain('the bootstrap Job creates the Secret trifold-first-key only');
    const metadata = {
      name: 'trifold-first-key',
      namespace: NAMESPACE,
      annotations: { 'kubernetes.io/service-account.name': 'trifold-gateway' },
    };
    const typed = await create({ ...keySecret, metadata, type: 'kubernetes.io/service-account-token' });
    expect(typed.stderr).toContain('the bootstrap Job creates Secrets of type Opaque only');
  });

  it('let an account generate a document, receive its event and rotate the signing secret', async () => {
    const store = new DirectoryStore({ root: join(folder, 'objects') });
    const parts = { store, checkPool, clock, logger };
    queue.work((task) => renderInto(store, task, clock.now()), { concurrency: 2 });
    controllers = createControllers({
      ...parts,
      kubernetes: await clientOf('trifold-controller'),
      queue,
      config: loadControllerConfig(THIS_MACHINE),
      metrics: new Metrics(),
    });
    gateway = await createGateway({
      ...parts,
      kubernetes: await clientOf('trifold-gateway'),
      config: loadGatewayConfig(THIS_MACHINE),
      metrics: new Metrics(),
    });
    await Promise.all([controllers.start(), gateway.start()]);
    const receiver = await WebhookReceiver.start({ plain: true });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const set = await call('POST', '/v1/webhooks/settings', { url });
    expect(set.statusCode, set.body).toBeLessThan(300);
    const { secret } = set.json<{ secret: string }>();
    const tested = await call('POST', '/v1/webhooks/settings/test');
    expect(tested.json(), tested.body).toMatchObject({ delivered: true, status: 200 });
    const template = await call('POST', '/v1/templates', { name: 'Told', html: '<p>{{name}}</p>' });
    const { id } = template.json<{ id: string }>();
    await call('POST', '/v1/generate', { template_id: id, data: { name: 'x' } });
    await eventually(async () => receiver.received.length === 2);
    const [, told] = receiver.received;
    const { headers, body } = told!;
    expect(headers['x-trifold-event']).toBe('document.completed');
    const timestamp = Number(headers['x-trifold-timestamp']);
    expect(headers['x-trifold-signature']).toBe(signatureOf(secret, timestamp, body));
    const listed = await call('GET', '/v1/webhooks/deliveries');
    expect(listed.json(), listed.body).toMatchObject({ pagination: { total_count: 2 } });
    const again = await call('POST', '/v1/webhooks/settings', { url, rotate_secret: true });
    expect(again.json<{ secret: string }>().secret).not.toBe(secret);
    expect((await call('DELETE', '/v1/webhooks/settings')).statusCode).toBe(200);
    await receiver.stop();
  });
});
