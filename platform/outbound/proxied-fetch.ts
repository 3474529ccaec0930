import { fetch as undiciFetch, ProxyAgent } from 'undici';
import { proxyFor, type Proxies } from './proxies.ts';

/** `fetch` for a URL, without the form that takes a Request. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** `fetch` for URLs that operators configure: sends requests through the proxies. */
export function proxiedFetch(proxies: Proxies): Fetch {
  const agents = new Map<string, ProxyAgent>();
  const agentOf = (proxy: URL) => {
    const agent = agents.get(proxy.href) ?? new ProxyAgent(proxy.href);
    agents.set(proxy.href, agent);
    return agent;
  };
  return async (url, init) => {
    const proxy = proxyFor(new URL(url), proxies);
    if (!proxy) return fetch(url, init);
    // The fetch types of undici and Node are equivalent.
    const options = { ...init, dispatcher: agentOf(proxy) } as Parameters<typeof undiciFetch>[1];
    return undiciFetch(url, options);
  };
}
