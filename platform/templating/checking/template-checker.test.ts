import type { TemplateSchema } from '@trifold/crds';
import { afterEach, expect, it, vi } from 'vitest';
import { revisionOf } from '../revisions/revision.ts';
import { CheckPool, type CheckLimits } from './check-pool.ts';
import { TemplateChecker, type TemplateParts } from './template-checker.ts';

/** The slowest source that the template limits allow. */
const SLOW = ('{{#if a}}'.repeat(99) + '{{/if}}'.repeat(99)).repeat(100);
const schema: TemplateSchema = { fields: [{ name: 'code', type: 'string', pattern: '(' }] };
/** The source that needs the most memory within the template limits. */
const LARGE = '{{a}}\n'.repeat(20_000);
const text = { type: 'string', default: '' } as const;
const manyFields = Array.from({ length: 900 }, (_, index) => ({ ...text, name: `f${index}` }));

let pool: CheckPool;
afterEach(() => pool.stop());

const open = (limits?: CheckLimits) => {
  pool = new CheckPool(limits);
  const ask = vi.spyOn(pool, 'ask');
  return { checker: new TemplateChecker(pool), ask };
};

it('sends a part to the pool once if it compiles, and each time if it does not', async () => {
  const { checker, ask } = open();
  const long = `{{a}}${'y'.repeat(2_000)}`;
  for (const _ of [1, 2]) expect(await checker.findSyntaxProblem(long, 'acme')).toBeUndefined();
  expect(ask).toHaveBeenCalledTimes(1);
  for (const _ of [1, 2]) {
    expect(await checker.findSyntaxProblem(`${long}\n{{#if a}}`, 'acme')).toMatchObject({ line: 2 });
  }
  expect(ask).toHaveBeenCalledTimes(3);
});

it('sends a schema to the pool once if it is valid, and each time if it is not', async () => {
  const { checker, ask } = open();
  const valid = { fields: [{ name: 'a', type: 'string' as const }] };
  for (const _ of [1, 2]) expect(await checker.findSchemaProblem(valid, 'acme')).toBeUndefined();
  expect(ask).toHaveBeenCalledTimes(1);
  const invalid = { fields: [{ name: 'a', type: 'string' as const, pattern: '(' }] };
  // A source with the same characters is valid.
  expect(await checker.findSyntaxProblem(JSON.stringify(invalid), 'acme')).toBeUndefined();
  for (const _ of [1, 2]) {
    expect(await checker.findSchemaProblem(invalid, 'acme')).toMatchObject({ violations: [{}] });
  }
  expect(ask).toHaveBeenCalledTimes(3);
});

it('checks a short part without the pool', async () => {
  const { checker, ask } = open();
  expect(await checker.findSyntaxProblem('{{#if a}}', 'acme')).toMatchObject({ line: 1 });
  expect(await checker.findSyntaxProblem('a'.repeat(1_024), 'acme')).toBeUndefined();
  expect(ask).not.toHaveBeenCalled();
});

const content = '{{page}}';
const broken = 'Page\n{{page';
it.each<[string, TemplateParts, object | undefined]>([
  ['none', { defaultOptions: { header: { content } } }, undefined],
  ['none', { html: content, email: { subject: 'Hi' }, schema: { fields: [] } }, undefined],
  ['html', { html: broken, schema }, { kind: 'syntax', line: 2 }],
  ['email.text', { html: content, email: { subject: 'Hi', text: broken } }, { kind: 'syntax', line: 2 }],
  ['defaultOptions.footer.content', { defaultOptions: { footer: { content: broken } } }, { line: 2 }],
  [
    'defaultOptions.header.even.content',
    {
      defaultOptions: {
        header: { content, even: { content: '{{/if}}' }, odd: { content } },
        footer: { content: broken },
      },
    },
    { line: 1 },
  ],
  ['defaultOptions.properties.keywords.1', { defaultOptions: { properties: { keywords: ['', '{{'] } } }, {}],
  ['none', { schema, defaultOptions: { locale: 'xx-YY' } }, { kind: 'schema', violations: [{}] }],
  [
    'none',
    { defaultOptions: { locale: 'xx-YY' } },
    { kind: 'locale', member: 'locale', message: 'must be a known language tag such as de-DE (BCP 47)' },
  ],
  [
    'none',
    { defaultOptions: { timeZone: 'Berlin' } },
    {
      kind: 'locale',
      member: 'timeZone',
      message: 'must be a known time zone such as Europe/Berlin (IANA)',
    },
  ],
])(
  'finds the first problem in a template, with the part that does not compile: %s',
  async (part, parts, expected) => {
    const { checker } = open();
    const problem = await checker.findProblem(parts, 'acme');
    if (expected) expect(problem).toMatchObject(expected);
    else expect(problem).toBeUndefined();
    expect(problem && 'path' in problem ? problem.path.join('.') : 'none').toBe(part);
  },
);

