import { expect, it } from 'vitest';
import type { TemplateAnswer } from '../support/api.ts';
import { textOf } from '../support/files/pdf.ts';
import { live } from './service-under-test.ts';

it('concurrent PATCHes of a template each get their own version, and none is lost', async () => {
  const { id } = await live.createTemplate();
  const changes: Record<string, unknown>[] = [
    ...Array.from({ length: 20 }, (_, index) => ({ description: `description ${index}` })),
    { name: 'Raced' },
    { css: 'p { color: red }' },
    { html: '<p>raced {{name}}</p>' },
    { schema: { fields: [{ name: 'name', type: 'string' }] } },
    { default_options: { page_size: 'a4' } },
  ];
  const answers = await Promise.all(changes.map((change) => live.patch(`/v1/templates/${id}`, change)));
  expect(answers.map(({ status, text }) => [status, text.slice(0, 200)])).toEqual(
    answers.map(({ text }) => [200, text.slice(0, 200)]),
  );
  const results = answers.map((answer) => answer.json<TemplateAnswer>());

  const versions = results.map(({ version }) => version).sort((left, right) => left - right);
  expect(versions).toEqual(changes.map((_, index) => index + 2));
  // Each response contains its own change, not a concurrent one.
  for (const [index, result] of results.entries()) expect(result).toMatchObject(changes[index]!);

  const inOrder = results.toSorted((left, right) => left.version - right.version);
  const times = inOrder.map(({ updated_at }) => Date.parse(updated_at));
  expect(times).toEqual([...new Set(times)].sort((left, right) => left - right));

  const lastDescription = inOrder.findLast((result) => 'description' in changes[results.indexOf(result)]!);
  const final = (await live.get(`/v1/templates/${id}`)).json<TemplateAnswer>();
  expect(final).toEqual({
    ...inOrder.at(-1),
    ...Object.assign({}, ...changes),
    description: lastDescription!.description,
  });
});

it('a document never uses a version older than the last answered PATCH', async () => {
  const { id } = await live.createTemplate({ html: '<p>edition 0</p>' });
  for (let edition = 1; edition <= 8; edition += 1) {
    const patched = await live.patch(`/v1/templates/${id}`, { html: `<p>edition ${edition}</p>` });
    expect(patched.status, patched.text).toBe(200);
    expect(await textOf(await live.document(id))).toBe(`edition ${edition}`);
  }
});

it('a document of an earlier version does not change', async () => {
  const { id } = await live.createTemplate({ html: '<p>first</p>' });
  const { file_url } = await live.generate(id);
  await live.patch(`/v1/templates/${id}`, { html: '<p>second</p>' });
  await live.generate(id);
  expect(await textOf((await live.get(file_url as string)).bytes)).toBe('first');
});
