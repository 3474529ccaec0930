import path from 'node:path';
import { FIRST_ACCOUNT } from '@trifold/platform/records/api-keys/account.ts';
import { LINK_MINUTES } from '@trifold/platform/records/api-keys/sign-in-links.ts';
import type { Standalone } from './standalone.ts';

/** Message of `npm start` when the service is ready. It shows keys only on the start that created them. */
export function welcome({
  url,
  kubeconfig,
  signInLink,
  generatedKeys,
}: Pick<Standalone, 'url' | 'kubeconfig' | 'signInLink' | 'generatedKeys'>): string {
  const lines = [
    `Trifold is ready at ${url}`,
    `Documentation:      ${url}/docs/`,
    `Resources:          kubectl --kubeconfig ${kubeconfig} get trifold`,
    `New API key:        npx --no trifold keys create --account ${FIRST_ACCOUNT} --kubeconfig ${kubeconfig}`,
    `Dashboard:          ${signInLink}`,
    `                    This link works once and expires after ${LINK_MINUTES} minutes.`,
    `New link:           npx --no trifold dashboard --data ${path.dirname(kubeconfig)}`,
  ];
  if (generatedKeys.live !== undefined) lines.push('', ...firstRequest(url, generatedKeys.live));
  if (generatedKeys.test !== undefined)
    lines.push('', 'Your test key, shown only once:', `  ${generatedKeys.test}`);
  return `${lines.join('\n')}\n`;
}

function firstRequest(url: string, key: string): string[] {
  return [
    'This command contains your live key, shown only once. It generates hello.pdf:',
    `  curl -sS --fail-with-body ${url}/v1/generate -o hello.pdf \\`,
    `    -H 'Authorization: Bearer ${key}' \\`,
    `    -H 'Content-Type: application/json' -H 'Accept: application/pdf' \\`,
    `    -d '{"template": {"html": "<h1>Hello {{name}}</h1>"}, "data": {"name": "World"}}'`,
  ];
}
