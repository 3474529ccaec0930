import type { NestedField } from '@trifold/client';
import type { DataPath } from '../problems/data-fixes.ts';
import type { DataShape } from './data-shape.ts';

/** A value in the data, and what the schema says about it. */
export interface DataField {
  readonly path: DataPath;
  readonly field: NestedField;
}

const FIELDS: Readonly<Record<string, NestedField>> = {
  array: { type: 'array' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  number: { type: 'number' },
  object: { type: 'object' },
  string: { type: 'string' },
};

/** Returns the leaf fields of a shape. Types that JSON Schema does not have are omitted. */
export function fieldsOfShape(shape: DataShape, path: DataPath = []): DataField[] {
  const inner = shape.item
    ? fieldsOfShape(shape.item, [...path, '*'])
    : Array.from(shape.members).flatMap(([name, member]) => fieldsOfShape(member, [...path, name]));
  if (inner.length > 0 || path.length === 0) return inner;
  const field = fieldOf(shape);
  return field ? [{ path, field }] : [];
}

/** Returns what the schema says about the value at a path. @default text */
export function fieldAt(shape: DataShape, path: DataPath): NestedField {
  let inner: DataShape | undefined = shape;
  for (const name of path) inner = name === '*' ? inner?.item : inner?.members.get(name);
  return (inner && fieldOf(inner)) ?? { type: 'string' };
}

function fieldOf({ item, members, type = '' }: DataShape): NestedField | undefined {
  if (item) return { type: 'array' };
  return members.size > 0 ? { type: 'object' } : FIELDS[type];
}
