import {
  API_KEY,
  KEY_MODES,
  SCOPES,
  SECRET,
  type Draft,
  type KeyMode,
  type Scope,
  type Secret,
} from '@trifold/crds';
import { ensureAccount } from '@trifold/platform/records/api-keys/account.ts';
import { mintKey, type MintedKey } from '@trifold/platform/records/api-keys/mint-key.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { parseOptions, requireAccount, withCluster, type CliCommand, type Output } from './invocation.ts';
import { UsageError } from './usage-error.ts';

/** Annotation on a Secret that names the ApiKey whose key it contains. */
const API_KEY_ANNOTATION = 'trifold.dev/api-key';

const OPTIONS = ['account', 'name', 'scopes', 'type', 'secret', 'secret-namespace', 'kubeconfig'] as const;

export const KEYS_CREATE: CliCommand = {
  name: 'keys create',
  usage: `--account NAME [--name TEXT] [--scopes A,B,…] [--type live|test]
              [--secret NAME [--secret-namespace NAMESPACE]] [--kubeconfig FILE] [--json]
      Creates an API key and prints it once. The account is a namespace; the command creates it if it is missing.
      --scopes         Scopes of the key. Default: all of ${SCOPES.join(' ')}
      --type           "live" (default), or "test" for watermarked documents that are not billed.
      --secret         Stores the key in a new Secret, under "key", instead of printing it. If the Secret already
                       exists, the command changes nothing and succeeds.
      --secret-namespace
                       Namespace of the Secret. Default: the account.
      --kubeconfig     Default: $KUBECONFIG, ~/.kube/config, or the cluster that the command runs in.
      The kubeconfig of a standalone service is .trifold/kubeconfig, and its account is "default".`,
  options: [...OPTIONS, 'json'],
  examples: [
    'keys create --account default --kubeconfig .trifold/kubeconfig',
    'keys create --account billing --scopes documents:generate --secret trifold-key',
  ],
  run: createKey,
};

/** Name of the Secret that stores a key. */
interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

interface KeyRequest {
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly mode: KeyMode;
  readonly secret: SecretName | undefined;
  readonly kubeconfig: string | undefined;
  /** Prints the key as JSON, with its ID. */
  readonly json?: boolean;
}

/** `trifold keys create`. Writes only the key, on one line, to standard output, or into a Secret and nowhere else. */
async function createKey(words: readonly string[], output: Output): Promise<void> {
  const request = parseRequest(words);
  const { secret, kubeconfig } = request;
  await withCluster(kubeconfig, async (kubernetes) =>
    secret
      ? createInSecret(kubernetes, { ...request, secret }, output)
      : createAndShow(kubernetes, request, output),
  );
}

async function createAndShow(
  kubernetes: KubernetesClient,
  request: KeyRequest,
  output: Output,
): Promise<void> {
  const { key, resource } = await mint(kubernetes, request, output);
  const { spec, metadata } = resource;
  if (request.json) {
    const { account } = request;
    return output.write(`${JSON.stringify({ id: metadata.name, account, type: spec.mode, key })}\n`);
  }
  output.writeError(
    `created ${spec.mode} key ${metadata.name} for account ${request.account}; it is not shown again:\n`,
  );
  output.write(`${key}\n`);
}

/**
 * Creates a key and stores it in a new Secret; does nothing if a Secret with that name exists. Safe to repeat and to
 * run concurrently: only one run creates the key. Rejects with KubernetesApiError, in which case the Secret contains no
 * revoked key.
 */
