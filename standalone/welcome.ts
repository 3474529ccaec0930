import type { Standalone } from './standalone.ts';

/** What `npm start` prints when the service is ready. Keys are in it only on the start that drew them. */
export function welcome({
  url,
  kubeconfig,
  drawnKeys,
}: Pick<Standalone, 'url' | 'kubeconfig' | 'drawnKeys'>): string {
  const lines = [`Trifold is ready at ${url}`, `kubectl --kubeconfig ${kubeconfig} get trifold`];
  if (drawnKeys.live !== undefined) lines.push('', ...firstRequest(url, drawnKeys.live));
  if (drawnKeys.test !== undefined) lines.push('', 'A test key, shown this once:', `  ${drawnKeys.test}`);
  return `${lines.join('\n')}\n`;
}

function firstRequest(url: string, key: string): string[] {
  return [
    'Your live key is in this command, shown this once. It makes a template:',
    `  curl -sS ${url}/v1/templates \\`,
    `    -H 'Authorization: Bearer ${key}' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '{"name": "Hello", "html": "<h1>Hello {{name}}</h1>"}'`,
    'Put the id it answers with as template_id into POST /v1/generate (see README.md, "Your first document").',
  ];
}
