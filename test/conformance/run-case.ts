import type { Case, Expectation, Step } from './case.ts';
import { mismatches, valueAt } from './match.ts';
import type { ConformanceTarget } from './target.ts';

const GROUP_PATH = '/apis/trifold.dev/v1alpha1';
let namespaces = 0;

/** Runs the steps of a case in its own namespace. Throws an Error with the request and response of a wrong step. */
export async function runCase(target: ConformanceTarget, given: Case): Promise<void> {
  const saved = new Map([['ns', await makeNamespace(target)]]);
  for (const [index, step] of given.steps.entries()) {
    if (step.afterCompaction) await target.compact();
    const answer = await send(target, step, saved);
    const problems = judge(step.expect, answer, saved);
    for (const [name, path] of Object.entries(step.save ?? {})) {
      const value = valueAt(answer.body, path);
      if (value === undefined) problems.push(`${path} is not in the answer`);
      saved.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    if (problems.length > 0) {
      const sent = `${step.method} ${step.path} ${JSON.stringify(step.query ?? {})} ${show(step.body)}`;
      const lines = [
        `step ${index + 1}: ${sent}`,
        ...problems,
        `answer: ${answer.status} ${answer.text.slice(0, 1500)}`,
      ];
      throw new Error(lines.join('\n  '));
    }
  }
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

/** Returns the absolute path for a path of a case. */
export function absolutePath(path: string, namespace: string): string {
  if (path.startsWith('/')) return path;
  const foreign = /^([a-z0-9./]+):(.+)$/.exec(path);
  if (!foreign) return `${GROUP_PATH}/namespaces/${namespace}/${path}`;
  const root = foreign[1] === 'core' ? '/api/v1' : `/apis/${foreign[1]}`;
  return `${root}/namespaces/${namespace}/${foreign[2]}`;
}

interface Answer {
  status: number;
  text: string;
  body: unknown;
  headers: Readonly<Record<string, string | undefined>>;
}

async function send(target: ConformanceTarget, step: Step, saved: Map<string, string>): Promise<Answer> {
  const fill = (text: string) => fillIn(text, saved);
  const query = new URLSearchParams(
    Object.entries(step.query ?? {}).map(([name, value]): [string, string] => [name, fill(value)]),
  );
  const path = absolutePath(fill(step.path), saved.get('ns') ?? '');
  const body = typeof step.body === 'object' ? JSON.stringify(step.body) : step.body;
  const client = step.authenticated === false ? target.stranger : target.client;
  const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...step.headers };
  const answer = await client.text({
    method: step.method,
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
    body: body === undefined ? undefined : fill(body),
  });
  return { ...answer, body: parsed(answer.text) };
}

function judge(expect: Expectation, answer: Answer, saved: Map<string, string>): string[] {
  if (answer.status !== expect.code) return [`the code is ${answer.status}, not ${expect.code}`];
  if (expect.codeOnly) return [];
  const problems = mismatches(JSON.parse(fillIn(JSON.stringify(expect.body ?? {}), saved)), answer.body);
  if (answer.status >= 400) problems.push(...judgeRejection(expect, answer));
  for (const path of expect.absent ?? []) {
    const value = valueAt(answer.body, path);
    if (value !== undefined && value !== '') problems.push(`${path} is ${JSON.stringify(value)}, not absent`);
  }
  const warnings = (answer.headers['warning'] ?? '').match(/299 /g)?.length ?? 0;
  if (answer.status < 400 && warnings !== (expect.warnings ?? 0))
    problems.push(`warnings: ${answer.headers['warning']}`);
  return problems;
}

/** Every error response is a Status that matches the HTTP code. */
function judgeRejection(expect: Expectation, answer: Answer): string[] {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: expect.code };
  const problems = mismatches({ ...status, reason: expect.reason }, answer.body);
  if (!valueAt(answer.body, 'message')) problems.push('there is no message');
  const causes = (valueAt(answer.body, 'details.causes') ?? []) as { field?: string; reason?: string }[];
  const actual = [...new Set(causes.map((cause) => `${cause.field ?? ''}: ${cause.reason ?? ''}`))].sort();
  const expected = [...(expect.causes ?? [])].sort();
  if (actual.join('\n') !== expected.join('\n')) {
    problems.push(`the causes are ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
  }
  return problems;
}

function fillIn(text: string, saved: Map<string, string>): string {
  return text.replaceAll(/\$([a-z][A-Za-z]*)/g, (whole, name: string) => saved.get(name) ?? whole);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function show(body: Step['body']): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  return text.slice(0, 300);
}
