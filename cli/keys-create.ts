import { parseArgs } from 'node:util';
import { KEY_MODES, SCOPES, type KeyMode, type Scope } from '@trifold/crds';
import { ensureAccount } from '@trifold/platform/api-keys/account.ts';
import { mintKey } from '@trifold/platform/api-keys/mint-key.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/http-transport.ts';
import type { Output } from './output.ts';
import { UsageError } from './usage-error.ts';

export const KEYS_CREATE_USAGE = `keys create --account NAME [--name TEXT] [--scopes A,B,…] [--type live|test] [--kubeconfig FILE]
      Mints an API key for an account (a namespace; made when missing) and shows it once.
      Without --scopes the key holds all of: ${SCOPES.join(' ')}
      Without --kubeconfig: $KUBECONFIG, ~/.kube/config, or the cluster it runs in.
      A standalone service keeps its kubeconfig at .trifold/kubeconfig; its account is "default".`;

interface Request {
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly mode: KeyMode;
  readonly kubeconfig: string | undefined;
}

/** `trifold keys create`. The key goes to standard output alone on its line, so that scripts can take it. */
export async function createKey(words: readonly string[], output: Output): Promise<void> {
  const request = parseRequest(words);
  const kubeConfig = loadKubeConfig(
    request.kubeconfig === undefined ? {} : { kubeconfig: request.kubeconfig },
  );
  const transport = new HttpTransport(kubeConfig);
  const kubernetes = new KubernetesClient(transport);
  try {
    const outcome = await ensureAccount(kubernetes, request.account);
    if (outcome !== 'existed') output.complain(`account ${request.account} ${outcome}\n`);
    const { resource, key } = await mintKey(kubernetes, request, new Date());
    output.complain(
      `${resource.spec.mode} key ${resource.metadata.name} for account ${request.account}, shown this once:\n`,
    );
    output.write(`${key}\n`);
  } finally {
    transport.close();
  }
}

function parseRequest(words: readonly string[]): Request {
  const { account, name, scopes, type, kubeconfig } = parseOptions(words);
  if (!account) throw new UsageError('--account is missing: the namespace that is the account');
  return {
    account,
    name: name ?? 'Key made with trifold keys create',
    scopes: scopes === undefined ? SCOPES : parseScopes(scopes),
    mode: parseMode(type ?? 'live'),
    kubeconfig,
  };
}

function parseOptions(words: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { account: text, name: text, scopes: text, type: text, kubeconfig: text };
  try {
    return parseArgs({ args: [...words], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function parseScopes(list: string): Scope[] {
  const asked = [...new Set(list.split(',').map((scope) => scope.trim()))];
  const unknown = asked.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0)
    throw new UsageError(`unknown scope ${unknown.join(', ')}; there are ${SCOPES.join(', ')}`);
  return asked as Scope[];
}

function parseMode(type: string): KeyMode {
  const mode = KEY_MODES.find((known) => known === type);
  if (!mode) throw new UsageError(`--type is live or test, not ${type}`);
  return mode;
}
