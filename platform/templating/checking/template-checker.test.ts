import { afterEach, describe, expect, it, vi } from 'vitest';
import { revisionOf } from '../revisions/revision.ts';
import { CheckPool, type CheckLimits } from './check-pool.ts';
import { TemplateChecker } from './template-checker.ts';

/** The slowest text that the limits of a template allow. */
const SLOW = ('{{#if a}}'.repeat(99) + '{{/if}}'.repeat(99)).repeat(100);
/** The text that needs the most memory within the limits of a template. */
const LARGE = '{{a}}\n'.repeat(20_000);
const manyFields = Array.from({ length: 900 }, (_, index) => ({
  name: `f${index}`,
  type: 'string' as const,
  default: '',
}));

describe('TemplateChecker', () => {
  let pool: CheckPool;
  afterEach(() => pool.stop());

  const open = (limits?: CheckLimits) => {
    pool = new CheckPool(limits);
    const ask = vi.spyOn(pool, 'ask');
    return { checker: new TemplateChecker(pool), ask };
  };

  it('asks the pool once for a text that compiles and each time for one that does not', async () => {
    const { checker, ask } = open();
    const long = `{{a}}${'y'.repeat(2_000)}`;
    for (const _ of [1, 2]) expect(await checker.findSyntaxProblem(long, 'acme')).toBeUndefined();
    expect(ask).toHaveBeenCalledTimes(1);
    for (const _ of [1, 2]) {
      expect(await checker.findSyntaxProblem(`${long}\n{{#if a}}`, 'acme')).toMatchObject({ line: 2 });
    }
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('asks the pool once for a valid schema and each time for an invalid one', async () => {
    const { checker, ask } = open();
    const valid = { fields: [{ name: 'a', type: 'string' as const }] };
    for (const _ of [1, 2]) expect(await checker.findSchemaProblem(valid, 'acme')).toBeUndefined();
    expect(ask).toHaveBeenCalledTimes(1);
    const invalid = { fields: [{ name: 'a', type: 'string' as const, pattern: '(' }] };
    // A text with the same characters is valid.
    expect(await checker.findSyntaxProblem(JSON.stringify(invalid), 'acme')).toBeUndefined();
    for (const _ of [1, 2]) {
      expect(await checker.findSchemaProblem(invalid, 'acme')).toMatchObject({ violations: [{}] });
    }
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('checks a short text without the pool', async () => {
    const { checker, ask } = open();
    expect(await checker.findSyntaxProblem('{{#if a}}', 'acme')).toMatchObject({ line: 1 });
    expect(await checker.findSyntaxProblem('a'.repeat(1_024), 'acme')).toBeUndefined();
    expect(ask).not.toHaveBeenCalled();
  });

  it('names the text of the options that does not compile', async () => {
    const { checker } = open();
    const header = { content: '{{page}}' };
    const footer = { content: 'Page\n{{page' };
    expect(await checker.findOptionProblem({ header, footer }, 'acme')).toMatchObject({
      path: ['footer', 'content'],
      line: 2,
    });
    const even = { ...header, even: { content: '{{/if}}' }, odd: { content: '{{ok}}' } };
    expect(await checker.findOptionProblem({ header: even, footer }, 'acme')).toMatchObject({
      path: ['header', 'even', 'content'],
      line: 1,
    });
    const properties = { title: '{{page}}', keywords: ['a', '{{'] };
    expect(await checker.findOptionProblem({ header, properties }, 'acme')).toMatchObject({
      path: ['properties', 'keywords', '1'],
    });
    expect(await checker.findOptionProblem({ header }, 'acme')).toBeUndefined();
    expect(await checker.findOptionProblem(undefined, 'acme')).toBeUndefined();
  });

  it('reports a template that takes too long and says what to reduce', async () => {
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

  it.each([100, 3_000, 50_000])('reports a schema that nests %i levels', async (depth) => {
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
    'asks the pool for the revision of a template only if its schema is large: %s',
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
});
