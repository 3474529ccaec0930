import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { CHART, find, findHelm, Helm, podTemplates, type ChartValues, type Manifest } from './helm.ts';
import {
  BARE,
  EVERYTHING,
  EXTERNAL,
  REDIS_CLUSTER,
  SENTINEL,
  VALUE_SETS,
  WEB_IDENTITY,
  WORKLOAD_IDENTITY,
} from './value-sets.ts';

const program = await findHelm();
if (!program && !process.env['CI']) {
  console.warn('skipped: there is no helm; .ci/helm builds one, TRIFOLD_TEST_HELM names it');
}

const rendererPod = (manifests: readonly Manifest[]) =>
  find(manifests, 'Deployment', 'trifold-renderer')['spec'].template.spec;

describe.skipIf(!program && !process.env['CI'])('Helm chart', () => {
  const helm = new Helm(program ?? 'helm');
  afterAll(() => helm.remove());

  it('gives gateways a shared secret for sessions if people may sign in', async () => {
    const variable = (manifests: Manifest[]) =>
      (
        podTemplates(manifests).find(({ owner }) => owner.endsWith('-gateway'))?.spec.containers[0].env ?? []
      ).find(({ name }: { name: string }) => name === 'TRIFOLD_SESSION_SECRET');
    expect(variable(await helm.render())).toBeUndefined();
    const own = await helm.render({ ...BARE, dashboard: { enabled: true } });
    expect(variable(own).valueFrom.secretKeyRef).toEqual({ name: 'trifold-sessions', key: 'session-secret' });
    const secret = Buffer.from(find(own, 'Secret', 'trifold-sessions')['data']['session-secret'], 'base64');
    expect(secret.toString()).toMatch(/^[A-Za-z0-9]{48}$/);
    const given = await helm.render({ ...BARE, dashboard: { enabled: true, existingSecret: 'mine' } });
    expect(variable(given).valueFrom.secretKeyRef.name).toBe('mine');
    expect(() => find(given, 'Secret', 'trifold-sessions')).toThrow();
  });

  it('lets gateways reach the identity provider if there is one', async () => {
    const egress = async (values: ChartValues) =>
      find(await helm.render(values), 'NetworkPolicy', 'trifold-gateway')['spec'].egress.map(egressText);
    expect(await egress({ dashboard: EVERYTHING['dashboard'] })).toContain('anywhere: 8443/TCP');
    expect(await egress({ dashboard: { enabled: true } })).not.toContain('anywhere: 8443/TCP');
    const identityProviderTo = [{ ipBlock: { cidr: '192.0.2.0/24' } }];
    const narrowed = { dashboard: EVERYTHING['dashboard'], networkPolicy: { identityProviderTo } };
    expect(await egress(narrowed)).toContain('192.0.2.0/24: 8443/TCP');
  });

  it('passes helm lint --strict', async () => {
    await helm.ok(['lint', '--strict', CHART]);
    await helm.ok(['lint', '--strict', CHART, '--values', '-'], EVERYTHING);
  });

  describe.each(Object.entries(VALUE_SETS))('with %s', (_, values) => {
    it('grants no container more than PodSecurity `restricted` allows', async () => {
      const pods = podTemplates(await helm.render(values));
      expect(pods.length).toBeGreaterThanOrEqual(3);
      for (const { owner, spec, containers } of pods) {
        expect(spec.securityContext, owner).toMatchObject({
          runAsNonRoot: true,
          runAsUser: expect.any(Number),
          seccompProfile: { type: 'RuntimeDefault' },
        });
        for (const member of ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace']) {
          expect(spec, owner).not.toHaveProperty(member);
        }
        for (const container of containers) {
          expect(container.securityContext, owner).toMatchObject({
            allowPrivilegeEscalation: false,
            privileged: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
        }
        for (const volume of spec.volumes) expect(volume, owner).not.toHaveProperty('hostPath');
      }
    });

    it('runs the Trifold services as user 10001', async () => {
      const own = podTemplates(await helm.render(values)).filter(({ owner }) =>
        /-(gateway|controller|renderer|bootstrap)$/.test(owner),
      );
      expect(own.length).toBeGreaterThanOrEqual(3);
      for (const { owner, spec } of own) {
        expect(spec.securityContext, owner).toMatchObject({
          runAsUser: 10001,
          runAsGroup: 10001,
          fsGroup: 10001,
        });
      }
    });

    it('sets CPU and memory requests and limits for every container, and a limit for every emptyDir', async () => {
      for (const { owner, spec, containers } of podTemplates(await helm.render(values))) {
        const both = { cpu: expect.anything(), memory: expect.anything() };
        for (const container of containers) {
          expect(container.resources, owner).toEqual({ requests: both, limits: both });
        }
        for (const volume of spec.volumes) {
          if (volume.emptyDir) expect(volume.emptyDir.sizeLimit, `${owner} ${volume.name}`).toBeTruthy();
        }
      }
    });

    it('puts no password into environment variables, arguments or ConfigMaps', async () => {
      const manifests = await helm.render(values);
      for (const { owner, containers } of podTemplates(manifests)) {
        const variables = containers.flatMap((container: { env?: Variable[] }) => container.env ?? []);
        const secret = variables.filter(({ name }: Variable) =>
          /PASSWORD|SECRET|ACCESS_KEY|AUTH|_USER$|TOKEN/.test(name),
        );
        for (const { name, value } of secret) expect(value, `${owner} ${name}`).toBeUndefined();
      }
      const generated = manifests
        .filter(({ kind }) => kind === 'Secret')
        .flatMap(({ data }) => Object.values(data as Record<string, string>))
        .map((text) => Buffer.from(text, 'base64').toString());
      for (const secret of generated) expect(secret).toMatch(/^[A-Za-z0-9]{20,}$/);
      const rest = JSON.stringify(manifests.filter(({ kind }) => kind !== 'Secret'));
      for (const secret of generated) expect(rest).not.toContain(secret);
    });

    it('labels every object and selects pods by labels that they have', async () => {
      const manifests = await helm.render(values);
      const pods = podTemplates(manifests);
      for (const { kind, metadata } of manifests) {
        expect(metadata.labels, `${kind} ${metadata.name}`).toMatchObject({
          'app.kubernetes.io/name': 'trifold',
          'app.kubernetes.io/instance': 'trifold',
          'app.kubernetes.io/component': expect.any(String),
          'app.kubernetes.io/version': expect.any(String),
          'app.kubernetes.io/managed-by': 'Helm',
        });
      }
      for (const { name, selector } of selectorsOf(manifests)) {
        const chosen = pods.filter(({ metadata }) =>
          Object.entries(selector).every(([label, value]) => metadata.labels?.[label] === value),
        );
        expect(
          chosen.map(({ owner }) => owner),
          name,
        ).toHaveLength(1);
      }
    });

    it('creates no two objects with the same name and refers only to existing ones', async () => {
      const manifests = await helm.render(values);
      const names = manifests.map(
        ({ kind, metadata }) => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`,
      );
      expect(new Set(names).size).toBe(names.length);
      for (const { owner, spec, containers } of podTemplates(manifests)) {
        find(manifests, 'ServiceAccount', spec.serviceAccountName ?? 'default-of-the-namespace');
        const mounts = containers.flatMap((container: { volumeMounts: { name: string }[] }) =>
          container.volumeMounts.map(({ name }) => name),
        );
        const volumes = spec.volumes.map(({ name }: { name: string }) => name);
        expect(new Set(mounts), owner).toEqual(new Set(volumes));
      }
    });
  });

  it('creates a service account per component and mounts a token only where needed', async () => {
    const manifests = await helm.render({ bootstrap: { enabled: true } });
    const tokens = Object.fromEntries(
      podTemplates(manifests).map(({ owner, spec }) => [
        owner,
        [spec.serviceAccountName, spec.automountServiceAccountToken],
      ]),
    );
    expect(tokens).toEqual({
      'Deployment/trifold-gateway': ['trifold-gateway', true],
      'Deployment/trifold-controller': ['trifold-controller', true],
      'Deployment/trifold-renderer': ['trifold-renderer', false],
      'StatefulSet/trifold-redis': ['trifold-redis', false],
      'StatefulSet/trifold-minio': ['trifold-minio', false],
      'Job/trifold-bootstrap': ['trifold-bootstrap', true],
    });
    for (const account of manifests.filter(({ kind }) => kind === 'ServiceAccount')) {
      expect(account['automountServiceAccountToken'], account.metadata.name).toBe(false);
    }
  });

  it('grants only the permissions that the services use', async () => {
    const manifests = await helm.render({ bootstrap: { enabled: true } });
    const granted = Object.fromEntries(
      manifests
        .filter(({ kind }) => kind === 'RoleBinding' || kind === 'ClusterRoleBinding')
        .map(({ roleRef, subjects, metadata }) => {
          const role = manifests.find(
            ({ kind, metadata: { name, namespace } }) =>
              kind === roleRef.kind && name === roleRef.name && namespace === metadata.namespace,
          );
          const where = metadata.namespace ?? 'everywhere';
          expect(subjects).toHaveLength(1);
          return [`${subjects[0].name} ${where} ${metadata.name}`, role?.['rules'].map(ruleText)];
        }),
    );
    expect(granted).toEqual({
      'trifold-gateway everywhere documents-system-trifold-gateway': [
        'trifold.dev templates: get list watch create update delete',
        'trifold.dev generationjobs batches: get list watch create',
        'trifold.dev generationjobs: patch',
        'trifold.dev apikeys: get list watch create delete',
        'trifold.dev apikeys/status: patch',
        'trifold.dev usagereports: list',
        'trifold.dev webhookendpoints: get list create update delete',
        'trifold.dev webhookdeliveries: get list watch create patch',
        ' namespaces: get list watch',
      ],
      'trifold-controller everywhere documents-system-trifold-controller': [
        'trifold.dev generationjobs batches: get list watch delete',
        'trifold.dev templates: get list watch',
        'trifold.dev generationjobs/status batches/status templates/status usagereports/status: update',
        'trifold.dev usagereports: get list create delete',
        ' namespaces: get list',
        'trifold.dev webhookdeliveries: get list watch create delete',
        'trifold.dev webhookendpoints: get list watch update',
        'trifold.dev webhookdeliveries/status webhookendpoints/status: update',
        ' events: create patch',
      ],
      'trifold-controller documents-system trifold-controller-lease': [
        'coordination.k8s.io leases trifold-controller: get update',
        'coordination.k8s.io leases: create',
      ],
      'trifold-controller documents-system trifold-webhook-key': [
        ' configmaps trifold-webhook-key: get update',
      ],
      'system:authenticated documents-system trifold-webhook-key-reader': [
        ' configmaps trifold-webhook-key: get',
      ],
      // Hooks: they exist only during an upgrade.
      'trifold-bootstrap everywhere documents-system-trifold-bootstrap': [' namespaces documents: get patch'],
      'trifold-bootstrap documents trifold-bootstrap': ['trifold.dev apikeys: create delete'],
      'trifold-bootstrap documents-system trifold-bootstrap-secret': [
        ' secrets trifold-first-key: get',
        ' secrets: create',
      ],
    });
  });

  it('gives no permission on Secrets outside its namespace', async () => {
    const roles = (await helm.render({ bootstrap: { enabled: true } })).filter(
      ({ kind, metadata: { namespace } }) => kind.endsWith('Role') && namespace !== 'documents-system',
    );
    expect(roles.length).toBeGreaterThan(0);
    expect(JSON.stringify(roles.map((role) => role['rules']))).not.toContain('secrets');
  });

  it('gives only controllers the key that opens the secrets of webhooks, and keeps it', async () => {
    const keyPath = (manifests: readonly Manifest[], service: string) =>
      find(manifests, 'Deployment', `trifold-${service}`)['spec'].template.spec.containers[0].env.filter(
        ({ name }: { name: string }) => name.startsWith('TRIFOLD_WEBHOOK_'),
      );
    const refOf = ({ valueFrom }: { valueFrom: { secretKeyRef: object } }) => valueFrom.secretKeyRef;
    const own = await helm.render();
    const name = 'trifold-webhook-key';
    expect(keyPath(own, 'controller').map(refOf)).toEqual([
      { name, key: 'webhook-key' },
      { name, key: 'previous-webhook-key', optional: true },
    ]);
    for (const service of ['gateway', 'renderer']) expect(keyPath(own, service)).toEqual([]);
    const { metadata, data } = find(own, 'Secret', name);
    expect(metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' });
    expect(Buffer.from(data['webhook-key'], 'base64').toString()).toMatch(/^[A-Za-z0-9]{48}$/);
    const given = await helm.render({ webhooks: { existingSecret: 'mine' } });
    expect(keyPath(given, 'controller')[0].valueFrom.secretKeyRef.name).toBe('mine');
    expect(() => find(given, 'Secret', name)).toThrow();
  });

  it('limits the egress of renderers to DNS, Redis and the object store', async () => {
    const policy = find(await helm.render(), 'NetworkPolicy', 'trifold-renderer');
    expect(policy['spec'].policyTypes).toEqual(['Ingress', 'Egress']);
    expect(policy['spec'].egress.map(egressText)).toEqual([
      'namespace kube-system: 53/UDP 53/TCP',
      'redis: 6379/TCP',
      'minio: 9000/TCP',
    ]);
    const external = find(await helm.render(EXTERNAL), 'NetworkPolicy', 'trifold-renderer');
    expect(external['spec'].egress.map(egressText)).toEqual([
      'namespace kube-system: 53/UDP 53/TCP',
      '192.0.2.0/24: 6380/TCP',
      '192.0.2.0/24: 443/TCP',
    ]);
    for (const [values, ports] of [
      [SENTINEL, '6379/TCP 26379/TCP 26380/TCP'],
      [REDIS_CLUSTER, '6379/TCP 7000/TCP'],
    ] as const) {
      const { spec } = find(await helm.render(values), 'NetworkPolicy', 'trifold-renderer');
      expect(spec.egress.map(egressText)).toContain(`192.0.2.0/24: ${ports}`);
    }
  });

  it('gives renderers no DNS if one Redis and the object store have IP addresses and nothing else has a name', async () => {
    const external = (store: object) => ({
      redis: { bundled: { enabled: false }, external: { url: 'redis://[fd00::5]:6380/0' } },
      objectStore: {
        bundled: { enabled: false },
        external: { endpoint: 'https://10.0.0.6', existingSecret: 's3', ...store },
      },
    });
    const egress = async (values: ChartValues) =>
      find(await helm.render(values), 'NetworkPolicy', 'trifold-renderer')['spec'].egress.map(egressText);
    expect(await egress(external({}))).toEqual(['anywhere: 6380/TCP', 'anywhere: 443/TCP']);
    const dns = 'namespace kube-system: 53/UDP 53/TCP';
    // Names of an object store, of the servers that a Sentinel may name, and of an allow-list.
    expect(await egress(external({ endpoint: 'https://10.example.com' }))).toContain(dns);
    const redis = { ...external({}).redis, external: { url: 'redis+sentinel://10.0.0.5/documents' } };
    expect(await egress({ ...external({}), redis })).toContain(dns);
    const allowHosts = { renderer: { config: { allowHosts: ['images.example.com'] } } };
    expect(await egress({ ...external({}), ...allowHosts })).toContain(dns);
  });

  it('lets only gateways ask renderers for previews', async () => {
    const manifests = await helm.render();
    const renderer = find(manifests, 'NetworkPolicy', 'trifold-renderer')['spec'];
    const [metrics, previews] = renderer.ingress as { ports: unknown[]; from: Peer[] }[];
    expect(renderer.ingress).toHaveLength(2);
    expect([metrics?.ports, metrics?.from]).toEqual([
      [{ port: 9090, protocol: 'TCP' }],
      [{ namespaceSelector: {} }],
    ]);
    expect(previews?.ports).toEqual([{ port: 9091, protocol: 'TCP' }]);
    expect(previews?.from.map(peerText)).toEqual(['gateway']);
    const gateway = find(manifests, 'NetworkPolicy', 'trifold-gateway')['spec'];
    expect(gateway.egress.map(egressText)).toContain('renderer: 9091/TCP');
    const controller = find(manifests, 'NetworkPolicy', 'trifold-controller')['spec'];
    expect(controller.egress.map(egressText)).not.toContain('renderer: 9091/TCP');
  });

  it('names the ready renderers for previews, with a shared token, or nothing without previews', async () => {
    const previewSettings = async (values: object) => {
      const manifests = await helm.render({ ...values });
      const settingsOf = (service: string) => {
        const [container] = find(manifests, 'Deployment', `trifold-${service}`)['spec'].template.spec
          .containers;
        const { data } = find(manifests, 'ConfigMap', `trifold-${service}`);
        const env = ((container.env ?? []) as { name: string; valueFrom?: unknown }[]).map(
          ({ name, valueFrom }) => [name, valueFrom] as const,
        );
        return Object.fromEntries(
          [...Object.entries(data as object), ...env].filter(([name]) => name.includes('PREVIEW')),
        );
      };
      const { spec } = find(manifests, 'Service', 'trifold-renderer');
      const policies = JSON.stringify(manifests.filter(({ kind }) => kind === 'NetworkPolicy'));
      return {
        manifests,
        settings: ['gateway', 'controller', 'renderer'].map(settingsOf),
        ports: spec.ports.map(({ port }: { port: number }) => port),
        isHeadless: spec.clusterIP === 'None' && spec.publishNotReadyAddresses !== true,
        isAllowed: policies.includes('9091'),
      };
    };
    const token = (name: string) => ({
      TRIFOLD_PREVIEW_TOKEN: { secretKeyRef: { name, key: 'preview-token' } },
    });
    const settingsWith = (name: string) => [
      { TRIFOLD_PREVIEW_RENDERERS: 'trifold-renderer:9091', ...token(name) },
      {},
      { TRIFOLD_PREVIEW_PORT: '9091', ...token(name) },
    ];
    const own = await previewSettings({});
    expect(own).toMatchObject({ ports: [9090, 9091], isHeadless: true, isAllowed: true });
    expect(own.settings).toEqual(settingsWith('trifold-previews'));
    const secret = find(own.manifests, 'Secret', 'trifold-previews')['data']['preview-token'];
    expect(Buffer.from(secret, 'base64').toString()).toMatch(/^[A-Za-z0-9]{48}$/);

    const given = await previewSettings({ previews: { existingSecret: 'mine' } });
    expect(given.settings).toEqual(settingsWith('mine'));
    expect(() => find(given.manifests, 'Secret', 'trifold-previews')).toThrow();

    const without = await previewSettings({ previews: { enabled: false } });
    expect(without).toMatchObject({ settings: [{}, {}, {}], ports: [9090], isAllowed: false });
    expect(() => find(without.manifests, 'Secret', 'trifold-previews')).toThrow();
  });

  it('runs services without keys of the object store, and lets them reach what gives credentials', async () => {
    const manifests = await helm.render(WORKLOAD_IDENTITY);
    for (const service of ['gateway', 'controller']) {
      const { env } = find(manifests, 'Deployment', `trifold-${service}`)['spec'].template.spec.containers[0];
      const names = ((env ?? []) as { name: string }[]).map(({ name }) => name);
      expect(names.filter((name) => name.startsWith('TRIFOLD_S3'))).toEqual([]);
      const { metadata } = find(manifests, 'ServiceAccount', `trifold-${service}`);
      expect(metadata.annotations).toMatchObject({ 'eks.amazonaws.com/role-arn': expect.any(String) });
      const { spec } = find(manifests, 'NetworkPolicy', `trifold-${service}`);
      const egress = spec.egress.map(egressText);
      expect(egress).toContain('anywhere: 9000/TCP 443/TCP');
      expect(egress).toContain('169.254.170.23/32: 80/TCP');
    }
  });

  it('mounts tokens for an STS only in gateways and controllers, and lets them reach it', async () => {
    const manifests = await helm.render(WEB_IDENTITY);
    const owners = podTemplates(manifests)
      .filter(({ spec }) => spec.volumes.some(({ projected }: { projected?: object }) => projected))
      .map(({ owner }) => owner);
    expect(owners.sort()).toEqual(['Deployment/trifold-controller', 'Deployment/trifold-gateway']);
    expect(find(manifests, 'ConfigMap', 'trifold-renderer')['data']).not.toHaveProperty('AWS_ROLE_ARN');
    const egress = (rendered: Manifest[], service: string) =>
      find(rendered, 'NetworkPolicy', `trifold-${service}`)['spec'].egress.map(egressText);
    const { objectStore } = WEB_IDENTITY as { objectStore: { bundled: object; external: object } };
    const external = { ...objectStore.external, webIdentity: { enabled: true } };
    const amazon = await helm.render({ objectStore: { ...objectStore, external } });
    for (const service of ['gateway', 'controller']) {
      expect(egress(manifests, service)).toContain('anywhere: 9000/TCP 9443/TCP');
      expect(egress(manifests, service)).not.toContain('169.254.170.23/32: 80/TCP');
      expect(egress(amazon, service)).toContain('anywhere: 9000/TCP 443/TCP');
    }
    expect(egress(manifests, 'renderer')).toContain('anywhere: 9000/TCP');
  });

  it('lets controllers post to public addresses, allowed addresses and receivers in the cluster', async () => {
    const postsTo = async (values: object) => {
      const { spec } = find(await helm.render({ ...values }), 'NetworkPolicy', 'trifold-controller');
      // The last rule, the only one that allows any port.
      const { to, ports } = spec.egress.at(-1);
      expect(ports).toBeUndefined();
      return to.map(peerText);
    };
    const outside = ['0.0.0.0/0', '2000::/3'];
    expect(await postsTo({})).toEqual(outside);
    expect(await postsTo({ webhooks: { allowAddresses: ['10.96.0.0/12'] } })).toEqual([
      ...outside,
      '10.96.0.0/12',
    ]);
    const webhooksAlsoTo = [
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } },
    ];
    expect(await postsTo({ networkPolicy: { webhooksAlsoTo } })).toEqual([...outside, 'namespace shop']);
    const webhooksTo = [{ ipBlock: { cidr: '192.0.2.0/24' } }];
    expect(await postsTo({ networkPolicy: { webhooksTo } })).toEqual(['192.0.2.0/24']);
    expect(await postsTo({ networkPolicy: { webhooksTo, webhooksAlsoTo } })).toEqual([
      '192.0.2.0/24',
      'namespace shop',
    ]);
  });

  it('blocks egress to denied ranges', async () => {
    const exceptions = async (denyAddresses: string[]) => {
      const values = { denyAddresses, renderer: { config: { allowHosts: ['cdn.example.com'] } } };
      const manifests = await helm.render(values);
      const of = (part: string) => {
        const { spec } = find(manifests, 'NetworkPolicy', `trifold-${part}`);
        const { to } = spec.egress.at(-1) as { to: { ipBlock: { except?: string[] } }[] };
        return to.map(({ ipBlock }) => ipBlock.except ?? []);
      };
      expect(of('renderer')).toEqual(of('controller'));
      return of('controller');
    };
    const [ipv4, ipv6] = await exceptions([]);
    expect(ipv4).toContain('168.63.129.16/32');
    expect(ipv6).toEqual([]);
    expect(await exceptions(['203.0.113.0/24', '8.8.8.8', 'fd00::/8', '2a00:1450::/32', '2606::1'])).toEqual([
      [...(ipv4 ?? []), '203.0.113.0/24', '8.8.8.8/32'],
      ['2a00:1450::/32', '2606::1/128'],
    ]);
  });

  it('lets KEDA reach the bundled Redis from its own namespace only', async () => {
    const keda = async (values: object) => {
      const manifests = await helm.render({ autoscaling: { mode: 'keda' }, ...values });
      const { spec } = find(manifests, 'NetworkPolicy', 'trifold-redis');
      return spec.ingress[0].from.at(-1).namespaceSelector as unknown;
    };
    const named = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });
    expect(await keda({})).toEqual(named('keda'));
    expect(await keda({ networkPolicy: { kedaNamespace: 'scaling' } })).toEqual(named('scaling'));
  });

  it('lets only their clients reach the bundled stores, and gives the stores no egress', async () => {
    const manifests = await helm.render();
    for (const [store, users] of [
      ['redis', ['controller', 'renderer']],
      ['minio', ['gateway', 'controller', 'renderer']],
    ] as const) {
      const { spec } = find(manifests, 'NetworkPolicy', `trifold-${store}`);
      expect(spec.egress).toEqual([]);
      const from = spec.ingress.flatMap((rule: { from: unknown[] }) => rule.from);
      expect(from.map(peerText)).toEqual(users);
    }
  });

  it('lets gateways reach Redis only when it counts a rate limit', async () => {
    const users = async (rateLimit: string) => {
      const manifests = await helm.render({ gateway: { config: { rateLimit } } });
      const { spec } = find(manifests, 'NetworkPolicy', 'trifold-redis');
      const gateway = find(manifests, 'NetworkPolicy', 'trifold-gateway');
      const { data } = find(manifests, 'ConfigMap', 'trifold-gateway');
      const [{ env }] = find(manifests, 'Deployment', 'trifold-gateway')['spec'].template.spec.containers;
      return {
        redisFrom: spec.ingress.flatMap((rule: { from: Peer[] }) => rule.from).map(peerText),
        reaches: gateway['spec'].egress.map(egressText).includes('redis: 6379/TCP'),
        url: data.TRIFOLD_REDIS_URL as string | undefined,
        password: (env as { name: string }[]).some(({ name }) => name === 'TRIFOLD_REDIS_PASSWORD'),
      };
    };
    expect(await users('off')).toEqual({
      redisFrom: ['controller', 'renderer'],
      reaches: false,
      url: undefined,
      password: false,
    });
    expect(await users('600/1m')).toEqual({
      redisFrom: ['gateway', 'controller', 'renderer'],
      reaches: true,
      url: 'redis://trifold-redis:6379/0',
      password: true,
    });
  });

  it('scales by CPU, by queue length or not at all', async () => {
    const [hpa, keda, none] = await Promise.all([helm.render(), helm.render(EXTERNAL), helm.render(BARE)]);
    const kinds = (manifests: Manifest[]) =>
      manifests
        .filter(({ kind }) => /Autoscaler|ScaledObject|TriggerAuthentication/.test(kind))
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        .sort();
    expect(kinds(hpa)).toEqual([
      'HorizontalPodAutoscaler trifold-gateway',
      'HorizontalPodAutoscaler trifold-renderer',
    ]);
    expect(kinds(keda)).toEqual([
      'HorizontalPodAutoscaler trifold-gateway',
      'ScaledObject trifold-renderer',
      'TriggerAuthentication trifold-renderer',
    ]);
    expect(kinds(none)).toEqual([]);
    // A Deployment that an autoscaler scales sets no replicas; otherwise each upgrade would reset the number.
    expect(find(hpa, 'Deployment', 'trifold-renderer')['spec']).not.toHaveProperty('replicas');
    expect(find(keda, 'Deployment', 'trifold-renderer')['spec']).not.toHaveProperty('replicas');
    expect(find(none, 'Deployment', 'trifold-renderer')['spec'].replicas).toBe(2);
  });

  it('gives pods as much time to stop as the services allow themselves', async () => {
    const grace = async (values: object) => {
      const manifests = await helm.render({ ...values });
      return ['gateway', 'renderer'].map(
        (name) =>
          find(manifests, 'Deployment', `trifold-${name}`)['spec'].template.spec
            .terminationGracePeriodSeconds,
      );
    };
    expect(await grace({})).toEqual([50, 85]);
    const longer = {
      gateway: { config: { closeDelay: '1500ms', closeWait: '2m' } },
      renderer: { config: { drainWait: '1h' } },
    };
    expect(await grace(longer)).toEqual([132, 3615]);
  });

  it('restarts only the pods whose configuration changes', async () => {
    const checksums = async (values: object) =>
      Object.fromEntries(
        podTemplates(await helm.render({ ...values })).map(({ owner, metadata }) => [
          owner,
          metadata.annotations?.['checksum/config'],
        ]),
      );
    const [before, again, after] = await Promise.all([
      checksums({}),
      checksums({}),
      checksums({ gateway: { config: { syncWait: '20s' } }, redis: { bundled: { maxMemory: '100mb' } } }),
    ]);
    expect(again).toEqual(before);
    const changed = Object.keys(before).filter((owner) => before[owner] !== after[owner]);
    expect(changed.sort()).toEqual(['Deployment/trifold-gateway', 'StatefulSet/trifold-redis']);
  });

  it('restarts no pod for a new chart version, and no bundled store for a new Trifold version', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trifold-chart-'));
    const podsOf = async (versions: Record<string, string>) => {
      await cp(CHART, folder, { recursive: true });
      const file = join(folder, 'Chart.yaml');
      const text = await readFile(file, 'utf8');
      await writeFile(file, stringify({ ...parse(text), ...versions }));
      return new Map(
        podTemplates(await helm.render(EVERYTHING, { chart: folder })).map((pod) => [pod.owner, pod]),
      );
    };
    try {
      const before = await podsOf({});
      expect(await podsOf({ version: '99.0.0' })).toEqual(before);
      const after = await podsOf({ appVersion: '99.0.0' });
      for (const store of ['StatefulSet/trifold-redis', 'StatefulSet/trifold-minio']) {
        expect(after.get(store)).toEqual(before.get(store));
      }
      expect(after.get('Deployment/trifold-gateway')).not.toEqual(before.get('Deployment/trifold-gateway'));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('gives the container of the browsers its own user, no Secret, and no volume but the socket and its own', async () => {
    for (const values of [EVERYTHING, EXTERNAL]) {
      const { containers, initContainers } = rendererPod(await helm.render(values));
      const [browser] = initContainers;
      expect(browser).toMatchObject({
        restartPolicy: 'Always',
        securityContext: { runAsUser: 10002, runAsGroup: 10002 },
      });
      expect(browser).not.toHaveProperty('envFrom');
      expect(
        browser.env.map(({ name, value }: Variable) => (value === undefined ? 'from elsewhere' : name)),
      ).toEqual(['TRIFOLD_BROWSER_SOCKET', 'TRIFOLD_BROWSER_SANDBOX', 'TRIFOLD_LOG_LEVEL']);
      const mountsOf = ({ volumeMounts }: { volumeMounts: { name: string }[] }) =>
        volumeMounts.map(({ name }) => name);
      expect(mountsOf(browser)).toEqual(['browser-tmp', 'browser-shm', 'browser-socket']);
      expect(mountsOf(containers[0]).filter((name) => mountsOf(browser).includes(name))).toEqual([
        'browser-socket',
      ]);
    }
  });

  it('disables the Chromium sandbox, or enables it with a seccomp profile that allows it', async () => {
    const sandbox = async (values: object) => {
      const { containers, initContainers } = rendererPod(await helm.render({ ...values }));
      expect(containers[0].securityContext).not.toHaveProperty('seccompProfile');
      const { env, securityContext } = initContainers[0];
      const { value } = env.find(({ name }: { name: string }) => name === 'TRIFOLD_BROWSER_SANDBOX');
      return [value, securityContext.seccompProfile];
    };
    expect(await sandbox({})).toEqual(['off', undefined]);
    expect(await sandbox(EVERYTHING)).toEqual([
      'required',
      { type: 'Localhost', localhostProfile: 'profiles/chromium.json' },
    ]);
  });

  it('writes its seccomp profile to the nodes, from a namespace of its own', async () => {
    const installProfile = { enabled: true, namespace: 'nodes', directory: '/data/kubelet/seccomp' };
    const manifests = await helm.render({ renderer: { sandbox: { enabled: true, installProfile } } });
    const [browser] = rendererPod(manifests).initContainers;
    expect(browser.securityContext.seccompProfile.localhostProfile).toBe('trifold/chromium.json');
    const daemons = find(manifests, 'DaemonSet', 'trifold-seccomp-profile');
    const { data, metadata } = find(manifests, 'ConfigMap', 'trifold-seccomp-profile');
    expect([daemons.metadata.namespace, metadata.namespace]).toEqual(['nodes', 'nodes']);
    const { containers, volumes } = daemons['spec'].template.spec;
    expect(containers[0].args.at(-1)).toBe('/host/trifold/chromium.json');
    expect(volumes.at(-1).hostPath.path).toBe('/data/kubelet/seccomp');
    const profile = JSON.parse(data['chromium.json']) as SeccompProfile;
    expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO');
    const allowed = profile.syscalls
      .filter(({ action }) => action === 'SCMP_ACT_ALLOW')
      .flatMap(({ names }) => names);
    for (const denied of [
      'mount',
      'setns',
      'ptrace',
      'process_vm_readv',
      'bpf',
      'keyctl',
      'io_uring_setup',
    ]) {
      expect(allowed).not.toContain(denied);
    }
    // AF_UNIX only: browsers have no network. On 32-bit architectures, socketcall would open other sockets.
    expect(profile.architectures).toEqual(['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64']);
    expect(profile.syscalls.filter(({ names }) => names.includes('socket'))).toMatchObject([
      { args: [{ index: 0, value: 1, op: 'SCMP_CMP_EQ' }] },
    ]);
    expect((await helm.render()).filter(({ kind }) => kind === 'DaemonSet')).toEqual([]);
  });

  it('gives renderers a user namespace or another runtime if the values ask for it', async () => {
    const spec = async (renderer: ChartValues) => {
      const template = find(await helm.render({ renderer }), 'Deployment', 'trifold-renderer')['spec']
        .template;
      const { hostUsers, runtimeClassName } = template.spec as Record<string, unknown>;
      return { hostUsers, runtimeClassName };
    };
    expect(await spec({})).toEqual({});
    expect(await spec({ hostUsers: false, runtimeClassName: 'gvisor' })).toEqual({
      hostUsers: false,
      runtimeClassName: 'gvisor',
    });
  });

  it('names images by registry, repository, tag and digest', async () => {
    const images = async (values: object) =>
      podTemplates(await helm.render({ ...values })).map(({ spec }) => spec.containers[0].image);
    expect((await images({})).slice(0, 3)).toEqual([
      'registry.example.com/trifold-controller:0.1.0',
      'registry.example.com/trifold-gateway:0.1.0',
      'registry.example.com/trifold-renderer:0.1.0',
    ]);
    const digest = `sha256:${'0a'.repeat(32)}`;
    const values = {
      image: { registry: 'registry.example.com/docs/', tag: 'main' },
      gateway: { image: { digest } },
      renderer: { image: { registry: 'other.example.com', tag: 'test' } },
    };
    expect((await images(values)).slice(0, 3)).toEqual([
      'registry.example.com/docs/trifold-controller:main',
      `registry.example.com/docs/trifold-gateway@${digest}`,
      'other.example.com/trifold-renderer:test',
    ]);
  });

  it('keeps only definitions, the claim of the files, accounts and the key of webhooks after an uninstall', async () => {
    const kept = (await helm.render(EVERYTHING))
      .filter(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'] === 'keep')
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(kept.sort()).toEqual([
      'CustomResourceDefinition apikeys.trifold.dev',
      'CustomResourceDefinition batches.trifold.dev',
      'CustomResourceDefinition generationjobs.trifold.dev',
      'CustomResourceDefinition templates.trifold.dev',
      'CustomResourceDefinition usagereports.trifold.dev',
      'CustomResourceDefinition webhookdeliveries.trifold.dev',
      'CustomResourceDefinition webhookendpoints.trifold.dev',
      'Namespace documents',
      'PersistentVolumeClaim trifold-minio',
      'Secret trifold-webhook-key',
    ]);
    const off = { crds: { keep: false }, objectStore: { bundled: { persistence: { keep: false } } } };
    const policies = (await helm.render(off)).map(
      ({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'],
    );
    expect(policies).not.toContain('keep');
  });

  it('creates no namespace for an account in the namespace of the release', async () => {
    const manifests = await helm.render(
      { bootstrap: { enabled: true, account: 'documents' } },
      { namespace: 'documents' },
    );
    expect(manifests.filter(({ kind }) => kind === 'Namespace')).toEqual([]);
  });

  it('names every object after the release, even if the name is long or has dots', async () => {
    const release = 'a.very-long.name-of-a-release-with-many-dashes-and-words';
    const manifests = await helm.render(EVERYTHING, { release: release.slice(0, 53) });
    for (const { kind, metadata } of manifests) {
      const longest = /^(ClusterRole|ValidatingAdmissionPolicy)/.test(kind) ? 253 : 63;
      expect(metadata.name.length, `${kind} ${metadata.name}`).toBeLessThanOrEqual(longest);
      for (const value of Object.values(metadata.labels ?? {})) expect(value.length).toBeLessThanOrEqual(63);
      if (kind === 'Service') expect(metadata.name).toMatch(/^[a-z]([-a-z0-9]*[a-z0-9])?$/);
    }
    expect((await helm.render({}, { release: 'docs' })).map(({ metadata }) => metadata.name)).toContain(
      'docs-trifold-gateway',
    );
    const named = await helm.render({ fullnameOverride: 'papers' });
    expect(named.map(({ metadata }) => metadata.name)).toContain('papers-gateway');
  });
});

interface Variable {
  readonly name: string;
  readonly value?: string;
}

interface Rule {
  readonly apiGroups: string[];
  readonly resources: string[];
  readonly resourceNames?: string[];
  readonly verbs: string[];
}

function ruleText({ apiGroups, resources, resourceNames = [], verbs }: Rule): string {
  const what = [...apiGroups, ...resources, ...resourceNames].join(' ');
  return `${what}: ${verbs.join(' ')}`;
}

interface Peer {
  readonly podSelector?: { matchLabels: Record<string, string> };
  readonly namespaceSelector?: { matchLabels: Record<string, string> };
  readonly ipBlock?: { cidr: string };
}

function peerText({ podSelector, namespaceSelector, ipBlock }: Peer): string {
  if (ipBlock) return ipBlock.cidr;
  const namespace = namespaceSelector?.matchLabels['kubernetes.io/metadata.name'];
  return namespace
    ? `namespace ${namespace}`
    : (podSelector?.matchLabels['app.kubernetes.io/component'] ?? '?');
}

interface SeccompProfile {
  defaultAction: string;
  architectures: string[];
  syscalls: Syscalls[];
}

interface Syscalls {
  readonly names: readonly string[];
  readonly action: string;
}

function egressText(rule: { to?: Peer[]; ports?: { port: number; protocol: string }[] }): string {
  const to = rule.to?.map(peerText).join(' ') ?? 'anywhere';
  return `${to}: ${(rule.ports ?? []).map(({ port, protocol }) => `${port}/${protocol}`).join(' ')}`;
}

function selectorsOf(manifests: readonly Manifest[]) {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    const selector = { Service: spec?.selector, NetworkPolicy: spec?.podSelector?.matchLabels }[kind] as
      | Record<string, string>
      | undefined;
    const labels =
      selector ?? (kind === 'CustomResourceDefinition' ? undefined : spec?.selector?.matchLabels);
    return labels && kind !== 'ServiceMonitor'
      ? [{ name: `${kind} ${metadata.name}`, selector: labels }]
      : [];
  });
}
