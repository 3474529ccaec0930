import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { entriesOf, readChartValues } from '../../charts/values-reference.ts';
import { CHART, findHelm, Helm } from './helm.ts';

const program = await findHelm();

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const SPREAD = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const schema = JSON.parse(await readFile(`${CHART}values.schema.json`, 'utf8')) as Schema;
const values = entriesOf(readChartValues(await readFile(`${CHART}values.yaml`, 'utf8')));

function resolved(node: Schema | undefined): Schema | undefined {
  const name = node?.$ref?.replace('#/definitions/', '');
  return name === undefined ? node : schema.definitions?.[name];
}

function schemaOf(path: string): Schema | undefined {
  return path
    .split('.')
    .reduce<Schema | undefined>((node, name) => resolved(node?.properties?.[name]), schema);
}

function isRequired(path: string): boolean {
  const group = path.split('.').slice(0, -1);
  const { required = [] } = (group.length === 0 ? schema : schemaOf(group.join('.'))) ?? {};
  return required.includes(path.split('.').at(-1)!);
}

/** Returns the paths of all properties that the schema defines. */
function namedPaths(node: Schema, prefix = ''): string[] {
  return Object.entries(resolved(node)?.properties ?? {}).flatMap(([name, child]) => [
    `${prefix}${name}`,
    ...namedPaths(child, `${prefix}${name}.`),
  ]);
}

describe('The chart values schema', () => {
  it('contains every value in values.yaml', () => {
    expect(values.length).toBeGreaterThan(150);
    for (const { path } of values) expect(schemaOf(path), path).toBeDefined();
  });

  it('contains no value that values.yaml lacks', () => {
    const known = new Set(values.map(({ path }) => path));
    const inside = (path: string) =>
      values.some(({ path: whole, members }) => !members && path.startsWith(`${whole}.`));
    expect(namedPaths(schema).filter((path) => !known.has(path) && !inside(path))).toEqual([]);
  });

  it('requires every group, and every number and flag', () => {
    const needed = values.filter(
      ({ members, fallback }) => members || /number|boolean/.test(typeof fallback),
    );
    expect(needed.map(({ path }) => path).filter((path) => !isRequired(path))).toEqual([]);
  });

  it('rejects unknown fields in every group of values', () => {
    expect(schema.additionalProperties).toBe(false);
    const groups = values.filter(({ members }) => members);
    expect(groups.length).toBeGreaterThan(25);
    for (const { path } of groups) expect(schemaOf(path)?.additionalProperties, path).toBe(false);
  });
});

