import { glob, readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadGatewayProcessConfig } from '@trifold/api-gateway/config.ts';
import { loadControllerProcessConfig } from '@trifold/controller/config.ts';
import { SPOOL_LIMITS } from '@trifold/controller/webhooks/config.ts';
import { webhookMetrics } from '@trifold/controller/webhooks/webhook-metrics.ts';
import { SCOPES, TEST_EVENT } from '@trifold/crds';
import { Metrics } from '@trifold/platform/service/metrics.ts';
import { waitingTasksKey } from '@trifold/platform/render-queue/bullmq/bullmq-queue.ts';
import { workerPermissions } from '@trifold/platform/render-queue/bullmq/worker-permissions.ts';
import { QUEUE_NAMES } from '@trifold/platform/render-queue/port.ts';
import { loadLauncherProcessConfig, loadRendererProcessConfig } from '@trifold/renderer/config.ts';
import { find, findHelm, Helm, type ChartValues, type Manifest } from './helm.ts';
import { BARE, EVERYTHING, EXTERNAL, REDIS_CLUSTER, SENTINEL, WEB_IDENTITY } from './value-sets.ts';

const root = new URL('../../', import.meta.url);
const program = await findHelm();

const byName = (objects: readonly Manifest[]) =>
  Object.fromEntries(objects.map(({ metadata, spec }) => [metadata.name, spec]));

/** Settings that the chart does not set. Add a new setting to values.yaml, or here with the reason. */
const LEFT_OUT = new Set([
  // The image sets it.
  'TRIFOLD_BROWSER',
  // The container of the browsers has it.
  'TRIFOLD_BROWSER_SANDBOX',
]);

/** Placeholder for values from Secrets, long enough for each of them. */
const FROM_A_SECRET = 'from-a-secret-of-the-namespace-of-the-release';

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

