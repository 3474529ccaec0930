import type { FieldDefinition, TemplateSchema } from '@trifold/crds';
import { escapePointer } from './json-pointer.ts';
import { DataSchema, type Violation } from './data-schema.ts';

type Field = Omit<FieldDefinition, 'name'>;

/** A field with a default, at any depth of a schema. */
interface Defaulted {
  readonly field: Field;
  readonly path: string;
  /** Number of fields in it, including itself: the cost of compiling it separately. */
  readonly size: number;
}

/** Maximum number of fields compiled together and in total: nested defaults count several times. */
const MAX_AT_ONCE = 1000;
const MAX_TOTAL = 3000;

/**
 * Returns the defaults that their own fields reject, at any depth of a schema that DataSchema accepts. The paths lead
 * to the default (`/schema/fields/0/default`), or into it. A default that contains an invalid default is not itself
 * reported.
 */
export function findDefaultProblems(schema: TemplateSchema): Violation[] {
  const found: Defaulted[] = [];
  for (const [index, field] of schema.fields.entries()) collect(field, `/schema/fields/${index}`, found);
  if (found.reduce((sum, { size }) => sum + size, 0) > MAX_TOTAL) {
    return [{ path: '/schema', message: 'has too many nested defaults of objects and arrays' }];
  }
  const problems = [...found.flatMap(longIntegerIn), ...inGroups(found).flatMap(problemsOf)];
  return problems
    .filter(({ owner }) => !problems.some((other) => other.owner.startsWith(`${owner}/`)))
    .map(({ path, message }) => ({ path, message }));
}

/** A problem with the default of the field at `owner`. */
interface DefaultProblem extends Violation {
  readonly owner: string;
}

/** A schema stores numbers as doubles. Describes a default with an integer that may have lost digits. */
function longIntegerIn({ field, path }: Defaulted): DefaultProblem[] {
  const open: unknown[] = [field.default];
  for (const value of open) {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      const message = 'has an integer beyond 2^53, which would lose digits: use a string';
      return [{ owner: path, path: `${path}/default`, message }];
    }
    if (typeof value === 'object' && value !== null)
      for (const each of Object.values(value) as unknown[]) open.push(each);
  }
  return [];
}

/** Collects the fields with defaults. Returns the number of fields. */
function collect(field: Field, path: string, found: Defaulted[]): number {
  let size = 1;
  if (field.items !== undefined) size += collect(field.items as Field, `${path}/items`, found);
  for (const [name, nested] of Object.entries(field.properties ?? {})) {
    size += collect(nested as Field, `${path}/properties/${escapePointer(name)}`, found);
  }
  if (field.default !== undefined) found.push({ field, path, size });
  return size;
}

function inGroups(found: readonly Defaulted[]): Defaulted[][] {
  const groups: Defaulted[][] = [];
  let room = 0;
  for (const one of found) {
    const group = groups.at(-1);
    if (group && one.size <= room) group.push(one);
    else {
      groups.push([one]);
      room = MAX_AT_ONCE - 1;
    }
    room -= one.size;
  }
  return groups;
}

/** Puts the fields at the same level, each under its number, so that every default is filled in and validated. */
function problemsOf(group: readonly Defaulted[]): DefaultProblem[] {
  const numbered = group.map(({ field }, index) => [String(index), { ...field, required: false }] as const);
  // A nested schema may omit its type, but a top-level field may not; neither may be nested deeper than before.
  const named = numbered.filter(([, { type }]) => type !== undefined);
  const open = numbered.filter(([, { type }]) => type === undefined);
  const rest: FieldDefinition = { name: 'open', type: 'object', properties: Object.fromEntries(open) };
  const fields = [...named.map(([name, field]) => ({ ...field, name })), rest];
  return new DataSchema({ fields }).apply({ open: {} }, '').map(({ path, message }) => {
    const [, number, ...inside] = path.replace(/^\/open(?=\/)/, '').split('/');
    const owner = group[Number(number)]?.path ?? '/schema/fields';
    return { owner, path: [owner, 'default', ...inside].join('/'), message };
  });
}
