import { beforeAll, expect, it } from 'vitest';
import { expectError, type Answer } from '../support/api.ts';
import { randomFrom } from '../support/seeded-random.ts';
import { live } from './service-under-test.ts';

/** The requests are the same on every run, unless these two variables change them. */
const SEED = Number(process.env['TRIFOLD_ACCEPTANCE_FUZZ_SEED'] ?? 20_261_121);
const REQUESTS = Number(process.env['TRIFOLD_ACCEPTANCE_FUZZ_REQUESTS'] ?? 400);
const IN_FLIGHT = 4;

const random = randomFrom(SEED);
const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;

const STRANGE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202E',
  '{{',
  '{{#each}}',
  '{{{{raw}}}}x{{{{/raw}}}}',
  '{{../..}}',
  '__proto__',
  'constructor',
  '<script>',
  '%00%ff',
  '../../..',
  "'; DROP TABLE objects; --",
  '9'.repeat(500),
  'é'.repeat(5000),
  '💥',
  'a4',
  '1in',
  '-1mm',
  'pdf',
] as const;
const STRANGE_NUMBERS = [0, -0, -1, 1, 1.5, 1e21, 1e308, -1e308, Number.MAX_SAFE_INTEGER, 5e-324] as const;
const NAMES = ['name', 'html', 'css', 'schema', 'fields', 'type', 'items', 'properties', 'data', 'options'];
const MORE_NAMES = [
  'page_size',
  'margins',
  'async',
  'template_id',
  'filename',
  '__proto__',
  'toString',
  '',
  '💥',
];

function strangeValue(depth = 0): unknown {
  const kind = Math.floor(random() * (depth > 3 ? 5 : 8));
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return pick(STRANGE_NUMBERS);
  if (kind <= 4) return pick(STRANGE_TEXTS);
  if (kind === 5) return Array.from({ length: Math.floor(random() * 5) }, () => strangeValue(depth + 1));
  const entries = Array.from({ length: Math.floor(random() * 5) }, () => [
    pick([...NAMES, ...MORE_NAMES]),
    strangeValue(depth + 1),
  ]);
  return Object.fromEntries(entries) as unknown;
}

/** Returns a deep copy with one to three values replaced, removed or added. */
function mutate(value: unknown): unknown {
  const copy = structuredClone(value) as Record<string, unknown>;
  for (let change = 0; change < 1 + Math.floor(random() * 3); change += 1) {
    let node = copy;
    for (;;) {
      const inner = Object.values(node).filter((member) => typeof member === 'object' && member !== null);
      if (inner.length === 0 || random() < 0.5) break;
      node = pick(inner) as Record<string, unknown>;
    }
    const name = random() < 0.7 && Object.keys(node).length > 0 ? pick(Object.keys(node)) : pick(MORE_NAMES);
    if (random() < 0.2) delete node[name];
    else
      Object.defineProperty(node, name, {
        value: strangeValue(),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return copy;
}

function garble(text: string): string {
  const at = Math.floor(random() * (text.length + 1));
  const how = random();
  if (how < 0.4) return text.slice(0, at);
  if (how < 0.7) return text.slice(0, at) + pick(['"', '}', '[', '\\', '\u0000', ',']) + text.slice(at);
  return text.slice(0, at) + pick(STRANGE_TEXTS) + text.slice(at + 1);
}

const TEMPLATE_BODY = {
  name: 'Fuzz',
  html: '<p>{{name}} {{#each lines}}{{qty}}{{/each}}</p>',
  css: 'p { color: red }',
  description: 'd',
  schema: {
    fields: [
      { name: 'name', type: 'string', required: true, minLength: 1, pattern: '^a', default: 'a' },
      { name: 'lines', type: 'array', items: { type: 'object', properties: { qty: { type: 'number' } } } },
    ],
  },
  default_options: { page_size: 'a4', margins: { top: '1in' }, print_background: true },
};

let template: string;
beforeAll(async () => {
  template = (await live.createTemplate(TEMPLATE_BODY)).id;
});

interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers: Record<string, string>;
}

function nextRequest(): FuzzRequest {
  const strangeId = encodeURIComponent(pick(STRANGE_TEXTS).toWellFormed());
  const id = pick([template, template, strangeId, 'gen-01jd5xzzzzzzzzzzzzzzzzzzzz']);
  const valid = {
    template_id: template,
    data: { name: 'abc', lines: [{ qty: 1 }] },
    options: { margins: '1in' },
    filename: 'f.pdf',
    async: true,
  };
  const [method, path, body] = pick<readonly [string, string, unknown]>([
    ['POST', '/v1/templates', TEMPLATE_BODY],
    ['PATCH', `/v1/templates/${id}`, TEMPLATE_BODY],
    ['POST', '/v1/generate', valid],
    ['POST', '/v1/generate', valid],
    [
      'GET',
      `/v1/templates?limit=${strangeId}&cursor=${encodeURIComponent(pick(STRANGE_TEXTS).toWellFormed())}`,
      undefined,
    ],
    ['GET', `/v1/templates/${id}`, undefined],
    ['GET', `/v1/generate/${id}`, undefined],
    ['GET', `/v1/generate/${id}/download`, undefined],
    ['DELETE', `/v1/templates/${strangeId}`, undefined],
  ]);
  const headers: Record<string, string> = {};
  if (random() < 0.1)
    headers['accept'] = pick(['application/pdf', '*/*;q=0', 'x', 'text/html,,;', 'application/pdf;q=x']);
  if (random() < 0.05)
    headers['content-type'] = pick(['text/plain', 'application/json; charset=x', 'application/json;;', 'x']);
  if (body === undefined) return { method, path, headers };
  const text = JSON.stringify(mutate(body));
  return { method, path, headers, body: random() < 0.25 ? garble(text) : text };
}

function judge(request: FuzzRequest, answer: Answer): void {
  const { method, path, body } = request;
  const shown = `${method} ${path}\n${body?.slice(0, 2000)}\n→ ${answer.status} ${answer.text.slice(0, 1000)}`;
  expect(answer.status, shown).toBeLessThan(500);
  if (answer.status < 400) return;
  try {
    expectError(answer, answer.status);
  } catch (cause) {
    throw new Error(shown, { cause });
  }
}

it(
  `${REQUESTS} fuzzed requests get no 5xx, every error has the documented shape, and the service stays healthy`,
  async () => {
    let left = REQUESTS;
    const statuses = new Map<number, number>();
    const accepted: string[] = [];
    await Promise.all(
      Array.from({ length: IN_FLIGHT }, async () => {
        while (left > 0) {
          left -= 1;
          const request = nextRequest();
          const answer = await live.send(request.method, request.path, request);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          judge(request, answer);
          if (answer.status === 202) accepted.push(answer.json<{ id: string }>().id);
        }
      }),
    );
    // Every accepted document finishes, and every failed one has a reason.
    const ends = await Promise.all(accepted.map(async (id) => live.finished(id)));
    for (const { status, error } of ends) {
      if (status === 'failed') expect(error?.message).toMatch(/\S.{8,}/);
    }
    // The requests got past the parser: some were accepted, some rejected.
    expect(
      [...statuses.keys()].some((status) => status < 300),
      JSON.stringify([...statuses]),
    ).toBe(true);
    expect(statuses.get(400)).toBeGreaterThan(0);
    const { id } = await live.createTemplate();
    await live.generate(id, { name: 'well' });
  },
  60_000 + REQUESTS * 100,
);