async function sources(pattern: string): Promise<string[]> {
  const files = glob(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/*.test.ts'] });
  const texts: string[] = [];
  for await (const file of files) texts.push(await readFile(new URL(file, root), 'utf8'));
  expect(texts.length).toBeGreaterThan(0);
  return texts;
}

const SERVICES = '{api-gateway,controller,renderer,platform}/**/*.ts';

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

  it('passes every value to the setting that it names', async () => {
    const values: ChartValues = {
      logLevel: 'debug',
      dashboard: EVERYTHING['dashboard'],
      gateway: {
        config: {
          maxBody: '3Mi',
          maxBatchBody: '15Mi',
          maxTemplate: '512Ki',
          maxLiveJobs: 1000000,
          maxTemplates: 20000,
          maxKeys: 1000000,
          maxStoredBytes: '100Gi',
          bodyBudget: '100Mi',
          keyBodyBudget: '50Mi',
          minUploadRate: '16Ki',
          syncWait: '7s',
          downloadAccess: 'account',
          rateLimit: '700/2m',
          emailWorkers: 3,
          emailTimeout: '1500ms',
          maxEmail: '1Mi',
          prices: { currency: 'EUR', pdf: '0.1', png: '0.2', html: '0.3', docx: '0.4', email: '0.005' },
          logRequests: true,
          closeDelay: '8s',
          closeWait: '9s',
        },
      },
      controller: {
        config: {
          renderDeadline: '31s',
          renderAttempts: 4,
          renderRetryDelay: '2s',
          progressAfter: '3s',
          resyncInterval: '11s',
          ttlSecondsAfterFinished: 86400,
          finishedJobsPerAccount: 300,
          finishedJobs: 4000,
          keptJobsPerAccount: 2000,
          usageInterval: '12s',
          collectionInterval: '6m',
          templateVersions: 50,
          concurrency: 32,
        },
      },
      denyAddresses: ['203.0.113.0/24'],
      turns: { asyncEvery: 5, batchEvery: 20 },
      webhooks: {
        retrySchedule: '1s,2m',
        allowAddresses: ['10.96.0.0/12', 'fd00::1'],
        allowHttp: true,
        concurrency: 1000,
        endpointConcurrency: 9,
        keepDelivered: '13h',
        keepFailed: '170h',
      },
      renderer: {
        config: {
          browsers: 3,
          browserDocuments: 1000000,
          browserMemory: '900Mi',
          contextIdle: '61s',
          mergeWorkers: 5,
          mergeTimeout: '4s',
          maxMerged: '21Mi',
          maxOutput: '51Mi',
          templateScripts: 'on',
          allowHosts: ['cdn.example.com', 'images.example.com:8443'],
          allowAddresses: ['10.96.0.0/12'],
          drainWait: '77s',
        },
      },
      redis: {
        prefix: 'docs',
        bundled: { enabled: false },
        external: {
          url: 'rediss+sentinel://redis.example.com:26380/documents/3',
          username: 'documents',
          existingSecret: 'redis',
          rendererUsername: 'printer',
          sentinelUsername: 'watcher',
          sentinelPasswordKey: 'sentinel',
        },
      },
      objectStore: {
        bucket: 'papers',
        region: 'eu-central-1',
        bundled: { enabled: false },
        external: { endpoint: 'https://s3.example.com', existingSecret: 's3' },
      },
    };
    const manifests = await helm.render(values);
    const service = { host: '0.0.0.0', logLevel: 'debug' };
    const operations = { operationsPort: 9090 };
    const store = {
      endpoint: 'https://s3.example.com',
      bucket: 'papers',
      region: 'eu-central-1',
      credentials: expect.any(Function),
    };
    const redis = {
      kind: 'sentinel',
      nodes: [{ host: 'redis.example.com', port: 26_380 }],
      master: 'documents',
      database: 3,
      tls: true,
      username: 'documents',
      password: FROM_A_SECRET,
      sentinelUsername: 'watcher',
      sentinelPassword: FROM_A_SECRET,
      prefix: 'docs',
    };
    expect(loadGatewayProcessConfig(environmentOf(manifests, 'gateway'))).toEqual({
      service,
      redis,
      store,
      previews: { renderers: [{ host: 'trifold-renderer', port: 9091 }], token: FROM_A_SECRET },
      port: 8080,
      closeDelayMs: 8_000,
      gateway: {
        maxBodyBytes: 3 * 2 ** 20,
        maxBatchBodyBytes: 15 * 2 ** 20,
        bodyBudgetBytes: 100 * 2 ** 20,
        keyBodyBudgetBytes: 50 * 2 ** 20,
        minUploadRate: 16 * 2 ** 10,
        maxTemplateBytes: 512 * 2 ** 10,
        maxLiveJobs: 1_000_000,
        maxTemplates: 20_000,
        maxKeys: 1_000_000,
        maxStoredBytes: 100 * 2 ** 30,
        syncWaitMs: 7_000,
        downloadAccess: 'account',
        sessionSecret: FROM_A_SECRET,
        oidc: {
          issuer: new URL('https://login.example.com:8443/realms/docs'),
          clientId: 'trifold',
          clientSecret: FROM_A_SECRET,
          scopes: 'openid profile email',
          grants: [{ claim: 'groups', value: 'editors', account: 'documents', scopes: ['templates:read'] }],
          allowUnverifiedEmail: true,
          publicUrl: new URL('https://documents.example.com'),
        },
        rateLimit: { requests: 700, windowMs: 120_000 },
        logRequests: true,
        emailWorkers: 3,
        emailTimeoutMs: 1_500,
        maxEmailBytes: 2 ** 20,
        closeWaitMs: 9_000,
        publishedKey: { namespace: 'documents-system', name: 'trifold-webhook-key' },
        outbound: {
          allowAddresses: [
            { address: '10.96.0.0', prefix: 12, family: 'ipv4' },
            { address: 'fd00::1', prefix: 128, family: 'ipv6' },
          ],
          denyAddresses: [{ address: '203.0.113.0', prefix: 24, family: 'ipv4' }],
          allowHttp: true,
        },
        prices: {
          currency: 'EUR',
          units: {
            pdf: { digits: 1n, scale: 1 },
            png: { digits: 2n, scale: 1 },
            html: { digits: 3n, scale: 1 },
            docx: { digits: 4n, scale: 1 },
            email: { digits: 5n, scale: 3 },
          },
        },
      },
    });
    expect(loadControllerProcessConfig(environmentOf(manifests, 'controller'))).toEqual({
      service,
      operations,
      redis,
      taskKeys: [FROM_A_SECRET],
      store,
      lease: { namespace: 'documents-system', name: 'trifold-controller' },
      controller: {
        renderDeadlineMs: 31_000,
        renderAttempts: 4,
        retryDelayMs: 2_000,
        progressAfterMs: 3_000,
        resyncMs: 11_000,
        ttlSecondsAfterFinished: 86_400,
        finishedJobsPerAccount: 300,
        finishedJobs: 4_000,
        keptJobsPerAccount: 2_000,
        usageIntervalMs: 12_000,
        collectionIntervalMs: 360_000,
        templateVersions: 50,
        jobConcurrency: 32,
        shares: { asynchronous: 5, batch: 20 },
        webhooks: {
          retrySchedule: [1_000, 120_000],
          allowAddresses: [
            { address: '10.96.0.0', prefix: 12, family: 'ipv4' },
            { address: 'fd00::1', prefix: 128, family: 'ipv6' },
          ],
          denyAddresses: [{ address: '203.0.113.0', prefix: 24, family: 'ipv4' }],
          allowHttp: true,
          concurrency: 1_000,
          endpointConcurrency: 9,
          keepDeliveredMs: 46_800_000,
          keepFailedMs: 612_000_000,
          keys: [FROM_A_SECRET, FROM_A_SECRET],
          publishedKey: { namespace: 'documents-system', name: 'trifold-webhook-key' },
          // Not a setting.
          spool: SPOOL_LIMITS,
        },
      },
    });
    expect(loadRendererProcessConfig(environmentOf(manifests, 'renderer'))).toEqual({
      service,
      operations,
      redis: { ...redis, username: 'printer' },
      taskKeys: [FROM_A_SECRET],
      previews: { port: 9091, token: FROM_A_SECRET },
      drainWaitMs: 77_000,
      renderer: {
        // The image sets it.
        browser: undefined,
        shares: { asynchronous: 5, batch: 20 },
        browsers: 3,
        browserSandbox: 'auto',
        browserSocket: '/run/trifold-browser/browser.sock',
        documentsPerBrowser: 1_000_000,
        browserMemoryBytes: 900 * 2 ** 20,
        contextIdleMs: 61_000,
        mergeWorkers: 5,
        mergeTimeoutMs: 4_000,
        maxMergedBytes: 21 * 2 ** 20,
        maxOutputBytes: 51 * 2 ** 20,
        templateScripts: 'on',
        allowHosts: [
          { hostname: 'cdn.example.com', port: undefined },
          { hostname: 'images.example.com', port: 8443 },
        ],
        allowAddresses: [{ address: '10.96.0.0', prefix: 12, family: 'ipv4' }],
        denyAddresses: [{ address: '203.0.113.0', prefix: 24, family: 'ipv4' }],
      },
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

  it('uses only existing metrics in alerts and dashboards', async () => {
    const declared = new Set<string>();
    for (const text of await sources(SERVICES)) {
      for (const [, name] of text.matchAll(/name: '(trifold_[a-z_]+)'/g)) declared.add(String(name));
    }
    const manifests = await helm.render(EVERYTHING);
    const rule = find(manifests, 'PrometheusRule', 'trifold-alerts');
    const { data } = find(manifests, 'ConfigMap', 'trifold-dashboard');
    const expressions = [
      ...rule['spec'].groups.flatMap(({ rules }: { rules: { expr: string }[] }) =>
        rules.map(({ expr }) => expr),
      ),
      ...(JSON.parse(data['trifold.json']).panels as { targets: { expr: string }[] }[]).flatMap(
        ({ targets }) => targets.map(({ expr }) => expr),
      ),
    ];
    const used = new Set(expressions.flatMap((text: string) => text.match(/\btrifold_[a-z_]+/g) ?? []));
    expect(used.size).toBeGreaterThan(12);
    for (const name of used) {
      const metric = declared.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '');
      expect(declared, name).toContain(metric);
    }
  });

  it('uses only existing readiness checks in the alert for unavailable backends', async () => {
    const rule = find(await helm.render(EVERYTHING), 'PrometheusRule', 'trifold-alerts');
    const alerts = rule['spec'].groups[0].rules as { alert: string; expr: string }[];
    const { expr } = alerts.find(({ alert }) => alert === 'TrifoldBackendUnavailable')!;
    const checks = /trifold_readiness_check\{[^}]*check=~"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? [];
    expect(checks).toContain('render-queue');
    const text = (await sources('{api-gateway,controller,renderer}/*.ts')).join('\n');
    for (const check of checks) expect(text).toContain(`name: '${check}', check:`);
  });

  it('excludes endpoint tests from the alert for abandoned events', async () => {
    const rule = find(await helm.render(EVERYTHING), 'PrometheusRule', 'trifold-alerts');
    const alerts = rule['spec'].groups[0].rules as { alert: string; expr: string }[];
    const { expr } = alerts.find(({ alert }) => alert === 'TrifoldWebhooksGivenUp')!;
    const [, matchers] = /trifold_webhook_deliveries_total\{([^}]*)\}/.exec(expr) ?? [];
    expect(matchers).toContain(`event!="${TEST_EVENT}"`);
    const outcome = /outcome="(\w+)"/.exec(matchers ?? '')?.[1];
    const metrics = new Metrics();
    const none = () => 0;
    webhookMetrics(metrics, { pending: none, running: none, spooled: none, failingMs: none });
    // The series exists before the first failed event; otherwise its increase is not visible.
    const series = `trifold_webhook_deliveries_total{event="document.completed",outcome="${outcome}"} 0`;
    expect(await metrics.render()).toContain(series);
  });

  it('uses only existing error codes in the alert for failing renderers', async () => {
    const rule = find(await helm.render(EVERYTHING), 'PrometheusRule', 'trifold-alerts');
    const alerts = rule['spec'].groups[0].rules as { alert: string; expr: string }[];
    const { expr } = alerts.find(({ alert }) => alert === 'TrifoldRenderersFail')!;
    const codes = /outcome=~"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? [];
    expect(codes.length).toBeGreaterThan(5);
    const text = (await sources('renderer/**/*.ts')).join('\n');
    const unknown = codes.filter((code) => {
      // `store_.*` codes are built from the error codes of the object store.
      const written = code.endsWith('.*') ? `\`${code.slice(0, -2)}\${` : `'${code}'`;
      return !text.includes(written);
    });
    expect(unknown).toEqual([]);
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