describe.skipIf(!program && !process.env['CI'])('Validation of chart values', () => {
  const helm = new Helm(program ?? 'helm');
  afterAll(() => helm.remove());

  const unknown = values.filter(({ path, members }) => members && path !== 'global').map(({ path }) => path);
  it('reports an unknown value at any depth', async () => {
    const nested = (path: string): object =>
      path
        .split('.')
        .toReversed()
        .reduce<object>((inner, name) => ({ [name]: inner }), { mispelt: 1 });
    for (const path of ['', ...unknown]) {
      const message = await helm.renderError(path === '' ? { mispelt: 1 } : { ...nested(path) });
      expect(message, path).toContain("additional properties 'mispelt' not allowed");
      expect(message, path).toContain(`'${path === '' ? '' : `/${path.replaceAll('.', '/')}`}'`);
    }
  });

  const redis = (url: string) => ({ redis: { external: { url } } });
  const ownRedis = (external: object) => ({ redis: { bundled: { enabled: false }, external } });
  const store = (external: object) => ({ objectStore: { external } });
  it.each([
    ['an invalid size', { gateway: { config: { maxBody: '2 MB' } } }, '/gateway/config/maxBody'],
    [
      'resources without memory',
      { renderer: { resources: { limits: { memory: null } } } },
      "missing property 'memory'",
    ],
    ['credentials in a URL', redis('redis://:secret@redis:6379'), '/redis/external/url'],
    ['a bucket in the endpoint', store({ endpoint: 'https://s3/bucket' }), '/objectStore/external/endpoint'],
    ['no Redis', ownRedis({}), 'set the URL of your Redis'],
    ['no Redis for KEDA', { ...ownRedis({}), autoscaling: { mode: 'keda' } }, 'set the URL of your Redis'],
    [
      'two Redis servers at once',
      redis('redis://redis:6379'),
      'set redis.bundled.enabled to false to use your own Redis',
    ],
    [
      'a user without a password',
      ownRedis({ url: 'redis://redis:6379', username: 'documents' }),
      'set the Secret with the password',
    ],
    ['two Redis servers without Sentinel', redis('redis://one,two'), '/redis/external/url'],
    ['Sentinels without a master', redis('redis+sentinel://one'), '/redis/external/url'],
    ['a database in a Redis Cluster', redis('redis+cluster://one/1'), '/redis/external/url'],
    [
      'a user of the Sentinels without a password',
      ownRedis({ url: 'redis+sentinel://one/documents', sentinelUsername: 'watcher' }),
      'set the key of the password in the Secret',
    ],
    [
      'an empty image registry',
      { image: { registry: '' } },
      'image.registry is empty: set it to where you pushed',
    ],
    ['no object store', { objectStore: { bundled: { enabled: false } } }, 'set the URL of your object store'],
    [
      'two object stores at once',
      store({ endpoint: 'https://s3' }),
      'set objectStore.bundled.enabled to false to use your own object store',
    ],
    [
      'a web identity for the bundled object store',
      store({ webIdentity: { enabled: true } }),
      'set objectStore.bundled.enabled to false and remove objectStore.external.existingSecret',
    ],
    [
      'bounds in the wrong order',
      { renderer: { autoscaling: { minReplicas: 5, maxReplicas: 3 } } },
      'renderer.autoscaling.minReplicas (5) is more than maxReplicas (3)',
    ],
    [
      'a sandbox without a seccomp profile',
      { renderer: { sandbox: { enabled: true } } },
      'set renderer.sandbox.installProfile.enabled, or set renderer.sandbox.localhostProfile',
    ],
    [
      'a rollout that cannot replace any pod',
      { gateway: { rollout: { maxSurge: 0 } } },
      'gateway.rollout: maxSurge and maxUnavailable are both 0',
    ],
    [
      'an issuer without a client',
      { dashboard: { enabled: true, oidc: { issuer: 'https://login.example.com' } } },
      'dashboard.oidc.issuer needs dashboard.oidc.clientId',
    ],
    [
      'a group that is null',
      { gateway: { serviceAccount: null } },
      "'/gateway': missing property 'serviceAccount'",
    ],
    [
      'a variable that other parts of the chart depend on',
      { gateway: { extraEnv: [{ name: 'TRIFOLD_PORT', value: '8081' }] } },
      'gateway.extraEnv sets TRIFOLD_PORT',
    ],
    [
      'two variables with the same name',
      { renderer: { extraEnv: [{ name: 'TZ', value: 'UTC' }, { name: 'TZ' }] } },
      'renderer.extraEnv has two entries with the name TZ',
    ],
    [
      'a variable with two sources',
      { renderer: { extraEnv: [{ name: 'TZ', value: 'UTC', valueFrom: {} }] } },
      '/renderer/extraEnv/0',
    ],
    [
      'a volume with a name that the chart uses',
      { gateway: { extraVolumes: [{ name: 'tmp', emptyDir: {} }] } },
      'gateway.extraVolumes: the chart uses the name tmp itself',
    ],
    [
      'a mount where the chart has one',
      {
        controller: {
          extraVolumes: [{ name: 'mine' }],
          extraVolumeMounts: [{ name: 'mine', mountPath: '/tmp//.' }],
        },
      },
      'controller.extraVolumeMounts: the chart uses the mountPath /tmp itself',
    ],
    [
      'a volume whose name Kubernetes rejects',
      { gateway: { extraVolumes: [{ name: 'a_b' }] } },
      '/gateway/extraVolumes/0/name',
    ],
    [
      'a mount over the whole image',
      { gateway: { extraVolumeMounts: [{ name: 'tmp', mountPath: '/' }] } },
      '/gateway/extraVolumeMounts/0/mountPath',
    ],
    [
      'two constraints for the same topology',
      { gateway: { topologySpreadConstraints: [SPREAD, { ...SPREAD, maxSkew: 2 }] } },
      'gateway.topologySpreadConstraints has two entries with zone and DoNotSchedule: remove one',
    ],
    [
      'a mount without a volume',
      { renderer: { extraVolumeMounts: [{ name: 'mine', mountPath: '/mine' }] } },
      'renderer.extraVolumeMounts: there is no volume mine',
    ],
    [
      'a service account without a name',
      { gateway: { serviceAccount: { create: false } } },
      'gateway.serviceAccount.create is false and gateway.serviceAccount.name is empty',
    ],
    [
      'two services with one service account',
      { renderer: { serviceAccount: { name: 'trifold-controller' } } },
      'renderer.serviceAccount.name is trifold-controller, which another pod of this release uses',
    ],
    [
      'the service account of a bundled store',
      { gateway: { serviceAccount: { name: 'trifold-redis' } } },
      'gateway.serviceAccount.name is trifold-redis, which another pod of this release uses',
    ],
    [
      "a Secret for the first key that is another component's",
      { bootstrap: { enabled: true, secretName: 'trifold-tasks' } },
      'bootstrap.secretName is trifold-tasks, the name of another Secret',
    ],
    ['a label that Kubernetes rejects', { commonLabels: { team: 'a b' } }, '/commonLabels/team'],
    [
      'an annotation whose key Kubernetes rejects',
      { gateway: { podAnnotations: { 'a b': '' } } },
      "'/gateway/podAnnotations': additional properties 'a b' not allowed",
    ],
    ['a chart that is off', { enabled: false }, "'/enabled': value must be true"],
    [
      'two passwords under one key',
      { redis: { bundled: { passwordKey: 'key', rendererPasswordKey: 'key' } } },
      'redis.bundled.passwordKey and redis.bundled.rendererPasswordKey are both key',
    ],
    [
      'two credentials under one key',
      { objectStore: { bundled: { accessKeyKey: 'key', secretKeyKey: 'key' } } },
      'objectStore.bundled.accessKeyKey and objectStore.bundled.secretKeyKey are both key',
    ],
    [
      'a grace period that is too short',
      { gateway: { terminationGracePeriodSeconds: 30 } },
      'gateway.terminationGracePeriodSeconds (30) is less than the 50 seconds',
    ],
    [
      'two bounds of a disruption budget',
      { gateway: { podDisruptionBudget: { minAvailable: 1, maxUnavailable: 1 } } },
      '/gateway/podDisruptionBudget',
    ],
    [
      'a price without a currency',
      { gateway: { config: { prices: { pdf: '1' } } } },
      "'/gateway/config/prices'",
    ],
    ['an Ingress without a host', { ingress: { enabled: true } }, 'ingress.enabled needs ingress.hosts'],
  ])('explains the error of %s', async (_, wrong, told) => {
    expect(await helm.renderError(wrong)).toContain(told);
  });

  it('accepts null for every value that it does not require', async () => {
    const optional = values.filter(
      ({ path, members }) => !members && !isRequired(path) && path !== 'image.registry',
    );
    expect(optional.length).toBeGreaterThan(80);
    const given = {};
    const set = (path: string, value: unknown) => {
      const names = path.split('.');
      let group: Record<string, unknown> = given;
      for (const name of names.slice(0, -1)) group = (group[name] ??= {}) as Record<string, unknown>;
      group[names.at(-1)!] = value;
    };
    for (const { path } of optional) set(path, null);
    const accepts = async () => {
      const manifests = await helm.render({
        ...given,
        dashboard: { enabled: true },
        bootstrap: { enabled: true },
      });
      const config = manifests.flatMap(({ kind, data }) =>
        kind === 'ConfigMap' ? Object.values(data ?? {}) : [],
      );
      expect(config.filter((value) => typeof value !== 'string')).toEqual([]);
      expect(JSON.stringify(manifests)).not.toMatch(/"(name|key|value)":null/);
    };
    await accepts();
    for (const store of ['redis', 'objectStore']) set(`${store}.bundled.enabled`, false);
    set('redis.external.url', 'redis://redis');
    set('objectStore.external.endpoint', 'https://s3.example.com');
    await accepts();
  });

  it('accepts numbers where Kubernetes does, no CPU limit, and values from a parent chart', async () => {
    await helm.template({
      gateway: { resources: { limits: { cpu: 2 } } },
      renderer: { resources: { limits: { cpu: null } } },
      global: { anything: { goes: true }, imageRegistry: null },
      enabled: true,
    });
  });

  it('uses the registry of a parent chart if it sets none', async () => {
    const registry = 'registry.example.com/shared';
    const rendered = await helm.template({ image: { registry: '' }, global: { imageRegistry: registry } });
    expect(JSON.stringify(rendered)).toContain(`${registry}/trifold-gateway:`);
  });
});
