import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import { keepSource } from '@trifold/platform/templating/revisions/template-source.ts';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { aTemplate } from '../testing/objects.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { temporaryStore } from '../testing/temporary-store.ts';
import { checkTemplate } from './template-check.ts';

const checkPool = new CheckPool();
const checker = new TemplateChecker(checkPool);
let store: ObjectStore;
let dependencies: Parameters<typeof checkTemplate>[0];
beforeEach(() => {
  store = temporaryStore();
  dependencies = { store, checker };
});
afterAll(() => checkPool.stop());

const nested = (depth: number) => {
  let value: unknown = 0;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

it.each([
  [
    { email: { subject: 'Hi', text: 'Dear\n{{name' } },
    { reason: 'SyntaxError', error: { line: 2 } },
    /^line 2, column \d+: email\.text: /,
  ],
  [
    { defaultOptions: { footer: { content: 'Page\n{{page' } } },
    { reason: 'SyntaxError', error: { line: 2 } },
    /^line 2, column \d+: defaultOptions\.footer\.content: /,
  ],
  [
    { defaultOptions: { locale: 'xx-YY' } },
    { reason: 'OptionsInvalid' },
    /^defaultOptions\.locale must be a known language tag/,
  ],
  [
    { schema: { fields: [{ name: 'a', type: 'array' as const, default: nested(100) }] } },
    { reason: 'SchemaInvalid', timedOut: false },
    /^\/schema is nested deeper than 100 levels$/,
  ],
])('checkTemplate says which part of the template cannot be used: %j', async (spec, finding, message) => {
  const found = await checkTemplate(dependencies, aTemplate({ spec }));
  expect(found).toMatchObject({ ...finding, message: expect.stringMatching(message) as string });
});

it('checkTemplate reads a large source from the store and reports a missing one', async () => {
  const html = `<p>{{number}}</p>${' '.repeat(70_000)}`;
  const members = await keepSource(store, 'acme', { html }, new Date());
  const template = aTemplate();
  const { html: _html, ...spec } = template.spec;
  const large = { ...template, spec: { ...spec, ...members } };
  expect((await checkTemplate(dependencies, large)).reason).toBe('Compiled');
  const elsewhere = { ...large, metadata: { ...large.metadata, namespace: 'other' } };
  expect((await checkTemplate(dependencies, elsewhere)).reason).toBe('SourceMissing');
});
