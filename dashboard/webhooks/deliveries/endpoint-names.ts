import { deliveries as messages } from '../../messages/webhooks.ts';
import { useSession } from '../../session/session.ts';
import { useResource } from '../../loading/resource.ts';

/** An account has at most 49 hooks. */
const MOST_HOOKS = 50;

/** Names for people of the account's endpoints, by the `endpoint` of a delivery: the webhook first, then the hooks. */
export function useEndpointNames(): ReadonlyMap<string, string> {
  const { client } = useSession();
  const hooks = useResource(async (signal) => client.webhooks.hooks.page({ limit: MOST_HOOKS }, { signal }));
  const ofHooks = (hooks.value.value?.data ?? []).map(({ id, url }) => [id, url] as const);
  return new Map([['account', messages.account], ...ofHooks]);
}

/** Returns the name of an endpoint; of a deleted hook its id. */
export function endpointName(endpoint: string | null, names: ReadonlyMap<string, string>): string {
  return endpoint === null ? messages.callback : (names.get(endpoint) ?? endpoint);
}
