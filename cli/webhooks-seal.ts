import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { apiVersionOf, NAMESPACE, WEBHOOK_ENDPOINT, type KubernetesObject } from '@trifold/crds';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { findPublishedKey, type PublishedKeyName } from '@trifold/platform/records/webhooks/published-key.ts';
import { namespacedName } from '@trifold/platform/settings/setting-forms.ts';
import type { SealingKey } from '@trifold/platform/records/webhooks/sealed-secret.ts';
import { generateSecret } from '@trifold/platform/records/webhooks/signature.ts';
import { parseOptions, requireAccount, withCluster, type CliCommand, type Output } from './invocation.ts';
import { UsageError } from './usage-error.ts';

const OPTIONS = ['account', 'endpoint', 'url', 'secret-file', 'public-key', 'kubeconfig'] as const;

export const WEBHOOKS_SEAL: CliCommand = {
  name: 'webhooks seal',
  usage: `--account NAME --endpoint NAME [--url URL] [--secret-file FILE]
              [--public-key NAMESPACE/NAME] [--kubeconfig FILE]
      Encrypts a signing secret for a WebhookEndpoint. Only the controller can decrypt it, and only for this account
      and endpoint.
      --url            Prints the manifest of a new endpoint, for "kubectl apply -f -". Without --url, prints a patch for
                       an existing endpoint, for "kubectl -n ACCOUNT patch whe NAME --type=merge
                       --patch-file=/dev/stdin".
      --secret-file    File with the secret, or "-" for standard input. Default: generates a secret and prints it once,
                       on standard error.
      --public-key     ConfigMap with the controller's public key. Default: trifold-webhook-key in the namespace
                       trifold or default.
      --kubeconfig     Same as for keys create.`,
  options: OPTIONS,
  examples: [
    'webhooks seal --account billing --endpoint orders --url https://example.com/hook | kubectl apply -f -',
    'webhooks seal --account billing --endpoint orders --secret-file secret.txt',
  ],
  run: sealSecret,
};

/** Default ConfigMaps with the public key: in a cluster, and in a standalone service. */
const DEFAULT_PLACES = ['trifold/trifold-webhook-key', 'default/trifold-webhook-key'].map(
  namespacedName.parse,
);

/** `trifold webhooks seal`. Writes the manifest to standard output and a generated secret to standard error. */
async function sealSecret(words: readonly string[], output: Output): Promise<void> {
  const values = parseOptions(words, OPTIONS);
  const { endpoint, url, kubeconfig, 'secret-file': file, 'public-key': place } = values;
  const account = requireAccount(values.account);
  if (!endpoint) throw new UsageError('missing --endpoint: name the WebhookEndpoint');
  const secret = file === undefined ? generateSecret() : await readSecret(file);
  const places = place === undefined ? DEFAULT_PLACES : [parsePlace(place)];
  const sealedSecret = await withCluster(kubeconfig, async (kubernetes) => {
    const key = await findKey(kubernetes, places);
    const namespaces = kubernetes.builtin<KubernetesObject>(NAMESPACE);
    const { uid: accountUid } = (await namespaces.get(undefined, account)).metadata;
    return key.seal(secret, { accountUid, endpoint });
  });
  const manifest = {
    apiVersion: apiVersionOf(WEBHOOK_ENDPOINT),
    kind: WEBHOOK_ENDPOINT.kind,
    metadata: { namespace: account, name: endpoint },
    spec: { ...(url !== undefined && { url }), sealedSecret },
  };
  // JSON is YAML.
  output.write(`${JSON.stringify(manifest, undefined, 2)}\n`);
  if (file === undefined)
    output.writeError(`signing secret of ${account}/${endpoint}, not shown again: ${secret}\n`);
}

async function readSecret(file: string): Promise<string> {
  const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  const secret = content.replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError('the file given by --secret-file is empty');
  return secret;
}

function parsePlace(place: string): PublishedKeyName {
  try {
    return namespacedName.parse(place);
  } catch (error) {
    throw new UsageError(`--public-key ${(error as Error).message}`);
  }
}

async function findKey(
  kubernetes: KubernetesClient,
  places: readonly PublishedKeyName[],
): Promise<SealingKey> {
  for (const place of places) {
    const key = await findPublishedKey(kubernetes, place);
    if (key) return key;
  }
  const names = places.map(({ namespace, name }) => `${namespace}/${name}`).join(' or ');
  throw new Error(
    `no public key in ConfigMap ${names}: wait until a controller has published it, or set --public-key`,
  );
}
