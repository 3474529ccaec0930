import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadGatewayProcessConfig } from '@trifold/api-gateway/config.ts';
import { loadControllerProcessConfig } from '@trifold/controller/config.ts';
import { SCOPES } from '@trifold/crds';
import { waitingTasksKey } from '@trifold/platform/render-queue/bullmq/bullmq-queue.ts';
import { workerPermissions } from '@trifold/platform/render-queue/bullmq/bullmq-queue.ts';
import { QUEUE_NAMES } from '@trifold/platform/render-queue/port.ts';
import { loadLauncherProcessConfig, loadRendererProcessConfig } from '@trifold/renderer/config.ts';
import { find, findHelm, Helm, sources, type Manifest } from './helm.ts';
import { BARE, EVERYTHING, EXTERNAL, REDIS_CLUSTER, SENTINEL, WEB_IDENTITY } from './value-sets.ts';

const root = new URL('../../', import.meta.url);
const program = await findHelm();

const byName = (objects: readonly Manifest[]) =>
  Object.fromEntries(objects.map(({ metadata, spec }) => [metadata.name, spec]));

/** Settings that the chart does not set. Give a new setting a `chart` value, or add it here with the reason. */
const LEFT_OUT = new Set([
  // The image sets it.
  'TRIFOLD_BROWSER',
  // The container of the browsers has it.
  'TRIFOLD_BROWSER_SANDBOX',
]);

/** Placeholder for values from Secrets, long enough for each of them. */
const FROM_A_SECRET = 'from-a-secret-of-the-namespace-of-the-release';

const PRICES = { currency: 'EUR', pdf: '0.1' };

type Service = 'gateway' | 'controller' | 'renderer';

/** Returns the environment of a service's container, with placeholders for values from Secrets. */
function environmentOf(manifests: readonly Manifest[], service: Service): Record<string, string> {
  const { spec } = find(manifests, 'Deployment', `trifold-${service}`);
  const [container] = spec.template.spec.containers;
  const { data } = find(manifests, 'ConfigMap', container.envFrom[0].configMapRef.name);
  const named = container.env.map(({ name, value }: { name: string; value?: string }) => [
    name,
    value ?? FROM_A_SECRET,
  ]);
  return { ...data, ...Object.fromEntries(named) };
}

