import { API_KEY, isResourceName, type ApiKey } from '@trifold/crds';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { isAccount } from '@trifold/platform/records/api-keys/account.ts';
import { SetupError } from '@trifold/platform/errors/trifold-error.ts';
import { parseOptions, requireAccount, withCluster, type CliCommand, type Output } from './invocation.ts';
import { UsageError } from './usage-error.ts';

export const KEYS_LIST: CliCommand = {
  name: 'keys list',
  usage: `--account NAME [--kubeconfig FILE] [--json]
      Lists the API keys of an account: ID, type, last four characters, last use and name.`,
  options: ['account', 'kubeconfig', 'json'],
  examples: ['keys list --account default --kubeconfig .trifold/kubeconfig'],
  run: listKeys,
};

export const KEYS_REVOKE: CliCommand = {
  name: 'keys revoke',
  usage: `--account NAME --id ID [--kubeconfig FILE] [--json]
      Deletes an API key. Requests with it fail as soon as the service sees the deletion.`,
  options: ['account', 'id', 'kubeconfig', 'json'],
  examples: ['keys revoke --account default --id key_01JV8C6M3N'],
  run: revokeKey,
};

async function listKeys(words: readonly string[], output: Output): Promise<void> {
  const { account, kubeconfig, json } = parseOptions(words, ['account', 'kubeconfig'], ['json']);
  const namespace = requireAccount(account);
  const keys = await withCluster(kubeconfig, async (kubernetes) => {
    await checkAccount(kubernetes, namespace);
    return (await kubernetes.resource<ApiKey>(API_KEY).list({ namespace })).items;
  });
  const rows = keys.map(({ metadata, spec, status }) => ({
    id: metadata.name,
    type: spec.mode,
    last_four: spec.lastFour,
    last_used_at: status?.lastUsedAt ?? null,
    name: spec.name,
    scopes: spec.scopes,
  }));
  if (json) return output.write(`${JSON.stringify(rows)}\n`);
  for (const { id, type, last_four: lastFour, last_used_at: used, name } of rows) {
    output.write(`${id}  ${type}  …${lastFour}  ${used ?? 'never used'}  ${name}\n`);
  }
}

async function revokeKey(words: readonly string[], output: Output): Promise<void> {
  const { account, id, kubeconfig, json } = parseOptions(words, ['account', 'id', 'kubeconfig'], ['json']);
  const namespace = requireAccount(account);
  if (!id) throw new UsageError('missing --id: "trifold keys list" shows the IDs');
  await withCluster(kubeconfig, async (kubernetes) => {
    const keys = kubernetes.resource<ApiKey>(API_KEY);
    const key = isResourceName(id) ? await keys.find(namespace, id) : undefined;
    if (!key || !(await keys.deleteExactly(key))) {
      throw new SetupError(`the account ${namespace} has no key ${id}: "trifold keys list" shows the IDs`);
    }
  });
  if (json) output.write(`${JSON.stringify({ id, deleted: true })}\n`);
  else output.writeError(`deleted key ${id} of account ${namespace}\n`);
}

async function checkAccount(kubernetes: KubernetesClient, account: string): Promise<void> {
  if (!(await isAccount(kubernetes, account))) throw new SetupError(`the account ${account} does not exist`);
}
