import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadGatewayProcessConfig } from '@trifold/api-gateway/config.ts';
import { loadControllerProcessConfig } from '@trifold/controller/config.ts';
import { waitingTasksKey, workerPermissions } from '@trifold/platform/render-queue/testing/redis-contract.ts';
import { QUEUE_NAMES } from '@trifold/platform/render-queue/port.ts';
import { loadRendererProcessConfig } from '@trifold/renderer/config.ts';
import { CLUSTER_RIGHTS } from '@trifold/standalone/command/doctor/cluster-rights.ts';
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
  // The browser container sets it.
  'TRIFOLD_BROWSER_SANDBOX',
  // Administrators set them with `extraEnv` (docs/run/proxies.md).
  ...['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]),
]);

/** Placeholder for values from Secrets, long enough for each of them. */
const FROM_A_SECRET = 'from-a-secret-of-the-namespace-of-the-release';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

type Service = 'gateway' | 'controller' | 'renderer';

/** Returns the environment of a service container, with placeholders for values from Secrets. */
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

describe.skipIf(!program && !process.env['CI'])('The chart checked against the code', () => {
  const helm = new Helm(program ?? 'helm');
  afterAll(() => helm.remove());

  it('grants the rights that trifold doctor asks for', async () => {
    const granted: Record<string, Record<string, Set<string>>> = {};
    const roles = (await helm.render()).filter(
      ({ kind, metadata: { name } }) => kind === 'ClusterRole' && /gateway|controller/.test(name),
    );
    for (const { apiGroups, resources, verbs } of roles.flatMap(({ rules }) => rules as Rule[])) {
      for (const resource of resources) {
        const group = (granted[apiGroups.join()] ??= {});
        group[resource] = new Set([...(group[resource] ?? []), ...verbs]);
      }
    }
    const asked = Object.entries(CLUSTER_RIGHTS).map(([group, rights]) => [
      group,
      Object.fromEntries(Object.entries(rights).map(([name, verbs]) => [name, new Set(verbs.split(' '))])),
    ]);
    expect(Object.fromEntries(asked)).toEqual(granted);
  });

  it('does not set variables that a service rejects', async () => {
    for (const values of [{}, EVERYTHING, EXTERNAL, REDIS_CLUSTER, WEB_IDENTITY, BARE]) {
      const manifests = await helm.render(values);
      loadGatewayProcessConfig(environmentOf(manifests, 'gateway'));
      loadControllerProcessConfig(environmentOf(manifests, 'controller'));
      loadRendererProcessConfig(environmentOf(manifests, 'renderer'));
    }
  });

  it.each([
    ['gateway', loadGatewayProcessConfig],
    ['controller', loadControllerProcessConfig],
    ['renderer', loadRendererProcessConfig],
  ] as const)('sets exactly the variables of the %s', async (service, load) => {
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

  it('mounts the web identity where the services read it', async () => {
    const manifests = await helm.render(WEB_IDENTITY);
    for (const service of ['gateway', 'controller'] as const) {
      const { AWS_WEB_IDENTITY_TOKEN_FILE: file = '' } = environmentOf(manifests, service);
      const { containers, volumes } = find(manifests, 'Deployment', `trifold-${service}`)['spec'].template
        .spec;
      const mount = (containers[0].volumeMounts as { name: string; mountPath: string }[]).find(
        ({ mountPath }) => mountPath === dirname(file),
      );
      const volume = volumes.find(({ name }: { name: string }) => name === mount?.name);
      const token = { path: basename(file), audience: 'documents' };
      expect(volume.projected.sources).toMatchObject([{ serviceAccountToken: token }]);
    }
  });

  it('drains renderers for longer than the render deadline', async () => {
    const manifests = await helm.render();
    const { controller } = loadControllerProcessConfig(environmentOf(manifests, 'controller'));
    const { drainWaitMs } = loadRendererProcessConfig(environmentOf(manifests, 'renderer'));
    expect(drainWaitMs).toBeGreaterThan(controller.renderDeadlineMs);
  });

  it('completes waiting requests before a gateway stops', async () => {
    const { gateway } = loadGatewayProcessConfig(environmentOf(await helm.render(), 'gateway'));
    expect(gateway.closeWaitMs).toBeGreaterThan(gateway.syncWaitMs);
  });

  it('scales on the Redis keys of waiting tasks', async () => {
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

  it('gives renderers a Redis user that may only process tasks, and no object store credentials', async () => {
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

  it('has the product version and the definitions in crds/', async () => {
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