it('reports a template that takes too long and what to reduce', async () => {
  const { checker } = open({ timeoutMs: 40, memoryMib: 256 });
  expect(await checker.findSyntaxProblem(SLOW, 'acme')).toEqual({
    line: 1,
    column: 1,
    message: 'the template takes longer than 40 ms to check: use fewer expressions and less nesting',
    timedOut: true,
  });
});

it('reports a template that takes too much memory', async () => {
  const { checker } = open({ timeoutMs: 60_000, memoryMib: 24 });
  expect(await checker.findSyntaxProblem(LARGE, 'acme')).toMatchObject({
    message: expect.stringContaining('takes more than 24 MiB of memory to check'),
    timedOut: false,
  });
  expect(await checker.findSyntaxProblem(`{{a}}${'y'.repeat(2_000)}`, 'acme')).toBeUndefined();
});

it('reports a schema that takes too long', async () => {
  const { checker } = open({ timeoutMs: 40, memoryMib: 256 });
  expect(await checker.findSchemaProblem({ fields: manyFields }, 'acme')).toMatchObject({
    defaultsOnly: false,
    violations: [{ path: '/schema', message: expect.stringContaining('takes longer than 40 ms to check') }],
  });
});

it.each([100, 3_000, 50_000])('reports a schema that is nested %i levels deep', async (depth) => {
  const { checker, ask } = open();
  let items: Record<string, unknown> = { type: 'string' };
  for (let level = 0; level < depth; level += 1) items = { type: 'array', items };
  const schema = { fields: [{ name: 'deep', type: 'array' as const, items }] };
  const violations = [{ path: '/schema', message: 'is nested deeper than 100 levels' }];
  expect(await checker.findSchemaProblem(schema, 'acme')).toEqual({ violations, defaultsOnly: false });
  const revision = checker.revisionOf({ displayName: 'T', schema }, { html: '' }, 'acme');
  await expect(revision).rejects.toMatchObject({ violations });
  expect(ask).not.toHaveBeenCalled();
});

it.each([
  ['small', 10, []],
  ['large', 5_000, ['revision']],
])(
  'requests a template revision from the pool only if its schema is large: %s',
  async (_size, count, asked) => {
    const { checker, ask } = open();
    const members = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`m${count - index}`, index]),
    );
    const schema = { fields: [{ name: 'a', type: 'object' as const, default: { ...members, '7': 'ä' } }] };
    const spec = { displayName: 'T', schema };
    const source = { html: '<p>', css: 'p {}' };
    expect(await checker.revisionOf(spec, source, 'acme')).toEqual(revisionOf(spec, source));
    expect(ask.mock.calls.map(([kind]) => kind)).toEqual(asked);
  },
);

it('passes the account to the pool', async () => {
  const { checker, ask } = open();
  await checker.findSyntaxProblem('{{a}}'.repeat(2_000), 'acme');
  await checker.findSchemaProblem({ fields: [] }, 'globex');
  expect(ask.mock.calls.map(([kind, , turn]) => [kind, turn])).toEqual([
    ['syntax', { account: 'acme' }],
    ['schema', { account: 'globex' }],
  ]);
});
