import { API_KEY, SCOPES, type ApiKey, type KeyMode } from '@trifold/crds';
import { ensureAccount, FIRST_ACCOUNT, isAccount } from '@trifold/platform/records/api-keys/account.ts';
import { hashKey } from '@trifold/platform/records/api-keys/key-material.ts';
import { mintKey } from '@trifold/platform/records/api-keys/mint-key.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';

const MODES: readonly KeyMode[] = ['live', 'test'];

interface Options {
  readonly kubernetes: KubernetesClient;
  readonly clock: Clock;
  /** Keys to use instead of generated ones. */
  readonly presetKeys: Readonly<Record<KeyMode, string | undefined>>;
}

/** Newly generated keys, which can be shown only once. */
export type GeneratedKeys = Partial<Record<KeyMode, string>>;

/**
 * Creates the account on the first start, with one live and one test key, and returns the generated keys. Later starts
 * generate none; a missing preset key is added on any start.
 */
export async function ensureFirstAccount(options: Options): Promise<GeneratedKeys> {
  const { kubernetes } = options;
  const firstStart = !(await isAccount(kubernetes, FIRST_ACCOUNT));
  const generated: GeneratedKeys = {};
  for (const mode of MODES) {
    const preset = options.presetKeys[mode];
    if (preset !== undefined) await ensurePresetKey(options, mode, preset);
    else if (firstStart) generated[mode] = await generateFirstKey(options, mode);
  }
  // Done last: after a crash before this point, the next start generates keys again instead of finding an account
  // without a known key.
  await ensureAccount(kubernetes, FIRST_ACCOUNT);
  return generated;
}

async function generateFirstKey({ kubernetes, clock }: Options, mode: KeyMode): Promise<string> {
  return (await mintKey(kubernetes, requestFor(mode), clock.now())).key;
}

async function ensurePresetKey({ kubernetes, clock }: Options, mode: KeyMode, key: string): Promise<void> {
  const { items } = await kubernetes.resource<ApiKey>(API_KEY).list({ namespace: FIRST_ACCOUNT });
  if (items.some(({ spec }) => spec.sha256 === hashKey(key))) return;
  await mintKey(kubernetes, { ...requestFor(mode), key }, clock.now());
}

function requestFor(mode: KeyMode) {
  return { account: FIRST_ACCOUNT, name: `First ${mode} key`, scopes: SCOPES, mode };
}
