import { FieldDefinition, type TemplateSchema } from '@trifold/crds';
import { DataSchema, DataSchemaError } from '@trifold/platform/templating/schema/data-schema.ts';
import { findDefaultProblems } from '@trifold/platform/templating/schema/schema-defaults.ts';
import { describe, expect, it } from 'vitest';
import { blocks, page as readPage } from './pages.ts';

const page = await readPage('docs/data-schema.md');

type Json = Record<string, unknown>;
const json = (text = '') => JSON.parse(text.replaceAll(/^`|`$/g, '')) as Json;

/** Returns the cells of the rows whose first cell is code, in the table that begins with this heading. */
function rowsOf(heading: string): string[][] {
  const table = page.split(new RegExp(`^\\| ${heading} +\\|.*\n`, 'm'))[1]?.split('\n\n')[0] ?? '';
  return table
    .split('\n')
    .filter((row) => row.startsWith('| `'))
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Applies a schema with one field. Returns the problems, and the data with defaults. */
function applied(name: string, field: Json, data: Json) {
  const schema = { fields: [{ ...field, name }] } as unknown as TemplateSchema;
  return { problems: new DataSchema(schema).apply(data), data };
}

/** Returns the problems that Trifold reports on saving a template with this schema. */
function schemaProblems(fields: Json) {
  const schema = { fields } as unknown as TemplateSchema;
  try {
    void new DataSchema(schema);
    return findDefaultProblems(schema);
  } catch (error) {
    if (error instanceof DataSchemaError) return error.violations;
    throw error;
  }
}

describe('docs/data-schema.md', () => {
  const keywords = rowsOf('Keyword');

  it.each(keywords)('shows the error for %s: %s with %s', (_keyword, field, value = '', error) => {
    const { problems } = applied('v', json(field), value === '' ? {} : { v: json(value) });
    expect(problems.map(({ message }) => message)).toEqual([error]);
  });

  it('describes every keyword', () => {
    const described = [...keywords.map(([keyword = '']) => keyword.slice(1, -1)), 'name'];
    const inList = [...page.matchAll(/^- \*\*`(\w+)`\*\*/gm)].map(([, keyword = '']) => keyword);
    expect([...described, ...inList]).toEqual(
      expect.arrayContaining(Object.keys(FieldDefinition.properties)),
    );
  });

  it.each(rowsOf('Schema of `sender`'))('fills in the defaults of %s in %s', (field, data, merged) => {
    expect(applied('sender', json(field), json(data))).toEqual({ problems: [], data: json(merged) });
  });

  it.each(rowsOf('Fields'))('shows the error for the schema %s', (fields, path = '', message) => {
    expect(schemaProblems(json(fields))).toEqual([{ path: path.slice(1, -1), message }]);
  });

  it('shows the errors for its first example', () => {
    const [schema, data, response] = blocks(page, 'json').map((text) => json(text));
    expect(response?.['details']).toEqual(new DataSchema(schema as TemplateSchema).apply(data ?? {}));
  });
});
