import { describe, expect, it } from 'vitest';
import { Installation } from './installation.ts';
import { ACCOUNT, NAMESPACE, RELEASE } from './release.ts';

/** `resource (names): verbs` */
type Grants = readonly string[];

/** All permissions of a service account in the release namespace, beyond those that every authenticated caller has. */
const IN_RELEASE: Readonly<Record<string, Grants>> = {
  gateway: [
    'apikeys.trifold.dev/status: patch',
    'apikeys.trifold.dev: create delete get list watch',
    'batches.trifold.dev: create get list watch',
    'generationjobs.trifold.dev: create get list patch watch',
    'namespaces: get list watch',
    'templates.trifold.dev: create delete get list update watch',
    'usagereports.trifold.dev: list',
    'webhookdeliveries.trifold.dev: create get list patch watch',
    'webhookendpoints.trifold.dev: create delete get list update',
  ],
  controller: [
    'batches.trifold.dev/status: update',
    'batches.trifold.dev: delete get list watch',
    'configmaps (trifold-webhook-key): get update',
    'events: create patch',
    'generationjobs.trifold.dev/status: update',
    'generationjobs.trifold.dev: delete get list watch',
    'leases.coordination.k8s.io (trifold-controller): get update',
    'leases.coordination.k8s.io: create',
    'namespaces: get list',
    'templates.trifold.dev/status: update',
    'templates.trifold.dev: get list watch',
    'usagereports.trifold.dev/status: update',
    'usagereports.trifold.dev: create delete get list',
    'webhookdeliveries.trifold.dev/status: update',
    'webhookdeliveries.trifold.dev: create delete get list watch',
    'webhookendpoints.trifold.dev/status: update',
    'webhookendpoints.trifold.dev: get list update watch',
  ],
  bootstrap: ['namespaces (documents): get patch', 'secrets (trifold-first-key): get', 'secrets: create'],
  renderer: [],
  redis: [],
  minio: [],
};

/** The permissions in the account's namespace, where they differ. */
const IN_ACCOUNT: Readonly<Record<string, Grants>> = {
  controller: IN_RELEASE['controller']!.filter((grant) => !/^(leases|configmaps)/.test(grant)),
  bootstrap: ['apikeys.trifold.dev: create delete', 'namespaces (documents): get patch'],
};

const installation = await Installation.connect();

/** Returns the permissions of a service account as `kubectl auth can-i --list` shows them. */
async function granted(account: string, namespace: string): Promise<string[]> {
  const as = `--as=system:serviceaccount:${NAMESPACE}:${account}`;
  const table = await installation.kubectl.ok([
    'auth',
    'can-i',
    '--list',
    as,
    '--namespace',
    namespace,
    '--no-headers',
  ]);
  const grants = table
    .trim()
    .split('\n')
    .map((line) => {
      const [, resource = '', names = '', verbs = ''] =
        /^(.*?)\s*\[.*\]\s+\[(.*)\]\s+\[(.*)\]$/.exec(line) ?? [];
      return `${resource}${names && ` (${names})`}: ${verbs.split(' ').sort().join(' ')}`;
    });
  return [...new Set(grants)].sort();
}

describe('Chart service accounts', () => {
  const common = async (namespace: string) => new Set(await granted('default', namespace));

  it.each(Object.entries(IN_RELEASE))(
    'grant the %s exactly the permissions that it needs',
    async (component, wanted) => {
      for (const [namespace, grants] of [
        [NAMESPACE, wanted],
        [ACCOUNT, IN_ACCOUNT[component] ?? wanted],
      ] as const) {
        const everybody = await common(namespace);
        const own = (await granted(`${RELEASE}-${component}`, namespace)).filter(
          (grant) => !everybody.has(grant),
        );
        expect(own, namespace).toEqual(grants);
      }
    },
  );

  it('have no permissions on Secrets outside the release namespace', async () => {
    const { kubectl } = installation;
    const list = await kubectl.ok(['get', 'serviceaccounts', '--namespace', NAMESPACE, '-o', 'name']);
    const accounts = list.trim().split('\n');
    expect(accounts.length).toBeGreaterThanOrEqual(Object.keys(IN_RELEASE).length);
    for (const account of accounts) {
      const grants = await granted(account.replace('serviceaccount/', ''), ACCOUNT);
      expect(
        grants.filter((grant) => /^(secrets|\*)/.test(grant)),
        account,
      ).toEqual([]);
    }
  });

  it.each(['renderer', 'redis', 'minio'] as const)(
    'do not give a token to the %s pods',
    async (component) => {
      const [pod] = await installation.pods(component);
      const look = ['exec', pod!.name, '--', 'ls', '/var/run/secrets/kubernetes.io'];
      expect(await installation.kubectl.rejected(['--namespace', NAMESPACE, ...look])).toMatch(
        /No such file/,
      );
    },
  );
});
