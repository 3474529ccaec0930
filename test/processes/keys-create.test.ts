import { API_KEY, type KubernetesObject } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { hashKey } from '@trifold/platform/records/api-keys/key-material.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  kubeApiServerPrograms,
  startKubeApiServer,
  type KubeApiServer,
} from '../support/kubernetes/kube-apiserver.ts';
import { trifold, type CommandResult } from '../support/keys-command.ts';

const missing = !kubeApiServerPrograms() && !process.env['CI'];
if (missing) {
  console.warn('skipped: TRIFOLD_TEST_ETCD and TRIFOLD_TEST_KUBE_APISERVER name no real API server');
}

const SECRET = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
type Secret = KubernetesObject & { readonly data: Readonly<Record<string, string>> };

describe.skipIf(missing)('trifold keys create with a real API server', () => {
  let server: KubeApiServer;
  let transport: HttpTransport;
  let kubernetes: KubernetesClient;

  beforeAll(async () => {
    server = await startKubeApiServer();
    transport = new HttpTransport(loadKubeConfig({ kubeconfig: server.kubeconfig }));
    kubernetes = new KubernetesClient(transport);
  });
  afterAll(async () => {
    transport?.close();
    await server?.stop();
  });

  const create = (...words: string[]): Promise<CommandResult> =>
    trifold(['keys', 'create', '--kubeconfig', server.kubeconfig, ...words]);
  const hashes = async (account: string) => {
    const { items } = await kubernetes.resource(API_KEY).list({ namespace: account });
    return items.map(({ spec }) => spec.sha256);
  };
  const keyIn = async (namespace: string, name: string) => {
    const secret = await kubernetes.builtin<Secret>(SECRET).get(namespace, name);
    return Buffer.from(secret.data['key'] ?? '', 'base64').toString();
  };

  it('stores the key in a Secret in the account and does not print it', async () => {
    const result = await create('--account', 'kept', '--type', 'test', '--secret', 'first-key');
    expect(result.code, result.stderr).toBe(0);
    const key = await keyIn('kept', 'first-key');
    expect(key).toMatch(/^tf_test_[A-Za-z0-9]{43}$/);
    expect(await hashes('kept')).toEqual([hashKey(key)]);
    expect(result.stdout).toBe('');
    expect(result.stderr).not.toContain('tf_test_');
  });

  it('creates one key if several processes run concurrently', async () => {
    const words = ['--account', 'race', '--secret', 'race-key', '--secret-namespace', 'default'];
    const results = await Promise.all([create(...words), create(...words), create(...words)]);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await hashes('race')).toEqual([hashKey(await keyIn('default', 'race-key'))]);
  });
});