describe.skipIf(!program && !process.env['CI'])('Agreement of the chart with the code', () => {
  const helm = new Helm(program ?? 'helm');
  afterAll(() => helm.remove());

  it('sets no variable that a service rejects', async () => {
    for (const values of [{}, EVERYTHING, EXTERNAL, REDIS_CLUSTER, WEB_IDENTITY, BARE]) {
      const manifests = await helm.render(values);
      loadGatewayProcessConfig(environmentOf(manifests, 'gateway'));
      loadControllerProcessConfig(environmentOf(manifests, 'controller'));
      loadRendererProcessConfig(environmentOf(manifests, 'renderer'));
    }
  });

  it('sets every variable of the container of the browsers', async () => {
    const { spec } = find(await helm.render(EVERYTHING), 'Deployment', 'trifold-renderer');
    const { env } = spec.template.spec.initContainers[0] as { env: { name: string; value: string }[] };
    expect(
      loadLauncherProcessConfig(Object.fromEntries(env.map(({ name, value }) => [name, value]))),
    ).toMatchObject({
      browserSandbox: 'required',
      browserSocket: '/run/trifold-browser/browser.sock',
    });
  });

  it.each([
    ['gateway', loadGatewayProcessConfig],
    ['controller', loadControllerProcessConfig],
    ['renderer', loadRendererProcessConfig],
  ] as const)('sets every variable of the %s and no other', async (service, load) => {
    const full = {
      ...SENTINEL,
      dashboard: EVERYTHING['dashboard'],
      gateway: { config: { rateLimit: '600/1m' } },
    };
    const environment = environmentOf(await helm.render(full), service);
    const asked = new Set<string>();
    load(
      new Proxy(environment, {
        get: (target, name: string) => {
          asked.add(name);
          return target[name];
        },
      }),
    );
    expect(asked.size).toBeGreaterThan(10);
    const told = Object.keys(environment);
    expect([...asked].filter((name) => !told.includes(name) && !LEFT_OUT.has(name))).toEqual([]);
    expect(told.filter((name) => !asked.has(name))).toEqual([]);
  });

  it('passes values other than the defaults', async () => {
    const manifests = await helm.render({
      ...SENTINEL,
      dashboard: EVERYTHING['dashboard'],
      logLevel: 'debug',
      denyAddresses: ['203.0.113.0/24', '2001:db8::/32'],
      gateway: {
        config: { maxBody: '3Mi', maxUnfinishedDocuments: 1000000, logRequests: true, prices: PRICES },
      },
      webhooks: { allowHttp: true },
    });
    const store = { endpoint: 'https://s3.example.com', credentials: expect.any(Function) };
    const denied = [{ address: '203.0.113.0' }, { address: '2001:db8::' }];
    expect(loadGatewayProcessConfig(environmentOf(manifests, 'gateway'))).toMatchObject({
      service: { host: '0.0.0.0', logLevel: 'debug' },
      store,
      previews: { renderers: [{ host: 'trifold-renderer', port: 9091 }], token: FROM_A_SECRET },
      port: 8080,
      gateway: {
        maxBodyBytes: 3 * 2 ** 20,
        // Helm reads large numbers as floating-point numbers.
        maxUnfinishedDocuments: 1_000_000,
        logRequests: true,
        sessionSecret: FROM_A_SECRET,
        oidc: {
          clientSecret: FROM_A_SECRET,
          grants: [{ claim: 'groups', value: 'editors', account: 'documents', scopes: ['templates:read'] }],
        },
        outbound: { denyAddresses: denied, allowHttp: true },
        prices: { currency: 'EUR', units: { pdf: { digits: 1n, scale: 1 } } },
      },
    });
    expect(loadControllerProcessConfig(environmentOf(manifests, 'controller'))).toMatchObject({
      operations: { operationsPort: 9090 },
      redis: { kind: 'sentinel', password: FROM_A_SECRET, sentinelPassword: FROM_A_SECRET },
      taskKeys: [FROM_A_SECRET],
      store,
      lease: { namespace: 'documents-system', name: 'trifold-controller' },
      controller: { webhooks: { allowHttp: true, keys: [FROM_A_SECRET, FROM_A_SECRET] } },
    });
    expect(loadRendererProcessConfig(environmentOf(manifests, 'renderer'))).toMatchObject({
      previews: { port: 9091, token: FROM_A_SECRET },
      renderer: { browserSocket: '/run/trifold-browser/browser.sock', denyAddresses: denied },
    });
  });

  it('drains renderers for longer than the render deadline', async () => {
    const manifests = await helm.render();
    const { controller } = loadControllerProcessConfig(environmentOf(manifests, 'controller'));
    const { drainWaitMs } = loadRendererProcessConfig(environmentOf(manifests, 'renderer'));
    expect(drainWaitMs).toBeGreaterThan(controller.renderDeadlineMs);
  });

  it('answers waiting requests before a gateway stops', async () => {
    const { gateway } = loadGatewayProcessConfig(environmentOf(await helm.render(), 'gateway'));
    expect(gateway.closeWaitMs).toBeGreaterThan(gateway.syncWaitMs);
  });

  it('scales by the Redis keys of the waiting tasks', async () => {
    for (const [values, prefix] of [
      [{ autoscaling: { mode: 'keda' } }, 'trifold'],
      [EXTERNAL, 'docs'],
      [REDIS_CLUSTER, '{trifold}'],
    ] as const) {
      const { spec } = find(await helm.render(values), 'ScaledObject', 'trifold-renderer');
      const keys = spec.triggers.map(({ metadata }: { metadata: { listName: string } }) => metadata.listName);
      expect(keys).toEqual(QUEUE_NAMES.map((queue) => waitingTasksKey(prefix, queue)));
    }
  });

  it('connects KEDA to the same Redis as the services', async () => {
    const manifests = await helm.render(EXTERNAL);
    const { spec } = find(manifests, 'ScaledObject', 'trifold-renderer');
    expect(spec.triggers[0].metadata).toMatchObject({
      address: 'redis.example.com:6380',
      databaseIndex: '3',
      enableTLS: 'true',
      usernameFromEnv: 'TRIFOLD_REDIS_USERNAME',
    });
    const authentication = find(manifests, 'TriggerAuthentication', spec.triggers[0].authenticationRef.name);
    expect(authentication['spec'].secretTargetRef).toEqual([
      { parameter: 'password', name: 'redis', key: 'password' },
    ]);
    const bundled = await helm.render({ autoscaling: { mode: 'keda' } });
    expect(find(bundled, 'ScaledObject', 'trifold-renderer')['spec'].triggers[0].metadata).toMatchObject({
      address: 'trifold-redis:6379',
      databaseIndex: '0',
      enableTLS: 'false',
      usernameFromEnv: 'TRIFOLD_REDIS_USERNAME',
    });
    const asRenderer = find(bundled, 'TriggerAuthentication', 'trifold-renderer')['spec'];
    expect(asRenderer.secretTargetRef).toEqual([
      { parameter: 'password', name: 'trifold-redis', key: 'renderer-password' },
    ]);
  });

  it('gives renderers no credentials of the object store, and in Redis a user that may only work', async () => {
    const manifests = await helm.render({ ...EVERYTHING, redis: { prefix: 'docs' } });
    const { spec } = find(manifests, 'Deployment', 'trifold-renderer');
    const { envFrom, env } = spec.template.spec.containers[0];
    expect(JSON.stringify([env, envFrom])).not.toMatch(/minio|S3/);
    expect(environmentOf(manifests, 'renderer')).not.toHaveProperty('TRIFOLD_S3_ENDPOINT');
    const passwords = ['gateway', 'controller', 'renderer'].map((service) => {
      const deployment = find(manifests, 'Deployment', `trifold-${service}`)['spec'];
      const variables = deployment.template.spec.containers[0].env as { name: string; valueFrom?: unknown }[];
      return variables.find(({ name }) => name === 'TRIFOLD_REDIS_PASSWORD')?.valueFrom;
    });
    const keyIn = (key: string) => ({ secretKeyRef: { name: 'trifold-redis', key } });
    expect(passwords).toEqual([keyIn('password'), keyIn('password'), keyIn('renderer-password')]);
    const redis = find(manifests, 'StatefulSet', 'trifold-redis')['spec'].template.spec.containers[0];
    expect(redis.args[0]).toContain(` '${workerPermissions('docs')}'\n`);
  });

  it('connects KEDA through Sentinels or to a Redis Cluster', async () => {
    const manifests = await helm.render(SENTINEL);
    const [trigger] = find(manifests, 'ScaledObject', 'trifold-renderer')['spec'].triggers;
    expect(trigger).toMatchObject({
      type: 'redis-sentinel',
      metadata: {
        addresses: 'one.example.com:26379,two.example.com:26380',
        sentinelMaster: 'documents',
        databaseIndex: '3',
        enableTLS: 'true',
        usernameFromEnv: 'TRIFOLD_REDIS_USERNAME',
        sentinelUsernameFromEnv: 'TRIFOLD_REDIS_SENTINEL_USERNAME',
      },
    });
    const authentication = find(manifests, 'TriggerAuthentication', trigger.authenticationRef.name);
    expect(authentication['spec'].secretTargetRef).toEqual([
      { parameter: 'password', name: 'redis', key: 'password' },
      { parameter: 'sentinelPassword', name: 'redis', key: 'sentinel' },
    ]);
    const cluster = find(await helm.render(REDIS_CLUSTER), 'ScaledObject', 'trifold-renderer');
    expect(cluster['spec'].triggers[0]).toMatchObject({
      type: 'redis-cluster',
      metadata: {
        addresses: 'one.example.com:7000,two.example.com:6379',
        databaseIndex: '0',
        enableTLS: 'false',
      },
    });
  });

  it('calls the CLI for the first key with existing options and scopes', async () => {
    const { spec } = find(await helm.render(EVERYTHING), 'Job', 'trifold-bootstrap');
    const [container] = spec.template.spec.containers;
    expect(container.command).toEqual(['node', 'cli/bin/trifold.ts', 'keys', 'create']);
    const [usage] = await sources('cli/keys-create.ts');
    for (const argument of container.args as string[]) {
      const [flag = ''] = argument.split('=');
      expect(usage?.includes(`${flag} `), flag).toBe(true);
    }
    const scopes = (container.args as string[]).find((argument) => argument.startsWith('--scopes='));
    for (const scope of scopes?.slice('--scopes='.length).split(',') ?? []) expect(SCOPES).toContain(scope);
  });

  it('creates the ConfigMap of the public webhook key that the services use', async () => {
    const manifests = await helm.render();
    const place = 'documents-system/trifold-webhook-key';
    for (const service of ['gateway', 'controller'] as const) {
      expect(environmentOf(manifests, service)).toMatchObject({ TRIFOLD_WEBHOOK_KEY_CONFIG_MAP: place });
    }
    find(manifests, 'ConfigMap', 'trifold-webhook-key');
  });

  it('has the version of the product and the definitions in crds/', async () => {
    const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
      version: string;
    };
    const manifests = await helm.render();
    const gateway = find(manifests, 'Deployment', 'trifold-gateway');
    expect(gateway['spec'].template.spec.containers[0].image).toBe(
      `registry.example.com/trifold-gateway:${version}`,
    );
    const definitions = manifests.filter(({ kind }) => kind === 'CustomResourceDefinition');
    const made = (await sources('crds/manifests/*.yaml')).map((text) => parse(text) as Manifest);
    expect(byName(definitions)).toEqual(byName(made));
  });
});
