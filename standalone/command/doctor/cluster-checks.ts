import { CUSTOM_KINDS } from '@trifold/crds';
import type { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { readJson } from '@trifold/platform/kubernetes/client/requests.ts';
import { readServiceKubeConfig } from '@trifold/platform/kubernetes/client/service-kube-config.ts';
import type { Environment } from '@trifold/platform/settings/read-settings.ts';
import { NotConfigured, Warning, type Check, type Machine } from './check.ts';
import { CLUSTER_RIGHTS } from './cluster-rights.ts';

const RESPONSE_MS = 10_000;
const OLDEST_MINOR = 31;
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** The Kubernetes API server of a cluster installation, with the identity of the kubeconfig or the pod. */
export const CLUSTER_CHECKS: readonly Check[] = [
  {
    name: 'kubernetes',
    remedy:
      'check KUBECONFIG, its context and its credentials, and that the API server is reachable from here',
    run: async (machine) => inCluster(machine, version),
  },
  {
    name: 'kinds',
    needs: 'kubernetes',
    remedy: "install this version's kinds: kubectl apply --server-side -f crds/",
    run: async (machine) => inCluster(machine, kinds),
  },
  {
    name: 'rights',
    needs: 'kubernetes',
    remedy: "bind the chart's ClusterRoles (rbac.create) to the service account, or use its kubeconfig",
    run: async (machine) => inCluster(machine, rights),
  },
];

async function inCluster(
  { environment }: Machine,
  run: (transport: HttpTransport) => Promise<string>,
): Promise<string> {
  const transport = transportOf(environment);
  try {
    return await run(transport);
  } finally {
    transport.close();
  }
}

function transportOf(environment: Environment): HttpTransport {
  const { KUBECONFIG: file, KUBERNETES_SERVICE_HOST: pod } = environment;
  if (!file && !pod) throw new NotConfigured('KUBECONFIG is not set, and this is not a pod');
  const access = readServiceKubeConfig(file ?? '') ?? loadKubeConfig(file ? { kubeconfig: file } : {});
  return new HttpTransport(access, { timeoutMs: RESPONSE_MS });
}

async function version(transport: HttpTransport): Promise<string> {
  const { gitVersion, minor } = await readJson<{ readonly gitVersion: string; readonly minor: string }>(
    transport,
    { method: 'GET', path: '/version' },
  );
  if (Number.parseInt(minor) >= OLDEST_MINOR) return `Kubernetes ${gitVersion}`;
  throw new Warning(`Kubernetes ${gitVersion} is older than 1.${OLDEST_MINOR}`, 'upgrade the cluster');
}

async function kinds(transport: HttpTransport): Promise<string> {
  const missing: string[] = [];
  for (const { kind, group, version: expected, plural } of CUSTOM_KINDS) {
    const path = `/apis/${group}/${expected}`;
    const found = await readJson<{ readonly resources: readonly { readonly name: string }[] }>(transport, {
      method: 'GET',
      path,
    }).catch((error: unknown) => {
      if ((error as KubernetesApiError).code === 404) return { resources: [] };
      throw error;
    });
    if (!found.resources.some(({ name }) => name === plural)) missing.push(kind);
  }
  if (missing.length === 0) return `all ${CUSTOM_KINDS.length} kinds are installed`;
  throw new Error(`these kinds are not installed: ${missing.join(', ')}`);
}

async function rights(transport: HttpTransport): Promise<string> {
  const wanted = Object.entries(CLUSTER_RIGHTS).flatMap(([group, resources]) =>
    Object.entries(resources).flatMap(([resource, verbs]) =>
      verbs.split(' ').map((verb) => ({ group, resource, verb })),
    ),
  );
  const denied: string[] = [];
  for (const right of wanted) {
    if (!(await isAllowed(transport, right))) denied.push(`${right.verb} ${right.resource}`);
  }
  if (denied.length === 0) return 'this identity has the rights of the gateway and the controller';
  throw new Warning(`this identity may not: ${denied.join(', ')}`);
}

async function isAllowed(
  transport: HttpTransport,
  { group, resource, verb }: { readonly group: string; readonly resource: string; readonly verb: string },
): Promise<boolean> {
  const [name, subresource] = resource.split('/');
  const resourceAttributes = { group, verb, resource: name, ...(subresource && { subresource }) };
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  try {
    const { status } = await readJson<{ readonly status: { readonly allowed: boolean } }>(transport, {
      method: 'POST',
      path: REVIEWS,
      headers,
      body: JSON.stringify(review),
    });
    return status.allowed;
  } catch (error) {
    if ((error as KubernetesApiError).code !== 404) throw error;
    throw new NotConfigured('this API server has no access control');
  }
}
