import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadS3Config } from '@trifold/platform/object-store/s3/s3-config.ts';
import { S3Store } from '@trifold/platform/object-store/s3/s3-store.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { eventually } from '../support/eventually.ts';
import { HttpsClient } from '../support/http/https-client.ts';
import { startTokenIssuer, type TokenIssuer } from '../support/http/token-issuer.ts';
import {
  kubeApiServerPrograms,
  startKubeApiServer,
  type KubeApiServer,
} from '../support/kubernetes/kube-apiserver.ts';
import { findKubectl, Kubectl } from '../support/kubernetes/kubectl.ts';
import { minioProgram, startMinio } from '../support/processes/minio.ts';
import type { S3Server } from '../support/processes/s3-server.ts';
import { find, findHelm, Helm, type Manifest } from './helm.ts';

const NAMESPACE = 'documents-system';
const AUDIENCE = 'documents';
/** MinIO derives the role from the name of the client. */
const ROLE = `arn:minio:iam:::role/${createHash('sha1').update(AUDIENCE).digest('base64url')}`;

const helmProgram = await findHelm();
const kubectlProgram = await findKubectl();
const missing = !helmProgram || !kubectlProgram || !kubeApiServerPrograms() || !minioProgram();
if (missing && !process.env['CI']) {
  console.warn('skipped: helm, kubectl, the real API server or MinIO is not there (see docs/testing.md)');
}

describe.skipIf(missing && !process.env['CI'])('Web identity of the chart', () => {
  const helm = new Helm(helmProgram ?? 'helm');
  let server: KubeApiServer;
  let kubectl: Kubectl;
  let issuer: TokenIssuer;
  let minio: S3Server;
  /** Stands for the root directory of a container. */
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trifold-web-identity-'));
    server = await startKubeApiServer();
    kubectl = await Kubectl.make(kubectlProgram ?? 'kubectl', await readFile(server.kubeconfig, 'utf8'));
    await kubectl.ok(['create', 'namespace', NAMESPACE]);
    issuer = await startTokenIssuer(await tokenKeys(server));
    minio = await startMinio({
      settings: {
        MINIO_IDENTITY_OPENID_CONFIG_URL: issuer.url,
        MINIO_IDENTITY_OPENID_CLIENT_ID: AUDIENCE,
        MINIO_IDENTITY_OPENID_ROLE_POLICY: 'readwrite',
      },
    });
  });
  afterAll(async () => {
    await minio?.stop();
    issuer?.stop();
    await kubectl?.remove();
    await server?.stop();
    helm.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(['gateway', 'controller'])(
    'gives the %s a bucket of MinIO for a token that Kubernetes signed',
    async (service) => {
      const endpoint = minio.environment.TRIFOLD_S3_ENDPOINT;
      const webIdentity = { enabled: true, audience: AUDIENCE, roleArn: ROLE, stsEndpoint: endpoint };
      const objectStore = { bundled: { enabled: false }, external: { endpoint, webIdentity } };
      const manifests = await helm.render({ objectStore }, { namespace: NAMESPACE });
      await mountTokens(manifests, `trifold-${service}`);
      const variables = find(manifests, 'ConfigMap', `trifold-${service}`)['data'];
      const config = loadS3Config({
        ...variables,
        AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, variables.AWS_WEB_IDENTITY_TOKEN_FILE),
      });
      const store = new S3Store(config, { logger: createLogger({ name: 'test', level: 'silent' }) });
      try {
        // MinIO accepts connections before it knows its policies.
        await eventually(async () => {
          await store.prepare();
          return true;
        });
        await store.put(service, 'x');
        expect((await store.read(service))?.toString()).toBe('x');
      } finally {
        store.close();
      }
    },
  );

  /** Does what the kubelet does for projected tokens. */
  async function mountTokens(manifests: readonly Manifest[], name: string): Promise<void> {
    const { serviceAccountName, volumes, containers } = find(manifests, 'Deployment', name)['spec'].template
      .spec;
    const account = find(manifests, 'ServiceAccount', serviceAccountName);
    const inNamespace = ['--namespace', NAMESPACE];
    await kubectl.ok(['apply', ...inNamespace, '-f', '-'], { stdin: JSON.stringify(account) });
    for (const { name: volume, projected } of volumes as Volume[]) {
      const { mountPath } = (containers[0].volumeMounts as Mount[]).find((mount) => mount.name === volume)!;
      for (const { serviceAccountToken } of projected?.sources ?? []) {
        const { path, audience, expirationSeconds } = serviceAccountToken;
        const options = [`--audience=${audience}`, `--duration=${expirationSeconds}s`];
        const token = await kubectl.ok(['create', 'token', serviceAccountName, ...inNamespace, ...options]);
        await mkdir(join(folder, mountPath), { recursive: true });
        await writeFile(join(folder, mountPath, path), token);
      }
    }
  }
});

interface Mount {
  readonly name: string;
  readonly mountPath: string;
}

interface Volume {
  readonly name: string;
  readonly projected?: {
    readonly sources: readonly {
      readonly serviceAccountToken: { path: string; audience: string; expirationSeconds: number };
    }[];
  };
}

/** The keys with which the API server signs tokens of service accounts. */
async function tokenKeys({ url, token, caCertificate }: KubeApiServer): Promise<unknown> {
  const client = new HttpsClient({ url, token, caCertificate });
  try {
    return await client.json({ method: 'GET', path: '/openid/v1/jwks' });
  } finally {
    client.close();
  }
}
