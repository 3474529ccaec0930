import { readFile, writeFile } from 'node:fs/promises';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

export interface Request {
  /** `COMPACT` compacts the server's history instead. */
  readonly method: string;
  /** Includes the query, which is not encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** As in the file, without the outcome. */
  readonly lines: readonly string[];
}

/** Requests in order, named by a sentence about the behavior that they show. */
export interface Case {
  readonly name: string;
  readonly requests: readonly Request[];
  /** As in the file, with the outcomes that a kube-apiserver returned. */
  readonly text: string;
}

const FILE = new URL('cases.txt', import.meta.url);
/** Begins a header or the body of a request. */
const SENT = '    > ';

/**
 * Returns the behavior that Trifold requires of every API server, from cases.txt: a sentence, and below it each request
 * with what is sent and the recorded outcome (outcome.ts). `TRIFOLD_TEST_RECORD` writes the outcomes of a new case.
 *
 * Every case runs in its own namespace. `$ns` in a path, header or body is the namespace, and `$uid1`, `$version2` …
 * are values that the server chose earlier in the case, numbered by their first appearance. A path without a leading
 * slash is relative to the namespace: `templates/a/status` for our kinds, `core:secrets/a` for others. A body in quotes
 * is sent without them. `⟨x×3⟩` repeats the text before the sign; `#` in it is the number of the repetition.
 */
export async function readCases(): Promise<Case[]> {
  const blocks = (await readFile(FILE, 'utf8')).trimEnd().split('\n\n');
  return blocks.map((text) => {
    const [name = '', ...lines] = text.split('\n');
    const starts = lines.flatMap((line, index) => (/^ {2}\S/.test(line) ? [index] : []));
    const requests = starts.map((start, index) => requestOf(lines.slice(start, starts[index + 1])));
    return { name, requests, text };
  });
}

/** Replaces the cases with their text. */
export async function writeCases(texts: Iterable<string>): Promise<void> {
  await writeFile(FILE, `${[...texts].join('\n\n')}\n`);
}

function requestOf([first = '', ...others]: readonly string[]): Request {
  const [, method = '', path = ''] = /^ {2}(\S+) ?(.*)$/.exec(first) ?? [];
  const sent = others.filter((line) => line.startsWith(SENT));
  const parts = sent.map((line) => line.slice(SENT.length));
  const headers = parts.flatMap((part) => {
    const [, name, value] = /^([a-z-]+): ?(.*)$/.exec(part) ?? [];
    return name === undefined ? [] : [[name, value ?? ''] as const];
  });
  const body = parts.find((part) => /^["[{]/.test(part));
  const lines = [first, ...sent];
  return { method, path, headers: Object.fromEntries(headers), body: body && sentAs(body), lines };
}

function sentAs(body: string): string {
  const text = repeated(body);
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** Expands the repetitions in the text, inner ones first. */
function repeated(text: string): string {
  const result = text.replaceAll(/⟨([^⟨⟩]*)×(\d+)⟩/gu, (_, unit: string, count: string) =>
    Array.from({ length: Number(count) }, (_unit, index) => unit.replaceAll('#', String(index))).join(''),
  );
  return result === text ? result : repeated(result);
}
