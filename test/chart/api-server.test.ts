import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CUSTOM_KINDS, type KindName } from '@trifold/crds';
import { eventually } from '../support/eventually.ts';
import { HttpsClient } from '../support/http/https-client.ts';
import {
  kubeApiServerPrograms,
  startKubeApiServer,
  type KubeApiServer,
} from '../support/kubernetes/kube-apiserver.ts';
import { findKubectl, Kubectl } from '../support/kubernetes/kubectl.ts';
import {
  CHART,
  find,
  findHelm,
  Helm,
  manifestsOf,
  podTemplates,
  type ChartValues,
  type Manifest,
} from './helm.ts';
import { blocks, filesOf, page } from '../docs/pages.ts';
import { writeJsonSchemas } from './json-schemas.ts';
import { EVERYTHING, VALUE_SETS } from './value-sets.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

/** Kinds of operators that are not installed in the test API server: these tests do not check them. */
const FOREIGN = 'ScaledObject TriggerAuthentication ServiceMonitor PrometheusRule BackendConfig'.split(' ');
const NAMESPACE = 'documents-system';

/** Names that YAML would read as numbers or as the start of a map. */
const NUMERIC = {
  ...EVERYTHING,
  redis: { bundled: { passwordKey: '1', rendererPasswordKey: '2' } },
  tasks: { secretKey: '1e3' },
  image: { registry: '' },
  global: { imageRegistry: 'registry.example.com' },
  gateway: { serviceAccount: { name: '8' } },
  controller: { serviceAccount: { create: false, name: '9' } },
  bootstrap: { enabled: true, account: '1e3', secretName: '7', keyName: 'Key: #1' },
};

const schemaFileOf = ({ kind, version }: KindName) => `${kind}-trifold-${version}.json`.toLowerCase();

const helmProgram = await findHelm();
const kubectlProgram = await findKubectl();
const kubeconform = process.env['TRIFOLD_TEST_KUBECONFORM'];
/** Folder with other operators' CRDs. */
const definitions = process.env['TRIFOLD_TEST_DEFINITIONS'];
const missing = !helmProgram || !kubectlProgram || !kubeApiServerPrograms();
const inCi = Boolean(process.env['CI']);
if (missing && !inCi) {
  console.warn('skipped: helm, kubectl or the real API server is not there (see docs/testing.md)');
} else if (!kubeconform && !inCi) {
  console.warn('skipped in part: TRIFOLD_TEST_KUBECONFORM names no kubeconform; .ci/helm builds one');
}

