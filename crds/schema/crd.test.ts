import { expect, it } from 'vitest';
import { openApiSchema } from './crd.ts';
import { CUSTOM_KINDS } from '../kinds/custom-kinds.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Returns every property of a schema, at any depth, by its path. */
function propertiesOf(schema: Schema, path: string): [string, Schema][] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]): [string, Schema][] => [
    [`${path}.${name}`, property],
    ...propertiesOf(property, `${path}.${name}`),
  ]);
  return schema.items ? [...own, ...propertiesOf(schema.items, `${path}[]`)] : own;
}

it.each(CUSTOM_KINDS.map((kind) => [kind.kind, kind] as const))(
  "A kind's schema has a description for each field of %s",
  (name, kind) => {
    const properties = propertiesOf(openApiSchema(kind), name);
    expect(properties.length).toBeGreaterThan(10);
    // API servers describe metadata themselves.
    const silent = properties.filter(([path, { description = '' }]) => {
      return path !== `${name}.metadata` && !/\S{2,}.*[.:]/.test(description);
    });
    expect(silent.map(([path]) => path)).toEqual([]);
  },
);
