import type { Case, Request } from './case.ts';
import { ChosenValues, outcomeOf } from './outcome.ts';
import type { ConformanceTarget } from './target.ts';

const GROUP_PATH = '/apis/trifold.dev/v1alpha1';
let namespaces = 0;

/** Sends the requests of a case in a separate namespace. Returns the text of the case with their outcomes. */
export async function runCase(target: ConformanceTarget, { name, requests }: Case): Promise<string> {
  const chosen = new ChosenValues(await makeNamespace(target));
  const lines = [name];
  for (const request of requests) lines.push(...request.lines, ...(await send(target, request, chosen)));
  return lines.join('\n');
}

/** Creates a namespace and returns its name. */
export async function makeNamespace(target: ConformanceTarget): Promise<string> {
  const name = `case-${process.pid}-${++namespaces}`;
  await target.client.json({
    method: 'POST',
    path: '/api/v1/namespaces',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
  });
  return name;
}

/** Returns the absolute path for a path in a case. */
export function absolutePath(path: string, namespace: string): string {
  if (path.startsWith('/')) return path;
  const foreign = /^([a-z0-9./]+):(.+)$/.exec(path);
  if (!foreign) return `${GROUP_PATH}/namespaces/${namespace}/${path}`;
  const root = foreign[1] === 'core' ? '/api/v1' : `/apis/${foreign[1]}`;
  return `${root}/namespaces/${namespace}/${foreign[2]}`;
}

async function send(target: ConformanceTarget, request: Request, chosen: ChosenValues): Promise<string[]> {
  const { method, path, body, headers } = request;
  if (method === 'COMPACT') {
    await target.compact();
    return [];
  }
  const [resource = '', query] = path.split('?');
  const response = await target.client.text({
    method,
    path: absolutePath(chosen.fill(resource), chosen.fill('$ns')) + encoded(chosen.fill(query ?? '')),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : chosen.fill(body),
  });
  const pinned = /continue=|resourceVersionMatch=Exact/.test(path);
  return [`    ${outcomeOf(response, chosen, pinned)}`];
}

function encoded(query: string): string {
  if (query === '') return '';
  const parameters = query.split('&').map((each) => {
    const [name = '', ...value] = each.split('=');
    return [name, value.join('=')] as [string, string];
  });
  return `?${new URLSearchParams(parameters).toString()}`;
}