describe.skipIf(missing && !inCi)('The chart against a real kube-apiserver', () => {
  let server: KubeApiServer;
  let helm: Helm;
  let kubectl: Kubectl;
  let folder: string;

  beforeAll(async () => {
    folder = await temporaryDirectory();
    server = await startKubeApiServer();
    helm = new Helm(helmProgram ?? 'helm', server.kubeconfig);
    kubectl = await Kubectl.make(kubectlProgram ?? 'kubectl', await readFile(server.kubeconfig, 'utf8'));
    await kubectl.ok(['create', 'namespace', NAMESPACE]);
  });
  afterAll(async () => {
    await kubectl?.remove();
    helm?.remove();
    await server?.stop();
    await removeDirectory(folder);
  });

  describe.skipIf(!kubeconform && !inCi)('kubeconform', () => {
    let schemas: string;
    beforeAll(async () => {
      const { url, token, caCertificate } = server;
      const client = new HttpsClient({ url, token, caCertificate });
      // The server publishes CRD schemas some time after it serves their kinds.
      schemas = await eventually(async () => {
        const location = await writeJsonSchemas(client, join(folder, 'schemas'));
        const files = await readdir(join(folder, 'schemas'));
        expect(files).toEqual(expect.arrayContaining(CUSTOM_KINDS.map(schemaFileOf)));
        return location;
      });
      client.close();
    });

    const check = (text: string): Promise<{ code: number; output: string }> =>
      new Promise((resolve) => {
        const args = ['-strict', '-summary', '-schema-location', schemas, '-skip', FOREIGN.join(','), '-'];
        const child = execFile(
          kubeconform ?? 'kubeconform',
          args,
          { timeout: 60_000 },
          (error, stdout, stderr) => {
            const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
            resolve({ code, output: stdout + stderr });
          },
        );
        child.stdin?.end(text);
      });

    it.each([
      ...Object.entries(VALUE_SETS).map(
        ([name, values]) => [name, values, { namespace: NAMESPACE }] as const,
      ),
      ...['7', '1e3', '2024-01-01'].map(
        (release) => [`the release ${release}`, NUMERIC, { release, namespace: '2024' }] as const,
      ),
    ])('validates every manifest against the schemas of its kinds, with %s', async (_, values, options) => {
      const text = await helm.template(values, options);
      const { code, output } = await check(text);
      expect(code, output).toBe(0);
      const foreign = manifestsOf(text).filter(({ kind }) => FOREIGN.includes(kind)).length;
      const all = manifestsOf(text).length;
      expect(output).toContain(`Valid: ${all - foreign}, Invalid: 0, Errors: 0, Skipped: ${foreign}`);
    });

    it('validates every manifest with the values in the docs', async () => {
      const pages = await Promise.all((await filesOf('docs/run/*.md')).map(page));
      const examples = pages
        .flatMap((text) => blocks(text, 'yaml'))
        .filter((text) => !/^(apiVersion|resource\.customizations)/m.test(text));
      expect(examples.length).toBeGreaterThan(10);
      for (const text of examples) {
        const { code, output } = await check(await helm.template(parse(text) as ChartValues));
        expect(code, text + output).toBe(0);
      }
    });

    it('validates the examples against the schemas of our kinds', async () => {
      const examples = new URL('../../examples/', import.meta.url);
      const names = (await readdir(examples, { recursive: true })).filter((name) => name.endsWith('.yaml'));
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        const { code, output } = await check(await readFile(new URL(name, examples), 'utf8'));
        expect(code, output).toBe(0);
        expect(output).toContain('Skipped: 0');
      }
    });
  });

  it.skipIf(!definitions && !inCi)('accepts the manifests in the docs', async () => {
    for (const name of await readdir(definitions ?? '')) {
      await kubectl.ok(['apply', '--server-side', '-f', join(definitions ?? '', name)]);
    }
    const pages = await Promise.all((await filesOf('docs/{,*/}*.md')).map(page));
    const manifests = pages
      .flatMap((text) => blocks(text, 'yaml').flatMap((block) => block.split(/^---$/m)))
      .filter((text) => /^apiVersion:/m.test(text));
    expect(manifests.filter((text) => /argoproj|fluxcd/.test(text))).toHaveLength(3);
    for (const text of manifests) {
      const [, namespace] = /^  namespace: (\S+)$/m.exec(text) ?? [];
      // It may exist already.
      if (namespace !== undefined) await kubectl.run(['create', 'namespace', namespace]);
      // A CRD takes effect some time after it is applied.
      await eventually(() => kubectl.ok(['apply', '--dry-run=server', '-f', '-'], { stdin: text }));
    }
  });

  describe('Install and upgrade', () => {
    const own = ['-l', 'app.kubernetes.io/instance=trifold'];
    // Helm waits for hook Jobs, and nothing here runs them.
    const noHooks = ['--no-hooks', '--namespace', NAMESPACE];
    const values = { bootstrap: { enabled: true } };
    const send = (verb: string[], given: object) =>
      helm.ok([...verb, ...noHooks, ...helm.needed, '--values', '-'], { ...given });
    const install = (given: object) => send(['install', 'trifold', CHART], given);
    const upgrade = (given: object) => send(['upgrade', 'trifold', CHART], given);
    const secret = async (name: string): Promise<Record<string, string>> => {
      const text = await kubectl.ok(['get', 'secret', name, '-n', NAMESPACE, '-o', 'json']);
      return (JSON.parse(text) as { data: Record<string, string> }).data;
    };
    beforeAll(async () => {
      // The test server already has them, but not from Helm.
      await kubectl.ok(['delete', 'crd', '--all', '--wait']);
      await install(values);
    });

    it.each([
      ['of another name', 'papers', NAMESPACE],
      ['of the same name in another namespace', 'trifold', 'default'],
    ])(
      'rejects a second release %s, which would process the jobs of the first',
      async (_, name, namespace) => {
        const args = ['install', name, CHART, '--namespace', namespace, '--no-hooks', ...helm.needed];
        const second = await helm.run([...args, '--set', 'crds.install=false']);
        expect(second.code).not.toBe(0);
        expect(second.stderr).toContain(
          `release trifold in namespace ${NAMESPACE} is already installed in this cluster`,
        );
      },
    );

    it('keeps a rotated webhook key during an upgrade', async () => {
      const rotated = { 'webhook-key': 'bmV3', 'previous-webhook-key': 'b2xk' };
      const patch = JSON.stringify({ data: rotated });
      await kubectl.ok(['patch', 'secret', 'trifold-webhook-key', '-n', NAMESPACE, '--patch', patch]);
      await upgrade(values);
      expect(await secret('trifold-webhook-key')).toEqual(rotated);
    });

    it("keeps the controller's published public key during an upgrade", async () => {
      const patch = JSON.stringify({ data: { 'public-key': 'a2V5' } });
      await kubectl.ok(['patch', 'configmap', 'trifold-webhook-key', '-n', NAMESPACE, '--patch', patch]);
      await upgrade(values);
      const look = ['get', 'configmap', 'trifold-webhook-key', '-n', NAMESPACE, '-o', 'jsonpath={.data}'];
      expect(JSON.parse(await kubectl.ok(look))).toEqual({ 'public-key': 'a2V5' });
    });

    it('generates passwords once: an upgrade keeps them and does not restart unchanged pods', async () => {
      const pods = async () =>
        podTemplates(
          (
            JSON.parse(
              await kubectl.ok(['get', 'deploy,statefulset', '-n', NAMESPACE, ...own, '-o', 'json']),
            ) as { items: Manifest[] }
          ).items,
        ).map(({ owner, metadata, spec }) => ({ owner, metadata, spec }));
      const before = [await secret('trifold-redis'), await secret('trifold-minio'), await pods()];
      await upgrade(values);
      expect([await secret('trifold-redis'), await secret('trifold-minio'), await pods()]).toEqual(before);
    });

    it('does not recreate the namespace of an existing account', async () => {
      await kubectl.ok(['create', 'namespace', 'papers']);
      const manifest = await upgrade({ bootstrap: { enabled: true, account: 'papers' } }).then(() =>
        helm.ok(['get', 'manifest', 'trifold', '--namespace', NAMESPACE]),
      );
      const made = manifestsOf(manifest);
      expect(made.filter(({ kind }) => kind === 'Namespace')).toEqual([]);
      expect(find(made, 'Role', 'trifold-bootstrap').metadata.namespace).toBe('papers');
    });
  });
});
