import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import { keepSource } from '@trifold/platform/templating/revisions/template-source.ts';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aTemplate } from '../testing/objects.ts';
import { temporaryStore } from '../testing/temporary-store.ts';
import { checkTemplate } from './template-check.ts';

const checkPool = new CheckPool();
const checker = new TemplateChecker(checkPool);
let temporary: ReturnType<typeof temporaryStore>;
let dependencies: Parameters<typeof checkTemplate>[0];
beforeEach(() => {
  temporary = temporaryStore();
  dependencies = { store: temporary.store, checker };
});
afterEach(() => temporary.remove());
afterAll(() => checkPool.stop());

describe('checkTemplate', () => {
  it('reports which part of an email template does not compile', async () => {
    const email = { subject: 'Hi', text: 'Dear\n{{name' };
    const finding = await checkTemplate(dependencies, aTemplate({ spec: { email } }));
    expect(finding).toMatchObject({ reason: 'SyntaxError', error: { line: 2 } });
    expect(finding.message).toMatch(/^line 2, column \d+: email\.text: /);
  });

  it('reports where a footer does not compile', async () => {
    const defaultOptions = { footer: { content: 'Page\n{{page' } };
    const finding = await checkTemplate(dependencies, aTemplate({ spec: { defaultOptions } }));
    expect(finding.reason).toBe('SyntaxError');
    expect(finding.message).toMatch(/^line 2, column \d+: defaultOptions\.footer\.content: /);
  });

  it.each([
    [{ locale: 'xx-YY' }, 'defaultOptions.locale must be a known language tag such as de-DE (BCP 47)'],
    [
      { timeZone: 'Berlin' },
      'defaultOptions.timeZone must be a known time zone such as Europe/Berlin (IANA)',
    ],
  ])('rejects the default options %j', async (defaultOptions, message) => {
    const finding = await checkTemplate(dependencies, aTemplate({ spec: { defaultOptions } }));
    expect(finding).toEqual({ reason: 'OptionsInvalid', message });
  });

  it('rejects an invalid schema', async () => {
    const schema = { fields: [{ name: 'code', type: 'string' as const, pattern: '(' }] };
    const finding = await checkTemplate(dependencies, aTemplate({ spec: { schema } }));
    expect(finding.reason).toBe('SchemaInvalid');
    expect(finding.message).toContain('/schema/fields/0');
  });

  it.each([
    ['more levels than a body may have', 100],
    ['more levels than the stack can hold', 3_000],
  ])('rejects a schema that is nested too deeply: %s', async (_what, depth) => {
    let value: unknown = 0;
    for (let level = 0; level < depth; level += 1) value = [value];
    const schema = { fields: [{ name: 'a', type: 'array' as const, default: value }] };
    expect(await checkTemplate(dependencies, aTemplate({ spec: { schema } }))).toEqual({
      reason: 'SchemaInvalid',
      message: '/schema is nested deeper than 100 levels',
      timedOut: false,
    });
  });

  it('reads a large source from the store and reports a missing one', async () => {
    const html = `<p>{{number}}</p>${' '.repeat(70_000)}`;
    const members = await keepSource(temporary.store, 'acme', { html }, new Date());
    const template = aTemplate();
    const { html: _html, ...spec } = template.spec;
    const large = { ...template, spec: { ...spec, ...members } };
    expect((await checkTemplate(dependencies, large)).reason).toBe('Compiled');
    const elsewhere = { ...large, metadata: { ...large.metadata, namespace: 'other' } };
    expect((await checkTemplate(dependencies, elsewhere)).reason).toBe('SourceMissing');
  });
});
