import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { apiVersionOf, NAMESPACE, WEBHOOK_ENDPOINT, type KubernetesObject } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import {
  findPublishedKey,
  publishedKeyName,
  type PublishedKeyName,
} from '@trifold/platform/records/webhooks/published-key.ts';
import type { SealingKey } from '@trifold/platform/records/webhooks/sealed-secret.ts';
import { generateSecret } from '@trifold/platform/records/webhooks/signature.ts';
import type { Output } from './output.ts';
import { UsageError } from './usage-error.ts';

export const WEBHOOKS_USAGE = `webhooks seal --account NAME --endpoint NAME [--url URL] [--secret-file FILE]
              [--public-key NAMESPACE/NAME] [--kubeconfig FILE]
      Seals a signing secret for a WebhookEndpoint. Only the controller can open it, and only for this account and
      endpoint. With --url it writes the manifest of a new endpoint, for "kubectl apply -f -". Without it, a patch of
      an existing one, for "kubectl -n ACCOUNT patch whe NAME --type=merge --patch-file=/dev/stdin".
      With --secret-file the secret is the content of that file, or standard input ("-").
      Otherwise the command generates a secret and prints it once, on standard error.
      --public-key is the ConfigMap with the public key of the controller; default: trifold-webhook-key in the
      namespace trifold or default.`;

const OPTIONS = {
  account: { type: 'string' },
  endpoint: { type: 'string' },
  url: { type: 'string' },
  'secret-file': { type: 'string' },
  'public-key': { type: 'string' },
  kubeconfig: { type: 'string' },
} as const;

/** Places of the public key, without `--public-key`: in a cluster, and in a standalone service. */
const USUAL_PLACES = ['trifold/trifold-webhook-key', 'default/trifold-webhook-key'].map(publishedKeyName);
type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** `trifold webhooks seal`. Writes the manifest on standard output and a generated secret on standard error. */
export async function sealSecret(words: readonly string[], output: Output): Promise<void> {
  const values = parse(words);
  const { account, endpoint, url, 'secret-file': file } = values;
  if (!account) throw new UsageError('--account is missing: the namespace that is the account');
  if (!endpoint) throw new UsageError('--endpoint is missing: the name of the WebhookEndpoint');
  const secret = file === undefined ? generateSecret() : await readSecret(file);
  const sealedSecret = await withCluster(values, async (kubernetes, places) => {
    const key = await findKey(kubernetes, places);
    if (!key) throw noKey(places);
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
  if (file === undefined) output.complain(`secret of ${account}/${endpoint}, shown this once: ${secret}\n`);
}

function parse(words: readonly string[]): Values {
  try {
    return parseArgs({ args: [...words], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function readSecret(file: string): Promise<string> {
  const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  const secret = content.replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError('--secret-file is empty');
  return secret;
}

async function withCluster<T>(
  { kubeconfig, 'public-key': place }: Values,
  run: (kubernetes: KubernetesClient, places: readonly PublishedKeyName[]) => Promise<T>,
): Promise<T> {
  const places = place === undefined ? USUAL_PLACES : [parsePlace(place)];
  const transport = new HttpTransport(loadKubeConfig(kubeconfig === undefined ? {} : { kubeconfig }));
  try {
    return await run(new KubernetesClient(transport), places);
  } finally {
    transport.close();
  }
}

function parsePlace(place: string): PublishedKeyName {
  try {
    return publishedKeyName(place);
  } catch (error) {
    throw new UsageError(`--public-key ${(error as Error).message}`);
  }
}

async function findKey(
  kubernetes: KubernetesClient,
  places: readonly PublishedKeyName[],
): Promise<SealingKey | undefined> {
  for (const place of places) {
    const key = await findPublishedKey(kubernetes, place);
    if (key) return key;
  }
  return undefined;
}

function noKey(places: readonly PublishedKeyName[]): Error {
  const names = places.map(({ namespace, name }) => `${namespace}/${name}`).join(' or ');
  return new Error(`there is no public key in the ConfigMap ${names}: no controller has published it yet`);
}
