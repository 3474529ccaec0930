import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { CHART, find, findHelm, Helm, podTemplates, type ChartValues, type Manifest } from './helm.ts';
import { BARE, EVERYTHING, EXTERNAL, OPENSHIFT, VALUE_SETS } from './value-sets.ts';
import { egressText, selectorsOf, wiringOf } from './wiring.ts';
import { randomFrom } from '../support/seeded-random.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

const program = await findHelm();
if (!program && !process.env['CI']) {
  console.warn('skipped: there is no helm; .ci/helm builds one, TRIFOLD_TEST_HELM names it');
}

/** Names of the objects in `extraObjects`. */
const EXTRA = ['fonts', 'trifold-extra'];

const rendererPod = (manifests: readonly Manifest[]) =>
  find(manifests, 'Deployment', 'trifold-renderer')['spec'].template.spec;

describe.skipIf(!program && !process.env['CI'])('The Helm chart', () => {
  const helm = new Helm(program ?? 'helm');
  afterAll(() => helm.remove());

  it('gives gateways a shared session secret if users may sign in', async () => {
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

  it('passes helm lint --strict', async () => {
    await helm.ok(['lint', '--strict', CHART]);
    await helm.ok(['lint', '--strict', CHART, '--values', '-'], EVERYTHING);
  });

  describe.each(Object.entries(VALUE_SETS))('with %s', (_, values) => {
    it('does not grant any container more than PodSecurity `restricted` allows', async () => {
      const pods = podTemplates(await helm.render(values));
      expect(pods.length).toBeGreaterThanOrEqual(3);
      for (const { owner, spec, containers } of pods) {
        expect(spec.securityContext, owner).toMatchObject({
          runAsNonRoot: true,
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

    it('runs the Trifold services as user 10001, or as the user that OpenShift assigns', async () => {
      const pods = podTemplates(await helm.render(values));
      const own = pods.filter(({ owner }) => /-(gateway|controller|renderer|bootstrap)$/.test(owner));
      expect(own.length).toBeGreaterThanOrEqual(3);
      const given = { runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001 };
      for (const { owner, spec } of own) {
        if (values !== OPENSHIFT) expect(spec.securityContext, owner).toMatchObject(given);
      }
      if (values === OPENSHIFT) expect(JSON.stringify(pods)).not.toMatch(/runAsUser|runAsGroup|fsGroup"/);
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

    it('does not put passwords into environment variables, arguments or ConfigMaps', async () => {
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

    it('labels every object, and selects pods by labels that they have', async () => {
      const manifests = (await helm.render(values)).filter(({ metadata }) => !EXTRA.includes(metadata.name));
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

    it('never creates two objects with the same name, and refers only to existing ones', async () => {
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

  it('gives only controllers the key that decrypts webhook secrets, and keeps it', async () => {
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

  it('renders the recorded NetworkPolicies and scaling for every set of values', async () => {
    const blocks: string[] = [];
    for (const [name, values] of Object.entries(VALUE_SETS)) {
      const lines = (await helm.render(values)).flatMap(wiringOf).map((line) => `  ${line}\n`);
      blocks.push(`${name}\n${lines.join('')}`);
    }
    // After changing the chart, run `npm run test:deep -- test/chart/templates.test.ts -u` and read the diff.
    await expect(blocks.join('\n')).toMatchFileSnapshot('recorded-wiring.txt');
  });

  it('does not give renderers DNS if all their servers have IP addresses', async () => {
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
    // Host names of an object store, of servers that a Sentinel may name, and of an allow-list.
    expect(await egress(external({ endpoint: 'https://10.example.com' }))).toContain(dns);
    const redis = { ...external({}).redis, external: { url: 'redis+sentinel://10.0.0.5/documents' } };
    expect(await egress({ ...external({}), redis })).toContain(dns);
    const allowHosts = { renderer: { config: { allowHosts: ['images.example.com'] } } };
    expect(await egress({ ...external({}), ...allowHosts })).toContain(dns);
  });

  it('gives pods as much time to stop as the services need', async () => {
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
    expect(await grace(EVERYTHING)).toEqual([300, 300]);
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

  it('does not restart pods for a new chart version, or bundled stores for a new Trifold version', async () => {
    const folder = await temporaryDirectory();
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
      await removeDirectory(folder);
    }
  });

  it('gives the browser container a separate user, no Secrets, and only the socket and its own volume', async () => {
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

  it('writes its seccomp profile to the nodes from a dedicated namespace', async () => {
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
    for (const denied of 'mount setns ptrace process_vm_readv bpf keyctl io_uring_setup'.split(' ')) {
      expect(allowed).not.toContain(denied);
    }
    // AF_UNIX only: browsers have no network. On 32-bit architectures, socketcall would open other sockets.
    expect(profile.architectures).toEqual(['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64']);
    expect(profile.syscalls.filter(({ names }) => names.includes('socket'))).toMatchObject([
      { args: [{ index: 0, value: 1, op: 'SCMP_CMP_EQ' }] },
    ]);
    expect((await helm.render()).filter(({ kind }) => kind === 'DaemonSet')).toEqual([]);
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
    const shared = await images({ image: { registry: '' }, global: { imageRegistry: 'shared.example.com' } });
    expect(shared.filter((image) => !image.startsWith('shared.example.com/'))).toEqual([]);
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

  it('does not create a namespace for an account in the release namespace', async () => {
    const manifests = await helm.render(
      { bootstrap: { enabled: true, account: 'documents' } },
      { namespace: 'documents' },
    );
    expect(manifests.filter(({ kind }) => kind === 'Namespace')).toEqual([]);
  });

  it("merges a user's maps and lists with its own by key", async () => {
    const manifests = await helm.render(EVERYTHING);
    const { metadata, spec } = find(manifests, 'Deployment', 'trifold-gateway')['spec'].template;
    const common = { 'app.kubernetes.io/name': 'trifold', 'app.kubernetes.io/component': 'gateway' };
    const given = {
      'app.kubernetes.io/part-of': 'platform',
      'example.com/owner': 'documents',
      team: 'documents',
    };
    expect(metadata.labels).toMatchObject({ ...common, ...given, 'app.kubernetes.io/instance': 'trifold' });
    expect(metadata.annotations).toMatchObject({
      'example.com/pod': 'yes',
      'checksum/config': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { labels } = find(manifests, 'ServiceMonitor', 'trifold-gateway').metadata;
    expect(labels).toMatchObject({ ...common, release: 'prometheus' });
    expect(find(manifests, 'Namespace', 'documents').metadata.labels?.['trifold.dev/account']).toBe(
      'documents',
    );
    const [container] = spec.containers;
    const names = container.env.map(({ name }: Variable) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(container.env).toContainEqual({ name: 'NODE_EXTRA_CA_CERTS', value: '/fonts/ca.crt' });
    expect(container.envFrom).toHaveLength(2);
    expect(container.lifecycle.preStop.exec.command).toEqual(['sleep', '5']);
    expect(container.securityContext).toMatchObject({ procMount: 'Default', readOnlyRootFilesystem: true });
    expect(spec.securityContext).toMatchObject({
      supplementalGroups: [5000],
      fsGroupChangePolicy: 'Always',
      runAsUser: 10001,
    });
    const labelSelector = { matchLabels: { ...common, 'app.kubernetes.io/instance': 'trifold' } };
    expect(spec.topologySpreadConstraints).toMatchObject([{ maxSkew: 2, labelSelector }]);
    expect(find(manifests, 'PodDisruptionBudget', 'trifold-gateway')['spec']).toMatchObject({
      minAvailable: '50%',
    });
    expect(find(manifests, 'ConfigMap', 'fonts')['data']).toEqual({ html: '{{name}}' });
  });

  it('lets a service replace or remove common settings', async () => {
    const manifests = await helm.render({
      podDisruptionBudget: { minAvailable: 1 },
      gateway: {
        serviceAccount: { create: false, name: 'mine' },
        podSecurityContext: { runAsUser: null },
        securityContext: { readOnlyRootFilesystem: null },
        podDisruptionBudget: { enabled: false },
      },
      renderer: { serviceAccount: { name: 'theirs' }, podDisruptionBudget: { maxUnavailable: 2 } },
    });
    const { spec } = find(manifests, 'Deployment', 'trifold-gateway')['spec'].template;
    expect(spec.securityContext).not.toHaveProperty('runAsUser');
    expect(spec.containers[0].securityContext).not.toHaveProperty('readOnlyRootFilesystem');
    expect(spec.serviceAccountName).toBe('mine');
    expect(
      find(manifests, 'ClusterRoleBinding', 'documents-system-trifold-gateway')['subjects'][0].name,
    ).toBe('mine');
    const named = (wanted: string) =>
      manifests.filter(({ kind }) => kind === wanted).map(({ metadata }) => metadata.name);
    expect(named('ServiceAccount').toSorted()).toEqual(
      ['controller', 'minio', 'redis']
        .map((name) => `trifold-${name}`)
        .concat('theirs')
        .sort(),
    );
    expect(named('PodDisruptionBudget')).toEqual(['trifold-controller', 'trifold-renderer']);
    const bounds = (name: string) => find(manifests, 'PodDisruptionBudget', name)['spec'];
    expect(bounds('trifold-controller')).toMatchObject({ minAvailable: 1 });
    expect(bounds('trifold-controller')).not.toHaveProperty('maxUnavailable');
    expect(bounds('trifold-renderer')).toMatchObject({ maxUnavailable: 2 });
  });

  it('derives a DNS label from any name, and different labels from different names', async () => {
    const random = randomFrom(41);
    const below = (count: number) => Math.floor(random() * count);
    const cases = new Map<string, object>();
    const text = (length: number) =>
      Array.from({ length }, () => '0123456789abcdxyz--..'[below(21)])
        .join('')
        .replaceAll(/^[-.]+|[-.]+$|[-.](?=[-.])/g, '') || '7';
    const given = ['7', '2024-docs', '1.5', 'a.b', 'a-b', 'true', `${'a'.repeat(52)}1`, `${'a'.repeat(52)}2`];
    while (cases.size < 520) {
      const name = given[cases.size] ?? text(1 + below(53));
      const [nameOverride, fullnameOverride] = [1, 3].map((odds) => (below(odds + 3) < odds ? text(60) : ''));
      const values = cases.size < given.length ? {} : { nameOverride, fullnameOverride };
      cases.set(JSON.stringify([name, values]), {
        Release: { Name: name, Namespace: text(63) },
        Values: values,
      });
    }
    const folder = await temporaryDirectory();
    try {
      await cp(CHART, folder, { recursive: true });
      await writeFile(join(folder, 'templates/names.yaml'), NAMES);
      const options = { chart: folder, only: 'templates/names.yaml' };
      const [{ names }] = (await helm.render({ global: { cases: [...cases.values()] } }, options)) as [
        Manifest,
      ];
      const everything = await helm.render({ ...EVERYTHING, renderer: SANDBOX });
      const suffixes = everything
        .map(({ kind, metadata }) => `${kind}/${metadata.name}`)
        .filter((name) => /\/(documents-system-)?trifold-/.test(name));
      const raw = new Map<string, string>();
      for (const { wanted, full, cluster, name } of names as Record<string, string>[]) {
        for (const suffix of suffixes) {
          const label = suffix
            .replace(/^.*\//, '')
            .replace('documents-system-trifold', cluster!)
            .replace(/^trifold/, full!);
          expect(label).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);
        }
        expect(raw.get(full!) ?? wanted).toBe(wanted);
        raw.set(full!, wanted!);
        expect(name).toMatch(/^[a-z0-9]([-.a-z0-9]{0,61}[a-z0-9])?$/);
      }
      expect(raw.size).toBeGreaterThan(400);
    } finally {
      await removeDirectory(folder);
    }
    for (const [release, prefix] of [
      ['docs', 'docs-trifold'],
      ['7', 'r-7-trifold-9f892356'],
    ] as const) {
      const manifests = await helm.render({}, { release, namespace: '2024' });
      expect(find(manifests, 'Service', `${prefix}-gateway`).metadata).toMatchObject({
        namespace: '2024',
        labels: { 'app.kubernetes.io/instance': release },
      });
    }
    const named = await helm.render({ fullnameOverride: 'papers' });
    expect(named.map(({ metadata }) => metadata.name)).toContain('papers-gateway');
  });
});

/** The parts of names that depend on the release and the overrides. */
const NAMES = `names:
{{- range .Values.global.cases }}
{{- $root := dict "Release" .Release "Values" .Values "Chart" (dict "Name" "trifold") }}
{{- $name := default "trifold" .Values.nameOverride }}
{{- $wanted := default (ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name)) .Values.fullnameOverride }}
  - wanted: {{ $wanted | quote }}
    full: {{ include "trifold.fullname" $root | quote }}
    cluster: {{ include "trifold.clusterName" $root | quote }}
    name: {{ (include "trifold.selectorLabels" (dict "root" $root "component" "x") | fromYaml) | dig "app.kubernetes.io/name" "" | quote }}
{{- end }}
`;

/** With the DaemonSet, whose name is one of the longest. */
const SANDBOX = { sandbox: { enabled: true, installProfile: { enabled: true } } };

interface Variable {
  readonly name: string;
  readonly value?: string;
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