export async function createInSecret(
  kubernetes: KubernetesClient,
  request: KeyRequest & { readonly secret: SecretName },
  output: Output,
): Promise<void> {
  const { secret } = request;
  const where = `Secret ${secret.name} in namespace ${secret.namespace}`;
  const leave = () => output.writeError(`${where} already exists: nothing was changed\n`);
  const secrets = kubernetes.builtin<Secret>(SECRET);
  if (await secrets.find(secret.namespace, secret.name)) return leave();
  // Mints before storing: after a crash in between, the next attempt mints another key, and the first one has never
  // been revealed.
  const minted = await mint(kubernetes, request, output);
  try {
    await secrets.create(secretWith(minted, secret));
  } catch (error) {
    // A lost response is not a rejection: the Secret may have been written.
    if (await mayHold(kubernetes, secret, minted)) throw error;
    await revoke(kubernetes, minted, output);
    if (isApiError(error, 'AlreadyExists')) return leave();
    throw error;
  }
  const { spec, metadata } = minted.resource;
  output.writeError(`created ${spec.mode} key ${metadata.name} for account ${request.account} in ${where}\n`);
}

async function mint(kubernetes: KubernetesClient, request: KeyRequest, output: Output): Promise<MintedKey> {
  const outcome = await ensureAccount(kubernetes, request.account);
  if (outcome !== 'existed') output.writeError(`account ${request.account} ${outcome}\n`);
  return mintKey(kubernetes, request, new Date());
}

/** Whether the Secret contains this key; also true if that cannot be determined. */
export async function mayHold(
  kubernetes: KubernetesClient,
  { namespace, name }: SecretName,
  { resource }: MintedKey,
): Promise<boolean> {
  try {
    const secret = await kubernetes.builtin<Secret>(SECRET).find(namespace, name);
    return secret?.metadata.annotations?.[API_KEY_ANNOTATION] === nameOf(resource);
  } catch {
    return true;
  }
}

function nameOf({ metadata: { namespace = '', name } }: MintedKey['resource']): string {
  return `${namespace}/${name}`;
}

/** Returns a new Secret that contains the key under `key`. */
function secretWith({ key, resource }: MintedKey, { namespace, name }: SecretName): Draft<Secret> {
  return {
    metadata: {
      namespace,
      name,
      labels: { 'app.kubernetes.io/managed-by': 'trifold' },
      annotations: { [API_KEY_ANNOTATION]: nameOf(resource) },
    },
    type: 'Opaque',
    stringData: { key },
  };
}

/** Deletes a key that was never revealed. Failure is harmless. */
async function revoke(kubernetes: KubernetesClient, { resource }: MintedKey, output: Output): Promise<void> {
  const { namespace, name } = resource.metadata;
  try {
    await kubernetes.resource(API_KEY).delete(namespace, name);
  } catch {
    output.writeError(
      `could not delete the unused key ${namespace}/${name}: run kubectl -n ${namespace} delete apikey ${name}\n`,
    );
  }
}

function parseRequest(words: readonly string[]): KeyRequest {
  const options = parseOptions(words, OPTIONS, ['json']);
  const { name, scopes, type, kubeconfig, json = false } = options;
  const account = requireAccount(options.account);
  return {
    account,
    name: name ?? 'Created with trifold keys create',
    scopes: scopes === undefined ? SCOPES : parseScopes(scopes),
    mode: parseMode(type ?? 'live'),
    secret: parseSecret(options, account),
    kubeconfig,
    json,
  };
}

function parseSecret(
  options: Partial<Record<(typeof OPTIONS)[number], string>>,
  account: string,
): SecretName | undefined {
  const { secret: name, 'secret-namespace': namespace } = options;
  if (name === '' || namespace === '') throw new UsageError('--secret and --secret-namespace require a name');
  if (name !== undefined) return { name, namespace: namespace ?? account };
  if (namespace !== undefined) throw new UsageError('--secret-namespace requires --secret');
  return undefined;
}

function parseScopes(list: string): Scope[] {
  const asked = [...new Set(list.split(',').map((scope) => scope.trim()))];
  const unknown = asked.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0)
    throw new UsageError(`unknown scope ${unknown.join(', ')}; valid scopes: ${SCOPES.join(', ')}`);
  return asked as Scope[];
}

function parseMode(type: string): KeyMode {
  const mode = KEY_MODES.find((known) => known === type);
  if (!mode) throw new UsageError(`invalid --type ${type}: use live or test`);
  return mode;
}
